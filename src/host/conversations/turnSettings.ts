import type { LearnedWindow } from '../../core/budget/budget.ts';
import type { Conversation } from '../../core/conversation/conversation.ts';
import type { ConversationChange } from '../../core/conversation/conversationOptions.ts';
import type { ModelProfile } from '../../core/profile/profile.ts';
import { profileKey } from '../../core/profile/provider.ts';
import type { ResolvedProfile } from '../../core/profile/resolve.ts';
import type { AgentSession } from '../../core/session/session.ts';
import type { KarlSettings } from '../../core/session/settings.ts';
import { takeProfile } from '../../core/session/takeProfile.ts';
import type { Tool } from '../../core/session/tools.ts';

/** Where a turn has its settings from. */
export interface TurnSettingsParts {
  readonly conversation: Conversation;
  /** The tools that the settings and the trust of the workspace allow now. */
  readonly tools: (conversation: Conversation) => readonly Tool[];
  readonly settings: () => KarlSettings;
  /** The profile of the model in the settings, as the profile files define it now. */
  readonly profile: () => Promise<ResolvedProfile>;
  /** A turn runs with this profile from now on. */
  readonly onProfile: (resolved: ResolvedProfile) => void;
  /** What the settings change for a model, its summarizer among it. */
  readonly changeFor: (profile: ModelProfile) => ConversationChange;
  /** What is known of a model's window, if need be by asking its server now. */
  readonly findWindow: (profile: ModelProfile) => Promise<LearnedWindow | undefined>;
}

/** Gives each turn of a conversation what the settings, the trust and the folders are when it begins. */
export class TurnSettings {
  readonly #parts: TurnSettingsParts;
  /** The model of the last turn and the budget of its requests; a change of the settings comes before the next turn. */
  #last: { readonly model: string; readonly limit: number };

  constructor(parts: TurnSettingsParts) {
    this.#parts = parts;
    this.#last = modelOf(parts.conversation);
  }

  /** Puts them in force for a turn that is about to begin, unless it is stopped meanwhile. */
  async putInForce(session: AgentSession, signal: AbortSignal): Promise<void> {
    const { conversation, tools, settings, profile, onProfile } = this.#parts;
    const resolved = await profile();
    // A Stop does not wait for this: from here on it could change the settings of a later turn.
    if (signal.aborted) return;
    await this.#takeProfile(resolved.profile, signal);
    if (signal.aborted) return;
    onProfile(resolved);
    session.configure({ tools: tools(conversation), maxToolRounds: settings()['tools.maxRounds'] });
  }

  /**
   * Gives the conversation the profile of the settings; one that is too long for the new model's smaller window
   * compacts first.
   */
  async #takeProfile(profile: ModelProfile, signal: AbortSignal): Promise<void> {
    const { conversation, changeFor, findWindow, settings } = this.#parts;
    const last = this.#last;
    const window = () => findWindow(profile).then((found) => (signal.aborted ? conversation.learnedWindow() : found));
    await takeProfile(conversation, { profile, change: changeFor(profile), findWindow: window });
    if (signal.aborted) return;
    this.#last = modelOf(conversation);
    const isSmaller = last.model !== this.#last.model && last.limit > this.#last.limit;
    // In the other modes the session asks, or leaves it, before the request.
    if (settings()['compaction.mode'] !== 'automatic' || !isSmaller) return;
    if (conversation.due() !== undefined) await conversation.compact({ trigger: 'smaller-model', signal });
  }
}

function modelOf(conversation: Conversation): { readonly model: string; readonly limit: number } {
  return { model: profileKey(conversation.profile()), limit: conversation.budget().limit };
}
