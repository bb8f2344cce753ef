import type { LearnedWindow } from '../core/budget/budget.ts';
import type { Conversation } from '../core/conversation/conversation.ts';
import type { ModelProfile } from '../core/profile/profile.ts';
import { profileKey } from '../core/profile/provider.ts';
import type { HostAdapters, ReadKey } from './adapters.ts';
import { describeDropping, type LearnedWindows } from './learnedWindows.ts';
import type { Notices } from './notices.ts';

/** What the windows of models are found out with. */
export interface ModelWindowsParts {
  readonly learned: LearnedWindows;
  readonly discover: HostAdapters['discoverWindow'];
  readonly readKey: ReadKey;
  readonly notices: Notices;
}

/** How long the first message waits for a server to tell its window, milliseconds. */
const WINDOW_TIMEOUT = 3000;

/** What is known of the context windows of models: from errors, and from their servers. */
export class ModelWindows {
  readonly #parts: ModelWindowsParts;
  /** What servers said in this window of VS Code, by model and server. */
  readonly #served = new Map<string, LearnedWindow>();
  /** Models of which was said that their server drops messages. */
  readonly #warned = new Set<string>();

  constructor(parts: ModelWindowsParts) {
    this.#parts = parts;
  }

  /** What two errors taught counts until it is forgotten; otherwise the server is asked, which may not take long. */
  async find(profile: ModelProfile): Promise<LearnedWindow | undefined> {
    const { learned, discover, readKey, notices } = this.#parts;
    const taught = learned.read(profile);
    if (taught !== undefined) return taught;
    const served = await discover(profile, readKey, AbortSignal.timeout(WINDOW_TIMEOUT));
    const key = profileKey(profile);
    if (served.window === undefined) this.#served.delete(key);
    else this.#served.set(key, served.window);
    if (served.dropsOldest && !this.#warned.has(key)) {
      this.#warned.add(key);
      notices.show({ id: 'drops-oldest', severity: 'info', text: describeDropping(profile, served.window) });
    }
    return served.window;
  }

  /** What one error taught holds in the session in which it was met. */
  toRestore(profile: ModelProfile, stored: LearnedWindow | undefined): LearnedWindow | undefined {
    return this.#parts.learned.read(profile) ?? (stored?.source === 'error' ? undefined : stored);
  }

  /** What is known of a model's window without asking. */
  known(profile: ModelProfile): LearnedWindow | undefined {
    return this.#parts.learned.read(profile) ?? this.#served.get(profileKey(profile));
  }

  /** For a note: what one error taught its conversation holds for the notes too, when the same model writes them. */
  forSummary(profile: ModelProfile, conversation: Conversation): LearnedWindow | undefined {
    const isOwn = profileKey(conversation.profile()) === profileKey(profile);
    return (isOwn ? conversation.learnedWindow() : undefined) ?? this.known(profile);
  }
}
