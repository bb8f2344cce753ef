/** What the user is asked before the agent does it. Texts are data. */
export type QuestionState = {
  readonly id: string;
  readonly tool: string;
  /** What may be allowed for good instead, in words, the narrowest first. */
  readonly always: readonly string[];
} & (
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly isNew: boolean;
      readonly added: number;
      readonly removed: number;
    }
  | { readonly kind: 'command'; readonly command: string; readonly folder: string }
  | { readonly kind: 'tool'; readonly input: string }
);

/** A command that runs now, and the last lines that it has printed. */
export interface RunningState {
  readonly command: string;
  readonly lines: readonly string[];
}

/** An item of the agent's to-do list. */
export interface TodoState {
  readonly text: string;
  readonly state: 'open' | 'active' | 'done' | 'dropped';
}
