import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { UNBOUNDED } from '../../../src/core/model/budget.ts';
import type { SessionState } from '../../../src/core/session/turnContext.ts';
import { type Presentation, presentNothing } from '../../../src/host/present/presenter.ts';
import type { ShownConversation } from '../../../src/host/present/sent.ts';
import { type Change, COMPACTION, CONVERSATION, given, present } from './kit.ts';

const gaugeOf = (conversation: ShownConversation, change?: Change) =>
  present(conversation, change).gauge ?? assert.fail('no gauge');

describe('the source of the figure', () => {
  const estimated = { used: { tokens: 500, source: 'estimated' } } as const;

  it('is stated: measured, counted, or estimated, and by how much it may be off', () => {
    for (const [budget, said] of [
      [{ used: { tokens: 500, source: 'reported' } }, 'measured by the server'],
      [{}, 'exact count'],
      [estimated, 'estimated ± 25%'],
    ] as const) {
      const { usedSource, windowSource } = gaugeOf(given({ budget: { ...budget, windowSource: 'server' } }));
      assert.deepEqual([usedSource, windowSource], [said, 'from the server']);
    }
  });

  it('is as exact as the reports of the server have shown, and never said to be exact', () => {
    const source = (deviation: number) =>
      gaugeOf(given({ budget: estimated, calibration: { factor: 1.1, deviation, reports: 4 } })).usedSource;
    assert.equal(source(0.067), 'estimated ± 7%');
    assert.equal(source(0), 'estimated ± 1%');
  });
});

describe('presentView', () => {
  it('shows nothing but notices before a conversation is open', () => {
    const notices = [{ id: 'told', severity: 'info', text: 'Hello', actions: [], canDismiss: true }] as const;
    const empty = { entries: [], earlier: 0, later: 0, compressions: [], attachments: [], queued: [] };
    const expected = { revision: 3, shows: 'history', activity: { kind: 'idle' }, ...empty, notices };
    assert.deepEqual(presentNothing(3, notices), expected);
  });

  it('says why the last turn has no answer, when it can go on', () => {
    const unfinished = (messages: readonly ChatMessage[], change: Change = {}) =>
      present(given({ messages }), change).unfinished;
    const [system, user, call, result, broken] = CONVERSATION;
    assert.ok(system && user && call && result && broken);
    assert.match(unfinished([system, user]) ?? '', /no answer yet/);
    assert.match(unfinished([system, user, call]) ?? '', /before the model answered/);
    assert.match(unfinished([system, user, call, result]) ?? '', /before the model answered/);
    assert.match(unfinished([system, user, broken]) ?? '', /The reply was interrupted/);
    assert.equal(unfinished([system, user, { role: 'assistant', content: 'Done.' }]), undefined);
    assert.equal(unfinished([system]), undefined);
    assert.equal(unfinished([system, user], { isAtWork: true }), undefined);
    assert.equal(unfinished([system, user], { readOnly: 'elsewhere' }), undefined);
    const failed = { id: 'turn', severity: 'error', text: 'x', actions: [], canDismiss: true } as const;
    const told = present(given({ messages: [system, user] }), { notices: [failed] });
    assert.equal(told.unfinished, undefined, 'its notice offers it');
  });

  it('shows messages that wait after the others, in order and with what goes along, at the end only', () => {
    const image = { kind: 'image', url: 'data:image/png;base64,AAAA' } as const;
    const waiting = [
      { key: 'waiting1', text: 'And then?', attachments: [image], isQueued: false },
      { key: 'waiting2', text: 'After that?', attachments: [], isQueued: false },
      { key: 'waiting3', text: 'And last?', attachments: [image], isQueued: true },
    ].map((one) => ({ ...one, wire: { role: 'user', content: one.text } as const }));
    const state = (change: Change) => present(given({ messages: CONVERSATION }), { waiting, ...change });
    const rows = state({}).entries.slice(-2);
    const shown = rows.map(
      (row) => row.kind === 'message' && [row.text, row.role, row.unrecorded, row.attached?.length, row.from],
    );
    assert.deepEqual(shown, [
      ['And then?', 'user', true, 1, CONVERSATION.length],
      ['After that?', 'user', true, undefined, CONVERSATION.length + 1],
    ]);
    assert.deepEqual(state({}).queueing, ['And last? (+ 1)'], 'the agent was busy: it will be queued');
    assert.equal(state({ showsContents: true }).queueing?.length, 3, 'the rows are hidden');
    assert.deepEqual(state({ waiting: [] }).queueing, []);
    assert.equal(state({ shown: { rows: 1, from: 0 } }).entries.length, 1, 'at the end only');
  });

  it('says in a sentence what is going on', () => {
    const doing = (state: SessionState) => present(given(), { agent: { state } }).activity;
    const asking = doing({ kind: 'asking', round: 1, model: 'qwen3' });
    assert.deepEqual(asking, { kind: 'model', label: 'qwen3 is working on the reply' });
    const running = doing({ kind: 'running-tools', tools: ['read_file'] });
    assert.deepEqual(running, { kind: 'tool', label: 'Running read_file' });
    const error = { kind: 'rate-limit', retryable: true, evidence: 'slow down' } as const;
    const until = Date.now() + 40_500;
    const waiting = doing({ kind: 'waiting', attempt: 2, attempts: 4, until, error });
    const countdown = 'Retrying in 41 s (2 of 4)';
    assert.deepEqual(waiting, { kind: 'retrying', label: 'Rate limit reached.', countdown });
  });
});

describe('the gauge', () => {
  it('counts prompt, tools and notes apart from the messages', () => {
    const { parts } = gaugeOf(given({ used: 550, compactions: [COMPACTION] }));
    const tokens = Object.fromEntries(parts.map((part) => [part.label, part.tokens]));
    assert.deepEqual(tokens, { prompt: 100, tools: 50, notes: 100, messages: 300 });
  });

  it('is calm, near, due and over', () => {
    const levels = [100, 679, 680, 799, 800, 1000, 1001].map((used) => gaugeOf(given({ used })).level);
    assert.deepEqual(levels, ['calm', 'calm', 'near', 'near', 'due', 'due', 'over']);
  });

  it('has its ticks at trigger and target', () => {
    const { trigger, target, limit, reserve, window } = gaugeOf(given({ used: 600 }));
    assert.deepEqual([trigger, target, limit, reserve, window], [800, 500, 1000, 200, 1200]);
  });

  it('says of an unknown window what was accepted, and draws no threshold', () => {
    const unknown = { windowSource: 'unknown', window: UNBOUNDED, limit: UNBOUNDED, inputLimit: UNBOUNDED } as const;
    const used = { tokens: 12_000, source: 'counted' } as const;
    const gauge = gaugeOf(given({ budget: { ...unknown, accepted: 31_204, used } }));
    assert.deepEqual([gauge.accepted, gauge.window, gauge.level, gauge.overflowTokens], [31_204, 31_204, 'calm', 0]);
    assert.equal(gauge.windowSource, 'window unknown: at least 31,204 accepted');
  });

  it('says when the next compression comes, by mode', () => {
    const next = (used: number, mode: Presentation['mode']) => gaugeOf(given({ used }), { mode }).next;
    const soon = 'Next compression at 800 tokens (80% of the budget), 200 tokens from now.';
    assert.equal(next(600, 'automatic'), soon);
    assert.match(next(600, 'ask'), /after asking you/);
    assert.match(next(600, 'manual'), /only on command/);
    assert.match(next(900, 'automatic'), /Karl will compress before the next request/);
    assert.match(next(900, 'ask'), /will ask before/);
    const declining = { agent: { question: { isOpen: false, isDeclined: true } } };
    const declined = gaugeOf(given({ used: 900 }), { mode: 'ask', ...declining }).next;
    assert.match(declined, /You chose Not Now: Karl waits/);
    const putOff = (used: number) => gaugeOf(given({ used }), { mode: 'automatic', ...declining }).next;
    assert.match(putOff(900), /You chose Not Now: Karl waits/);
    assert.match(putOff(750), /^The threshold is 800 .*You chose Not Now: Karl waits until another tenth/);
    assert.match(next(900, 'manual'), /Run "Compress Conversation"/);
    const read = gaugeOf(given({ used: 600 }), { mode: 'automatic', readOnly: 'another window' }).next;
    assert.equal(read, 'The threshold is 800 tokens (80% of the budget).');
  });

  it('says when nothing can make the request fit', () => {
    const gauge = gaugeOf(given({ used: 3000, budget: { fixed: 2234 } }));
    assert.equal(gauge.overflowTokens, 1234);
    assert.match(gauge.next, /1,234 tokens over the budget/);
  });
});
