import type { LearnedWindow } from '../budget/budget.ts';
import type { Conversation } from '../conversation/conversation.ts';
import type { ConversationChange } from '../conversation/conversationOptions.ts';
import type { ModelProfile } from '../profile/profile.ts';
import { profileKey } from '../profile/provider.ts';

/** What a conversation is to go on with. */
export interface ProfileChange {
  readonly profile: ModelProfile;
  /** What the settings change for this model, its summarizer among it. */
  readonly change: ConversationChange;
  /** What is known of the model's window, asked for when the conversation has not learned it itself. */
  readonly findWindow: () => Promise<LearnedWindow | undefined>;
}

/** Gives a conversation the profile that is in force, and what is known of its window. Nothing changes when all is as it was. */
export async function takeProfile(
  conversation: Conversation,
  { profile, change, findWindow }: ProfileChange,
): Promise<void> {
  const isSame = profileKey(conversation.profile()) === profileKey(profile);
  if (!isEqual(conversation.profile(), profile)) conversation.configure({ ...change, profile });
  const known = conversation.learnedWindow();
  // What a refusal of this conversation taught holds, whatever the server says.
  const learnedWindow = isSame && known?.source === 'error' ? known : await findWindow();
  if (!isEqual(conversation.learnedWindow(), learnedWindow)) conversation.configure({ learnedWindow });
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
