import type { SettingName } from './settings.ts';

/** What mends a problem: a button beside its sentence. After the first four a turn that failed can go on. */
export type Cure =
  /** Enter the key for the server. */
  | { readonly kind: 'set-key' }
  /** Change the address of the server, or select another one. */
  | { readonly kind: 'select-server' }
  | { readonly kind: 'select-model' }
  /** Compress with a strategy of the user's choice. */
  | { readonly kind: 'compress-with' }
  | { readonly kind: 'open-setting'; readonly setting: SettingName };

/** What the user reads: what happened, with numbers, and what to do. One sentence each, and what does it. */
export interface Advice {
  readonly what: string;
  readonly next: string;
  /** The likeliest first. */
  readonly cures: readonly Cure[];
}

export const SET_KEY: Cure = { kind: 'set-key' };
export const SELECT_SERVER: Cure = { kind: 'select-server' };
export const SELECT_MODEL: Cure = { kind: 'select-model' };
