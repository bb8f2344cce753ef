import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import {
  type HistoryMoment,
  historyOf,
  MOST_POINTS,
  noteEvent,
  parseTokenHistory,
  type TokenHistory,
} from '../../../src/core/conversation/tokenHistory.ts';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import type { ModelError } from '../../../src/core/model/classify.ts';
import { compact, converse, fill, START } from './kit.ts';

const moment = (fields: Partial<HistoryMoment> = {}) => ({ at: 1000, messages: 4, trigger: 8000, ...fields });
const answered = (tokens: number, model = 'm'): KarlEvent => ({ type: 'request-answered', model, tokens, limit: 9000 });
const failed = (kind: ModelError['kind']): KarlEvent => ({
  type: 'model-error',
  model: 'm',
  error: { kind, retryable: false, evidence: 'The secret words of the server.' },
});
const NO_HISTORY = historyOf([]);
const kinds = ({ points }: TokenHistory) => points.map(({ kind }) => kind);

/** The history of a conversation from now on. */
function follow(conversation: Conversation, before = NO_HISTORY): () => TokenHistory {
  let history = before;
  conversation.on((event) => {
    history = noteEvent(history, event, moment({ messages: conversation.transcript.messages.length }));
  });
  return () => history;
}

describe('the history of tokens', () => {
  it('has each request, compression, change by hand, undo, redo and error, without text', async () => {
    const conversation = converse(START);
    const noted = follow(conversation, noteEvent(NO_HISTORY, answered(200), moment()));
    fill(conversation, 0.9);
    await compact(conversation, { trigger: 'threshold' });
    conversation.undo();
    conversation.redo();
    assert.ok((await conversation.changeByHand('restored', [3])).ok);
    const limited = noteEvent(noted(), failed('rate-limit'), moment());
    const history = noteEvent(limited, failed('cancelled'), moment());
    assert.deepEqual(kinds(history), ['request', 'compressed', 'undone', 'redone', 'by-hand', 'error']);
    const [, compressed, undone] = history.points;
    assert.ok(compressed?.kind === 'compressed' && undone?.kind === 'undone');
    assert.ok(compressed.before > compressed.after && undone.after === compressed.before);
    assert.ok(!/secret words|src\/part|Fix the import/.test(JSON.stringify(history)));
  });

  it('says when another model was asked', () => {
    let history = noteEvent(NO_HISTORY, answered(200), moment());
    history = noteEvent(history, answered(300), moment());
    history = noteEvent(history, answered(300, 'n'), moment());
    assert.deepEqual(kinds(history), ['request', 'request', 'model', 'request']);
    assert.equal(history.model, 'n');
  });

  it('never grows beyond its bound, and keeps the newest and what is rare', () => {
    let history = noteEvent(NO_HISTORY, failed('overflow'), moment({ at: 0 }));
    for (let at = 1; at <= 3000; at += 1) {
      history = noteEvent(history, answered(at), moment({ at }));
      assert.ok(history.points.length <= MOST_POINTS);
    }
    const requests = history.points.filter(({ kind }) => kind === 'request');
    assert.equal(history.points[0]?.kind, 'error');
    assert.equal(requests.at(-1)?.at, 3000);
    assert.ok(Number(requests[0]?.at) < 1000, 'thinned, not cut off');
    for (let at = 0; at < 1000; at += 1) history = noteEvent(history, failed('timeout'), moment({ at }));
    assert.equal(history.points.length, MOST_POINTS);
  });

  it('survives the file; what is malformed or beyond the transcript is left out alone', () => {
    let history = noteEvent(NO_HISTORY, answered(200), moment());
    history = noteEvent(history, failed('timeout'), moment());
    history = noteEvent(history, answered(300, 'n'), moment());
    const stored = JSON.parse(JSON.stringify(history));
    assert.deepEqual(parseTokenHistory(stored, 10), history);
    const [request] = stored.points;
    const bad = [null, 7, {}, { ...request, tokens: -1 }, { ...request, kind: 'other' }, { ...request, messages: 11 }];
    assert.deepEqual(parseTokenHistory({ points: [...bad, ...stored.points] }, 10)?.points, history.points);
    for (const none of [undefined, null, 'x', {}, { points: 5 }]) assert.equal(parseTokenHistory(none, 10), undefined);
    const many = Array.from({ length: 5000 }, () => request);
    assert.equal(parseTokenHistory({ points: many }, 10)?.points.length, MOST_POINTS);
  });

  it('of an older conversation begins with its compressions', async () => {
    const conversation = converse(START);
    fill(conversation, 0.9);
    await conversation.compact({ trigger: 'threshold' });
    await conversation.changeByHand('restored', [3]);
    assert.deepEqual(kinds(historyOf(conversation.history())), ['compressed', 'by-hand']);
  });
});
