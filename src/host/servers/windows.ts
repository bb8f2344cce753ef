import type { Conversation } from '../../core/conversation/conversation.ts';
import { language, t } from '../../core/language.ts';
import type { LearnedWindow } from '../../core/model/budget.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import { findSetWindow, type HeardWindow, hearWindow } from '../../core/model/windows.ts';
import type { AcceptedSizes } from '../../core/session/turnContext.ts';
import type { ReadKey } from '../adapters.ts';
import type { Host } from '../host.ts';

/** How long the first message waits for a server to tell its window, milliseconds. */
const WINDOW_TIMEOUT = 3000;

/** How long an answer about a window holds for agents that ask at every step, milliseconds. */
const WINDOW_AGE = 60_000;

/** By how much an accepted request must be larger than the kept figure for it to be written. */
const GROWN = 1.05;

/**
 * What is known of the windows of models, by model and server: from the settings, from errors, and from what servers
 * said in this window of VS Code. One error counts in its conversation only, as long as that is open: its words can be
 * misread or quoted. What a second one confirms counts everywhere and outlives this window of VS Code.
 */
export class Windows {
  readonly #host: Host;
  /** What servers said in this window of VS Code. */
  readonly #stated = new Map<string, LearnedWindow>();
  readonly #accepted = new Map<string, number>();
  /** When servers were asked last, milliseconds since 1970. */
  readonly #askedAt = new Map<string, number>();
  /** Models of which the user was told that their server drops messages. */
  readonly #warned = new Set<string>();

  constructor(host: Host) {
    this.#host = host;
  }

  /** What is known without asking: what the user has set, what two errors taught, what the server said last. */
  known(profile: ModelProfile): LearnedWindow | undefined {
    return this.#certain(profile) ?? this.#stated.get(profileKey(profile));
  }

  /**
   * The window of a stored conversation. One that came from a setting no longer counts without it, nor does one that a
   * single error taught.
   */
  toRestore(profile: ModelProfile, stored: LearnedWindow | undefined): LearnedWindow | undefined {
    const kept = stored?.source === 'setting' || stored?.source === 'error' ? undefined : stored;
    return this.#certain(profile) ?? kept ?? this.known(profile);
  }

  /**
   * What the user has set counts first, then what two errors taught; otherwise the server is asked, for
   * `WINDOW_TIMEOUT` at most. `readKey`: for a server that is not that of the settings.
   */
  async find(profile: ModelProfile, readKey?: ReadKey): Promise<LearnedWindow | undefined> {
    const certain = this.#certain(profile);
    if (certain !== undefined) return certain;
    const { factory, notices, modelsChanged } = this.#host;
    const { discoverWindow, profiles } = await factory;
    const served = await discoverWindow(profile, readKey ?? profiles.readKey, AbortSignal.timeout(WINDOW_TIMEOUT));
    const key = profileKey(profile);
    this.#askedAt.set(key, Date.now());
    const before = this.#stated.get(key);
    // A server that is slow or gone takes nothing back.
    const window = served.window ?? before;
    if (served.window !== undefined) this.#stated.set(key, served.window);
    if (window?.tokens !== before?.tokens) modelsChanged();
    if (served.dropsOldest && !this.#warned.has(key)) {
      this.#warned.add(key);
      notices.show({ id: 'drops-oldest', severity: 'info', text: describeDropping(profile, window) });
    }
    return window;
  }

  /** As `find`, but what a server said, or did not say, within the last `WINDOW_AGE` still holds. */
  async findRecent(profile: ModelProfile, readKey: ReadKey): Promise<LearnedWindow | undefined> {
    const askedAt = this.#askedAt.get(profileKey(profile)) ?? Number.NEGATIVE_INFINITY;
    return askedAt > Date.now() - WINDOW_AGE ? this.known(profile) : await this.find(profile, readKey);
  }

  /**
   * After a change of the settings: a server is asked, but no vendor of VS Code's models, which is asked only when the
   * user sends it something.
   */
  async findChanged(profile: ModelProfile): Promise<LearnedWindow | undefined> {
    return profile.baseUrl === EDITOR_MODELS ? this.known(profile) : await this.find(profile);
  }

  /**
   * What a change of the settings changes for a conversation that keeps its model; what its own error taught it stays.
   */
  changed(conversation: Conversation, profile: ModelProfile): { readonly learnedWindow?: LearnedWindow | undefined } {
    const now = conversation.learnedWindow();
    const set = this.#set(profile);
    if (set !== undefined && now?.source === 'setting' && now.tokens === set.tokens) return {};
    const isChanged = set === undefined ? now?.source === 'setting' : now?.source !== 'error';
    return isChanged ? { learnedWindow: this.known(profile) } : {};
  }

  /**
   * The window of the model that writes notes: what one error taught the conversation holds for them too, when it is
   * the same model.
   */
  ofSummaries(profile: ModelProfile, conversation: Conversation | undefined): LearnedWindow | undefined {
    const isOwn = conversation !== undefined && profileKey(conversation.profile()) === profileKey(profile);
    return (isOwn ? conversation.learnedWindow() : undefined) ?? this.known(profile);
  }

  /** Records what an error taught. */
  async hear(profile: ModelProfile, window: LearnedWindow): Promise<void> {
    await this.#memory.update(nameOf(profile), hearWindow(this.#heard(profile), window));
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

  get #memory() {
    return this.#host.context.globalState;
  }

  #set({ id }: ModelProfile): LearnedWindow | undefined {
    return findSetWindow(id, this.#host.settings.current.contextWindows);
  }

  #certain(profile: ModelProfile): LearnedWindow | undefined {
    const heard = this.#heard(profile);
    return this.#set(profile) ?? (heard?.agreed === true ? heard.window : undefined);
  }

  /** What version 0.1.0 stored was not confirmed by a second error: it has another form, and no longer counts. */
  #heard(profile: ModelProfile): HeardWindow | undefined {
    const stored = this.#memory.get<Partial<HeardWindow>>(nameOf(profile));
    return stored?.window === undefined ? undefined : { window: stored.window, agreed: stored.agreed === true };
  }
}

function acceptedName(key: string): string {
  return `karl.accepted ${key}`;
}

function nameOf(profile: ModelProfile): string {
  return `karl.window ${profileKey(profile)}`;
}

/** Says that a server cuts what is too long without an error, and what Karl does about it. */
function describeDropping(profile: ModelProfile, window: LearnedWindow | undefined): string {
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
