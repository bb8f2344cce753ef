import type { CompactionMode } from '../../core/session/settings.ts';
import type { ViewState } from '../../protocol/viewState.ts';
import type { ThreadInUse } from '../conversations/agentThreads.ts';
import { presentView } from '../present/presenter.ts';
import type { StatusBar } from './statusBar.ts';

/** Shows the conversation in use in the status bar: Karl's own, or another agent's after its last request. */
export class StatusFollower {
  readonly #bar: Pick<StatusBar, 'update'>;
  readonly #mode: () => CompactionMode;
  #own: ViewState | undefined;
  #follows: 'own' | 'thread' = 'own';

  constructor(bar: Pick<StatusBar, 'update'>, mode: () => CompactionMode) {
    this.#bar = bar;
    this.#mode = mode;
  }

  /** Takes the newest state of Karl's own conversation, and switches to it if something runs in it. */
  showOwn(state: ViewState): void {
    this.#own = state;
    if (state.activity.kind !== 'idle') this.#follows = 'own';
    if (this.#follows === 'own') this.#bar.update(state);
  }

  /** Goes back to Karl's own conversation, after it was opened or closed. */
  followOwn(): void {
    this.#follows = 'own';
    if (this.#own !== undefined) this.#bar.update(this.#own);
  }

  /** Shows another agent's conversation, when a request began, ended or changed its budget. */
  showThread(thread: ThreadInUse): void {
    this.#follows = 'thread';
    this.#bar.update(presentThread(thread, this.#mode()));
  }
}

function presentThread({ id, conversation, isBusy }: ThreadInUse, mode: CompactionMode): ViewState {
  const model = conversation.profile().id;
  return presentView({
    revision: 0,
    open: {
      id,
      title: '',
      model,
      conversation,
      count: (message) => conversation.tokensOf(message).tokens,
      toolTokens: conversation.toolTokens().tokens,
      mode,
      activity: isBusy ? { kind: 'model', label: model } : { kind: 'idle' },
      queued: [],
      shows: 'history',
      shown: { rows: 0 },
    },
    notices: [],
  });
}
