import type { Conversation } from '../../core/conversation/conversation.ts';
import type { LearnedWindow } from '../../core/model/budget.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { EDITOR_MODELS, profileKey } from '../../core/model/providers.ts';
import { findSetWindow } from '../../core/model/windows.ts';
import type { HostAdapters, ReadKey } from '../adapters.ts';
import type { Host } from '../host.ts';
import { describeDropping } from './learnedWindows.ts';

/** How long the first message waits for a server to tell its window, milliseconds. */
const WINDOW_TIMEOUT = 3000;

/** How long an answer about a window holds for agents that ask at every step, milliseconds. */
const WINDOW_AGE = 60_000;

/**
 * What is known of the windows of models: from the settings, from errors of the past, and from what servers said in
 * this window of VS Code.
 */
export class KnownWindows {
  readonly #host: Host;
  readonly #readKey: ReadKey;
  readonly #discover: HostAdapters['discoverWindow'];
  /** When servers were asked last, milliseconds since 1970. */
  readonly #askedAt = new Map<string, number>();
  /** Models of which the user was told that their server drops messages. */
  readonly #warned = new Set<string>();

  constructor(host: Host, readKey: ReadKey, discover: HostAdapters['discoverWindow']) {
    this.#host = host;
    this.#readKey = readKey;
    this.#discover = discover;
  }

  /** The window that the user has set for the model. */
  set({ id }: ModelProfile): LearnedWindow | undefined {
    return findSetWindow(id, this.#host.settings.current.contextWindows);
  }

  /**
   * The window of a stored conversation. One that came from a setting no longer counts without it, nor does one that a
   * single error taught.
   */
  toRestore(profile: ModelProfile, stored: LearnedWindow | undefined): LearnedWindow | undefined {
    const kept = stored?.source === 'setting' ? undefined : stored;
    return this.set(profile) ?? this.#host.windows.toRestore(profile, kept) ?? this.#host.windows.stated(profile);
  }

  /**
   * What the user has set counts first, then what two errors taught; otherwise the server is asked, for
   * `WINDOW_TIMEOUT` at most.
   */
  async find(profile: ModelProfile, readKey = this.#readKey): Promise<LearnedWindow | undefined> {
    const { windows, notices, modelsChanged } = this.#host;
    const learned = this.set(profile) ?? windows.read(profile);
    if (learned !== undefined) return learned;
    const served = await this.#discover(profile, readKey, AbortSignal.timeout(WINDOW_TIMEOUT));
    const key = profileKey(profile);
    this.#askedAt.set(key, Date.now());
    const before = windows.stated(profile);
    // A server that is slow or gone takes nothing back.
    const window = served.window ?? before;
    if (served.window !== undefined) windows.state(profile, served.window);
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

  /** What is known without asking. */
  known(profile: ModelProfile): LearnedWindow | undefined {
    return this.set(profile) ?? this.#host.windows.read(profile) ?? this.#host.windows.stated(profile);
  }

  /**
   * What a change of the settings changes for a conversation that keeps its model; what its own error taught it stays.
   */
  changed(conversation: Conversation, profile: ModelProfile): { readonly learnedWindow?: LearnedWindow | undefined } {
    const now = conversation.learnedWindow();
    const set = this.set(profile);
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
}
