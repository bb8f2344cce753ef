/** What work in slices needs: everything else that waits runs between two of them. */
export const SLICES = {
  pause: (): Promise<void> => new Promise((resolve) => setImmediate(resolve)),
  /** Milliseconds. */
  elapsed: (): number => performance.now(),
} as const;
