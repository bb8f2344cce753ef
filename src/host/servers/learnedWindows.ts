import type * as vscode from 'vscode';
import { language, t } from '../../core/language.ts';
import type { LearnedWindow } from '../../core/model/budget.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { profileKey } from '../../core/model/providers.ts';
import { type HeardWindow, hearWindow } from '../../core/model/windows.ts';
import type { AcceptedSizes } from '../../core/session/turnContext.ts';

/**
 * Windows that servers stated and that errors taught, by model and server. One error counts in its conversation only, as long as that is open:
 * its words can be misread or quoted. What a second one confirms counts everywhere and outlives this window of VS Code.
 */
export class LearnedWindows {
  readonly #memory: vscode.Memento;
  /** What servers said in this window of VS Code, by model and server. */
  readonly #stated = new Map<string, LearnedWindow>();
  readonly #accepted = new Map<string, number>();

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The window that two errors stated alike. */
  read(profile: ModelProfile): LearnedWindow | undefined {
    const heard = this.#heard(profile);
    return heard?.agreed === true ? heard.window : undefined;
  }

  /** The window of a stored conversation: what one error taught it counted only while it was open. */
  toRestore(profile: ModelProfile, stored: LearnedWindow | undefined): LearnedWindow | undefined {
    return this.read(profile) ?? (stored?.source === 'error' ? undefined : stored);
  }

  /** Records what an error taught. */
  async hear(profile: ModelProfile, window: LearnedWindow): Promise<void> {
    await this.#memory.update(nameOf(profile), hearWindow(this.#heard(profile), window));
  }

  /** The window that the server stated last. */
  stated(profile: ModelProfile): LearnedWindow | undefined {
    return this.#stated.get(profileKey(profile));
  }

  /** Records what a server stated. */
  state(profile: ModelProfile, window: LearnedWindow): void {
    this.#stated.set(profileKey(profile), window);
  }

  /**
   * The largest requests that servers accepted, by `profileKey`: a lower bound of their windows. Written when it has
   * grown by a twentieth.
   */
  readonly accepted: AcceptedSizes = {
    get: (key) => this.#accepted.get(key) ?? this.#memory.get<number>(acceptedName(key)),
    set: (key, tokens) => {
      this.#accepted.set(key, tokens);
      const kept = this.#memory.get<number>(acceptedName(key)) ?? 0;
      if (tokens < kept || tokens > kept * GROWN) void this.#memory.update(acceptedName(key), tokens);
      return this.#accepted;
    },
    delete: (key) => {
      void this.#memory.update(acceptedName(key), undefined);
      return this.#accepted.delete(key);
    },
  };

  /** Forgets all about a model; returns what an error had taught last. */
  async forget(profile: ModelProfile): Promise<LearnedWindow | undefined> {
    const heard = this.#heard(profile);
    this.#stated.delete(profileKey(profile));
    this.accepted.delete(profileKey(profile));
    await this.#memory.update(nameOf(profile), undefined);
    return heard?.window;
  }

  /** What version 0.1.0 stored was not confirmed by a second error: it has another form, and no longer counts. */
  #heard(profile: ModelProfile): HeardWindow | undefined {
    const stored = this.#memory.get<Partial<HeardWindow>>(nameOf(profile));
    return stored?.window === undefined ? undefined : { window: stored.window, agreed: stored.agreed === true };
  }
}

/** By how much an accepted request must be larger than the kept figure for it to be written. */
const GROWN = 1.05;

function acceptedName(key: string): string {
  return `karl.accepted ${key}`;
}

function nameOf(profile: ModelProfile): string {
  return `karl.window ${profileKey(profile)}`;
}

/** Says that a server cuts what is too long without an error, and what Karl does about it. */
export function describeDropping(profile: ModelProfile, window: LearnedWindow | undefined): string {
  const drops = t(
    'The server of {0} drops the oldest messages of a request that is too long, and says nothing.',
    profile.id,
  );
  const keeps =
    window === undefined
      ? t('It does not say how much it keeps: use “Karl: Set Context Window…”.')
      : t('Karl keeps every request inside the {0} tokens that it has loaded.', window.tokens);
  return `${drops} ${keeps}`;
}

/**
 * Says what was known of a model's window before it was reset: how much, from which source, since when, from which
 * words.
 */
export function describeReset(profile: ModelProfile, window: LearnedWindow | undefined): string {
  if (window === undefined)
    return t('No context window was detected for {0}: the figure of its profile is used.', profile.id);
  if (window.source === 'setting')
    return t(
      'Nothing was detected for {0}: its context window of {1} tokens is set in karl.contextWindows.',
      profile.id,
      window.tokens,
    );
  const known = [profile.id, window.tokens] as const;
  if (window.source !== 'error')
    return t('Reset. For {0}, a context window of {1} tokens had been reported by the server.', ...known);
  const learned =
    window.at === undefined
      ? t('Reset. For {0}, a context window of {1} tokens had been learned from an error', ...known)
      : t(
          'Reset. For {0}, a context window of {1} tokens had been learned from an error on {2}',
          ...known,
          new Date(window.at).toLocaleString(language()),
        );
  return window.words === undefined ? `${learned}.` : t('{0}: “{1}”', learned, window.words);
}
