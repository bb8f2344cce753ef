import type { ViewState } from '../../protocol/viewState.ts';
import type { ThreadInUse } from '../conversations/agentThreads.ts';
import { presentGauge } from '../present/gauge.ts';
import type { CompactionMode } from '../settings/settingRules.ts';
import type { BarState, StatusBar } from './statusBar.ts';

/** Shows the conversation in use in the status bar: Karl's own, or another agent's after its last request. */
export class StatusFollower {
  readonly #bar: Pick<StatusBar, 'update'>;
  readonly #mode: () => CompactionMode;
  #own: BarState = { gauge: undefined, model: undefined, activity: 'idle' };
  #follows: 'own' | 'thread' = 'own';

  constructor(bar: Pick<StatusBar, 'update'>, mode: () => CompactionMode) {
    this.#bar = bar;
    this.#mode = mode;
  }

  /** Takes the newest state of Karl's own conversation, and switches to it if something runs in it. */
  showOwn({ gauge, conversation, activity }: Pick<ViewState, 'gauge' | 'conversation' | 'activity'>): void {
    this.#own = { gauge, model: conversation?.model, activity: activity.kind };
    if (activity.kind !== 'idle') this.#follows = 'own';
    if (this.#follows === 'own') this.#bar.update(this.#own);
  }

  /** Goes back to Karl's own conversation, after it was opened or closed. */
  followOwn(): void {
    this.#follows = 'own';
    this.#bar.update(this.#own);
  }

  /** Shows another agent's conversation, when a request began, ended or changed its budget. */
  showThread({ conversation, isBusy }: ThreadInUse): void {
    this.#follows = 'thread';
    const gauge = presentGauge(conversation, this.#mode());
    this.#bar.update({ gauge, model: conversation.profile().id, activity: isBusy ? 'model' : 'idle' });
  }
}
