import type { SettingName } from './settings.ts';

/**
 * A remedy for a problem, offered as a button beside its description. After one of the first four, a failed turn can go
 * on.
 */
export type Cure =
  /** Enter the server's API key. */
  | { readonly kind: 'set-key' }
  /** Change the server's address, or select another server. */
  | { readonly kind: 'select-server' }
  | { readonly kind: 'select-model' }
  /** Compress with a strategy of the user's choice. */
  | { readonly kind: 'compress-with' }
  | { readonly kind: 'open-setting'; readonly setting: SettingName };

/** What the user reads: what happened, with numbers; what to do; and the buttons that do it. */
export interface Advice {
  readonly what: string;
  readonly next: string;
  /** The remedies, the most likely first. */
  readonly cures: readonly Cure[];
}

export const SET_KEY: Cure = { kind: 'set-key' };
export const SELECT_SERVER: Cure = { kind: 'select-server' };
export const SELECT_MODEL: Cure = { kind: 'select-model' };
