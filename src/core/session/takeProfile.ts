import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationChange } from '../conversation/conversationOptions.ts';
import type { LearnedWindow } from '../model/budget.ts';
import type { ModelProfile } from '../model/profile.ts';
import { profileKey } from '../model/providers.ts';
import { isEqual } from '../result.ts';

/** The model that a conversation should continue with. */
export interface ProfileChange {
  readonly profile: ModelProfile;
  /** The settings for this model, including its summarizer. */
  readonly change: ConversationChange;
  /** Asks for the model's known window; not called if this conversation learned it from a refusal. */
  readonly findWindow: () => Promise<LearnedWindow | undefined>;
}

/**
 * Gives a conversation the current profile and the known window. Changes nothing if both are the same as before, and no
 * window once `signal` has aborted: the conversation may have gone on with another model.
 */
export async function takeProfile(
  conversation: Conversation,
  { profile, change, findWindow }: ProfileChange,
  signal?: AbortSignal,
): Promise<void> {
  const isSame = profileKey(conversation.profile()) === profileKey(profile);
  if (!isEqual(conversation.profile(), profile)) conversation.configure({ ...change, profile });
  const known = conversation.learnedWindow();
  // A refusal in this conversation outweighs what the server says about itself.
  const found = isSame && known?.source === 'error' ? known : await findWindow();
  if (signal?.aborted === true) return;
  // Until the server says something new, its earlier answer holds.
  const learnedWindow = found ?? (isSame && known?.source === 'server' ? known : undefined);
  if (!isEqual(conversation.learnedWindow(), learnedWindow)) conversation.configure({ learnedWindow });
}
