import type * as vscode from 'vscode';
import type { ServedWindow } from '../../adapters/servers/window.ts';
import type { ReadKey } from '../../adapters.ts';
import type { AcceptedSizes } from '../../core/conversation/conversationOptions.ts';
import type { LearnedWindow } from '../../core/model/budget.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { profileKey } from '../../core/model/providers.ts';
import { findSetWindow, type HeardWindow, hearWindow } from '../../core/model/windows.ts';
import { formatMoment, t } from '../../language/language.ts';
import type { Notices } from '../notices/notices.ts';
import { windowSourceWords } from '../present/words.ts';
import type { Settings } from '../settings/settings.ts';

/** How long the first message waits for a server to tell its window, milliseconds. */
const WINDOW_TIMEOUT = 3000;

/** How long an answer about a window holds for agents that ask at every step, milliseconds. */
const WINDOW_AGE = 60_000;

interface WindowParts {
  readonly memory: Pick<vscode.Memento, 'get' | 'update'>;
  readonly settings: Pick<Settings, 'current'>;
  readonly notices: Pick<Notices, 'show'>;
  /** Asks a server, with its own key unless another is given. */
  readonly discover: (
    profile: ModelProfile,
    readKey: ReadKey | undefined,
    signal: AbortSignal,
  ) => Promise<ServedWindow>;
  /** Makes VS Code ask for the models of its chat again. */
  readonly modelsChanged: () => void;
}

/**
 * The known context windows, by model and server: from the settings, from errors, and from servers in this session of VS
 * Code. A single error counts only in its open conversation, because its text can be misread or quoted. What a second
 * error confirms counts everywhere and is stored.
 */
export class Windows {
  readonly #parts: WindowParts;
  /** What servers said in this session of VS Code. */
  readonly #stated = new Map<string, LearnedWindow>();
  /** When servers were asked last, milliseconds since 1970. */
  readonly #askedAt = new Map<string, number>();
  /** Models about which the user was told that their server drops messages. */
  readonly #warned = new Set<string>();

  constructor(parts: WindowParts) {
    this.#parts = parts;
  }

  /**
   * What is known without asking. `own`: what a conversation with the model has learned, of which an error counts most;
   * then the user's figure, what two errors agree on, the rest of what it has learned, and what the server said last.
   */
  known(profile: ModelProfile, own?: LearnedWindow): LearnedWindow | undefined {
    if (own?.source === 'error') return own;
    const kept = own?.source === 'setting' ? undefined : own;
    return this.#certain(profile) ?? kept ?? this.#stated.get(profileKey(profile));
  }

  /**
   * The user's figure, or else what two errors agree on, or else what the server says within `WINDOW_TIMEOUT`. `readKey`:
   * for a server other than that of the settings.
   */
  async find(profile: ModelProfile, readKey?: ReadKey): Promise<LearnedWindow | undefined> {
    const certain = this.#certain(profile);
    if (certain !== undefined) return certain;
    const { discover, notices, modelsChanged } = this.#parts;
    const served = await discover(profile, readKey, AbortSignal.timeout(WINDOW_TIMEOUT));
    const key = profileKey(profile);
    this.#askedAt.set(key, Date.now());
    const before = this.#stated.get(key);
    // An earlier answer holds until there is a new one.
    const window = served.window ?? before;
    if (served.window !== undefined) this.#stated.set(key, served.window);
    if (window?.tokens !== before?.tokens) modelsChanged();
    if (served.dropsOldest && !this.#warned.has(key)) {
      this.#warned.add(key);
      notices.show({ id: 'drops-oldest', severity: 'info', text: describeDropping(profile, window) });
    }
    return window;
  }

  /** Like `find`, but does not ask a server again that was asked within the last `WINDOW_AGE`. */
  async findRecent(profile: ModelProfile, readKey: ReadKey): Promise<LearnedWindow | undefined> {
    const askedAt = this.#askedAt.get(profileKey(profile)) ?? Number.NEGATIVE_INFINITY;
    return askedAt > Date.now() - WINDOW_AGE ? this.known(profile) : await this.find(profile, readKey);
  }

  /** Records a window that was learned from an error. */
  async hear(profile: ModelProfile, window: LearnedWindow): Promise<void> {
    await this.#parts.memory.update(nameOf(profile), hearWindow(this.#heard(profile), window));
  }

  /** The largest requests that servers accepted, by `profileKey`: a lower bound of their windows. */
  readonly accepted: AcceptedSizes = {
    get: (key) => this.#parts.memory.get<number>(acceptedName(key)),
    set: (key, tokens) => tokens !== this.accepted.get(key) && this.#parts.memory.update(acceptedName(key), tokens),
    delete: (key) => this.#parts.memory.update(acceptedName(key), undefined),
  };

  /** Forgets everything about a model; returns the window that was learned from an error, if any. */
  async forget(profile: ModelProfile): Promise<LearnedWindow | undefined> {
    const heard = this.#heard(profile);
    this.#stated.delete(profileKey(profile));
    this.accepted.delete(profileKey(profile));
    await this.#parts.memory.update(nameOf(profile), undefined);
    return heard?.window;
  }

  #certain(profile: ModelProfile): LearnedWindow | undefined {
    const heard = this.#heard(profile);
    const set = findSetWindow(profile.id, this.#parts.settings.current.contextWindows);
    return set ?? (heard?.agreed === true ? heard.window : undefined);
  }

  /** Version 0.1.0 stored unconfirmed windows in another form, which no longer count. */
  #heard(profile: ModelProfile): HeardWindow | undefined {
    const stored = this.#parts.memory.get<Partial<HeardWindow>>(nameOf(profile));
    return stored?.window === undefined ? undefined : { window: stored.window, agreed: stored.agreed === true };
  }
}

function acceptedName(key: string): string {
  return `karl.accepted ${key}`;
}

function nameOf(profile: ModelProfile): string {
  return `karl.window ${profileKey(profile)}`;
}

/** Says that a server silently cuts long requests, and what Karl does about it. */
function describeDropping(profile: ModelProfile, window: LearnedWindow | undefined): string {
  const drops = t(
    'The server of {0} drops the oldest messages of a request that is too long, without saying so.',
    profile.id,
  );
  const keeps =
    window === undefined
      ? t('It does not say how much it keeps: use “Karl: Set Context Window…”.')
      : t('Karl keeps every request inside the {0} tokens that it has loaded.', window.tokens);
  return `${drops} ${keeps}`;
}

/**
 * Says what was known about a model's window before it was reset; for one learned from an error, also when and from
 * which words.
 */
export function describeReset(profile: ModelProfile, window: LearnedWindow | undefined): string {
  if (window === undefined)
    return t('No context window was detected for {0}: the figure in its profile is used.', profile.id);
  if (window.source === 'setting')
    return t(
      'Nothing was detected for {0}: its context window of {1} tokens is set in karl.contextWindows.',
      profile.id,
      window.tokens,
    );
  const { at, words } = window;
  const source = windowSourceWords(window.source);
  const from = at === undefined ? source : `${source}, ${formatMoment(at)}`;
  const reset = t('Reset. The context window of {0} was {1} tokens ({2}).', profile.id, window.tokens, from);
  return words === undefined ? reset : `${reset} ${t('The server said: “{0}”', words)}`;
}
