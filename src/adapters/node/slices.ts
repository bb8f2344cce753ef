/** The ports for work in slices: everything else that waits may run between two slices. */
export const SLICES = {
  pause: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  /** Milliseconds. */
  elapsed: (): number => performance.now(),
} as const;
