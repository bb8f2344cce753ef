import { t } from '../../core/language.ts';
import type { SessionState } from '../../core/session/turnContext.ts';
import type { StreamingReply } from '../present/streaming.ts';
import type { Agent } from './agent.ts';

/** What an open conversation needs of the agent that leads it. */
export type LeadingAgent = Pick<
  Agent,
  | 'state'
  | 'asks'
  | 'isDeclined'
  | 'answer'
  | 'decline'
  | 'isBusy'
  | 'queue'
  | 'held'
  | 'cached'
  | 'streaming'
  | 'send'
  | 'resume'
  | 'resumeMended'
  | 'sendQueued'
  | 'cancel'
  | 'unqueue'
  | 'refreshTools'
>;

/** An agent that leads its conversation elsewhere: nothing is sent or stopped here. */
export class OtherAgent implements LeadingAgent {
  readonly state: SessionState = { kind: 'idle' };
  readonly asks = false;
  readonly isDeclined = false;
  readonly queue = [];
  readonly held = 0;
  readonly cached = undefined;
  readonly #isServed: () => boolean;
  readonly #lastReply: () => StreamingReply | undefined;

  /**
   * `isServed`: whether a request of it is served now; `lastReply`: the reply to it, until that is in the transcript.
   */
  constructor(isServed: () => boolean, lastReply: () => StreamingReply | undefined) {
    this.#isServed = isServed;
    this.#lastReply = lastReply;
  }

  get streaming(): StreamingReply | undefined {
    return this.#lastReply();
  }

  get isBusy(): boolean {
    return this.#isServed();
  }

  async send(): Promise<boolean> {
    return false;
  }

  readonly answer = leaveAlone;
  readonly decline = leaveAlone;
  readonly resume = leaveAlone;
  readonly resumeMended = leaveAlone;
  readonly sendQueued = leaveAlone;
  readonly cancel = leaveAlone;
  readonly unqueue = leaveAlone;
  readonly refreshTools = leaveAlone;
}

async function leaveAlone(): Promise<undefined> {
  // What happens in its conversation is up to the other agent.
  return undefined;
}

/** Why nothing can be written in a conversation of another agent. `client`: as it named itself, if it did. */
export function describeOtherAgent(client: string | undefined): string {
  return client === undefined || client === ''
    ? t('A conversation of another agent: continue it there. Here you can read, compress, undo and pin.')
    : t('A conversation of {0}: continue it there. Here you can read, compress, undo and pin.', client);
}
