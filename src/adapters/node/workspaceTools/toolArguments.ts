/** Limits on what the workspace tools read and return. */
export interface WorkspaceToolLimits {
  /** The characters of one result. */
  readonly characters: number;
  /** Entries that list_files names. */
  readonly entries: number;
  /** Matches that search_text shows. */
  readonly matches: number;
  /** Files larger than this are read by line ranges only, and not searched, bytes. */
  readonly wholeFileBytes: number;
  /** Folder entries that one call looks at. */
  readonly visited: number;
  /** Time of one call, milliseconds. */
  readonly totalMs: number;
  /** The time that a regular expression may take on one file, milliseconds. */
  readonly fileMs: number;
}

/** A result has at most about 10,000 tokens: asking again costs less than keeping what is not needed. */
export const DEFAULT_LIMITS: WorkspaceToolLimits = {
  characters: 40_000,
  entries: 500,
  matches: 100,
  wholeFileBytes: 5_000_000,
  visited: 50_000,
  totalMs: 15_000,
  fileMs: 1_000,
};
