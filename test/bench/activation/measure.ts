/** What the activation of the extension may take, ms: less goes unnoticed when the editor starts. */
export const ACTIVATION_LIMIT = 50;

/** One activation in a process of its own. */
export interface ActivationRun {
  /** Reading, compiling and running the bundle, ms. */
  readonly loadMs: number;
  /** The call of `activate`, ms. */
  readonly activateMs: number;
  /** Code that was read before `activate` returned. */
  readonly kilobytesRead: number;
  /** Whether the tables of the tokenizers were opened before the extension was ready. */
  readonly ranksRead: boolean;
}
