import type { ViewState } from '../protocol/viewState.ts';
import type { UserActions } from './actions/userActions.ts';
import type { ActiveConversation } from './conversations/activeConversation.ts';

/** What the extension gives to those that activate it, its tests among them. */
export interface KarlApi {
  /** Resolves when the conversation that was open last is open again, if there is one. */
  readonly ready: Promise<void>;
  readonly karl: UserActions;
  readonly conversation: () => ActiveConversation['conversation'] | undefined;
  readonly viewState: () => ViewState;
  /** Whether the user sees the view. */
  readonly isViewVisible: () => boolean;
  /** Finishes what is written; nothing works afterwards. */
  readonly close: () => Promise<void>;
}
