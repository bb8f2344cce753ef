/** Settles like the work, or with `aborted` as soon as the signal aborts. Leaves no listener behind. */
export async function orAborted<Value, Aborted>(
  work: Promise<Value>,
  aborted: Aborted,
  signal: AbortSignal,
): Promise<Value | Aborted> {
  let onAbort = (): void => undefined;
  const ended = new Promise<Aborted>((resolve) => {
    onAbort = () => resolve(aborted);
  });
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
