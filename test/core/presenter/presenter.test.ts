import assert from 'node:assert/strict';
import type { Budget } from '../../../src/core/budget/budget.ts';
import { type CalibrationState, UNCALIBRATED } from '../../../src/core/budget/calibration.ts';
import { DEFAULT_THRESHOLDS } from '../../../src/core/budget/thresholds.ts';
import type { Compaction, RecordedReplacement } from '../../../src/core/compaction/compaction.ts';
import type { Receipt } from '../../../src/core/compaction/receipt.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { fence } from '../../../src/core/messages/fence.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { deriveView } from '../../../src/core/messages/view.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { readWholeText } from '../../../src/host/present/messages.ts';
import {
  type PresentedConversation,
  presentView,
  type ShownConversation,
} from '../../../src/host/present/presenter.ts';

const CALL = { id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
const CONVERSATION: readonly ChatMessage[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Fix the bug.' },
  { role: 'assistant', content: '', reasoning_content: 'I should look first.', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: 'x'.repeat(10_000) },
  { role: 'assistant', content: 'It is fix', karl_interrupted: true },
  { role: 'user', content: 'Go on.' },
];

const RECEIPT: Receipt = {
  strategy: 'adaptive',
  aim: 'target',
  rungs: ['mask', 'hand-over'],
  tokensBefore: 12_400,
  tokensAfter: 5900,
  limitTokens: 15_000,
  messages: { whole: 4, shortened: 1, replaced: 7 },
  summarized: 8,
  summaryCharacters: 900,
  facts: [{ class: 'file-read', kept: 3, behindHandle: 2 }],
  rejected: ['src/invented.ts'],
  unverified: 2,
  promise: 'facts-in-view',
  prefixKept: 0.25,
  modelCalls: 0,
  ms: 31.4,
};

const NOTE = 'Read a.ts (t2-3).';
const COMPACTION: Compaction = {
  id: 'abc',
  at: Date.UTC(2026, 2, 1, 12),
  strategy: 'adaptive',
  trigger: 'threshold',
  transcriptLength: 6,
  replacements: [{ range: { from: 2, to: 3 }, by: { kind: 'note', messages: [fence('abc', NOTE)] } }],
  receipt: RECEIPT,
};

interface Given {
  readonly messages?: readonly ChatMessage[];
  readonly compactions?: readonly Compaction[];
  readonly used?: number;
  readonly budget?: Partial<Budget>;
  readonly calibration?: CalibrationState;
  readonly overflow?: number;
}

/** A conversation in which each message takes 100 tokens, in a budget of 1,000. */
function given({
  messages = CONVERSATION,
  compactions = [],
  used = messages.length * 100,
  budget = {},
  calibration = UNCALIBRATED,
  overflow = 0,
}: Given = {}): ShownConversation {
  const transcript = new Transcript();
  for (const [index, wire] of messages.entries()) transcript.append(parseMessage(wire, index));
  const replacements: RecordedReplacement[] = compactions.flatMap(({ id, replacements: list }) =>
    list.map((replacement) => ({ ...replacement, compaction: id, messages: replacement.by.messages })),
  );
  return {
    transcript,
    items: () => runAtOnce(deriveView(transcript.blocks, replacements)),
    budget: () => ({
      window: 1200,
      windowSource: 'profile',
      inputLimit: 1200,
      reserve: 200,
      limit: 1000,
      used: { tokens: used, source: 'counted' },
      ...budget,
    }),
    thresholds: () => DEFAULT_THRESHOLDS,
    compactions: () => compactions,
    pins: () => new Set([1]),
    usage: () => ({ calibration }),
    overflowTokens: () => overflow,
  };
}

function present(conversation: ShownConversation, change: Partial<PresentedConversation> = {}) {
  const open: PresentedConversation = {
    id: 'c',
    title: 'A bug',
    model: 'some-model',
    server: 'http://127.0.0.1:1234',
    conversation,
    count: () => 100,
    toolTokens: 50,
    mode: 'automatic',
    activity: { kind: 'idle' },
    queued: [],
    shown: 50,
    ...change,
  };
  return presentView({ revision: 7, open, notices: [] });
}

const gaugeOf = (conversation: ShownConversation, change?: Partial<PresentedConversation>) =>
  present(conversation, change).gauge ?? assert.fail('no gauge');

describe('the source of the figure', () => {
  const estimated = { used: { tokens: 500, source: 'estimated' } } as const;

  it('is said: measured, counted, or estimated with how far off it may be', () => {
    const measured = gaugeOf(given({ budget: { used: { tokens: 500, source: 'reported' } } }));
    assert.deepEqual([measured.usedSource, measured.errorPercent], ['measured', undefined]);
    assert.deepEqual([gaugeOf(given()).usedSource, gaugeOf(given()).errorPercent], ['counted', undefined]);
    assert.equal(gaugeOf(given({ budget: estimated })).errorPercent, 25);
  });

  it('is as exact as the reports of the server have shown, and never said to be exact', () => {
    const percent = (deviation: number) =>
      gaugeOf(given({ budget: estimated, calibration: { factor: 1.1, deviation, reports: 4 } })).errorPercent;
    assert.equal(percent(0.067), 7);
    assert.equal(percent(0), 1);
  });
});

describe('presentView', () => {
  it('shows nothing but notices before a conversation is open', () => {
    const notices = [{ id: 'n', severity: 'info', text: 'Hello', actions: [] }] as const;
    const state = presentView({ revision: 3, notices });
    assert.deepEqual(state, {
      revision: 3,
      messages: [],
      earlier: 0,
      summaries: [],
      activity: { kind: 'idle' },
      queued: [],
      notices,
    });
  });

  it('shows each message with its role, its tokens and whether it is pinned', () => {
    const { messages } = present(given());
    assert.deepEqual(
      messages.map(({ id, role }) => [id, role]),
      [
        [0, 'system'],
        [1, 'user'],
        [2, 'assistant'],
        [3, 'tool'],
        [4, 'assistant'],
        [5, 'user'],
      ],
    );
    assert.ok(messages.every((message) => message.tokens === 100));
    assert.deepEqual(
      messages.filter((message) => message.pinned).map((message) => message.id),
      [1],
    );
  });

  it('cuts long texts and says so, names the tool of a result, folds reasoning, marks an interrupted reply', () => {
    const [, , call, result, reply] = present(given()).messages;
    assert.deepEqual([result?.text.length, result?.truncated, result?.toolName], [4000, true, 'read_file']);
    assert.deepEqual([call?.reasoning, call?.truncated], ['I should look first.', false]);
    assert.deepEqual(call?.calls, [{ name: 'read_file', arguments: '{"path":"a.ts"}' }]);
    assert.deepEqual([reply?.interrupted, call?.interrupted], [true, false]);
  });

  it('shows the newest messages only, and how many stand before them', () => {
    const { messages, earlier } = present(given(), { shown: 2 });
    assert.deepEqual(
      messages.map((message) => message.id),
      [4, 5],
    );
    assert.equal(earlier, 4);
  });

  it('shows a note in the place of what it replaces, without its fence', () => {
    const { messages, summaries } = present(given({ compactions: [COMPACTION] }));
    assert.deepEqual(
      messages.map(({ id, role, state }) => [id, role, state]),
      [
        [0, 'system', 'whole'],
        [1, 'user', 'whole'],
        [2, 'note', 'replaced'],
        [4, 'assistant', 'whole'],
        [5, 'user', 'whole'],
      ],
    );
    assert.deepEqual([messages[2]?.text, messages[2]?.transcriptLength], [NOTE, 6]);
    assert.deepEqual([summaries[0]?.text, summaries[0]?.transcriptLength], [NOTE, 6]);
  });

  const shortened: Compaction = {
    ...COMPACTION,
    replacements: [
      {
        range: { from: 4, to: 4 },
        by: { kind: 'shortened', messages: [{ role: 'assistant', content: 'It…' }, fence('abc', NOTE)] },
      },
    ],
  };

  it('shows a note that stands behind shortened messages as a note, and each of both is found by its name', () => {
    const conversation = given({ compactions: [shortened] });
    const { messages } = present(conversation);
    assert.deepEqual(
      messages.slice(-3).map(({ id, role, state, text }) => [id, role, state, text]),
      [
        [4, 'assistant', 'shortened', 'It…'],
        [4, 'note', 'replaced', NOTE],
        [5, 'user', 'whole', 'Go on.'],
      ],
    );
    for (const { id, role, text } of messages.slice(-3))
      assert.equal(readWholeText(conversation.items(), { id, role }), text);
    assert.equal(readWholeText(conversation.items(), { id: 5, role: 'note' }), undefined);
  });

  it('names shortened messages by handles in a row', () => {
    assert.equal(present(given({ compactions: [shortened] })).summaries[0]?.text, 'Shortened in place: [t4]');
  });

  it('shows a note that was appended as a message as a note that knows what stood before it', () => {
    const { messages } = present(given({ messages: [...CONVERSATION, fence('older', NOTE)] }));
    const { id, role, state, text, transcriptLength } = messages.at(-1) ?? assert.fail('no message');
    assert.deepEqual([id, role, state, text, transcriptLength], [6, 'note', 'whole', NOTE, 6]);
  });

  it('tells of a compaction when, why and how it was made, what it saved and what it cost', () => {
    const [summary] = present(given({ compactions: [COMPACTION] })).summaries;
    assert.deepEqual(
      [summary?.at, summary?.trigger, summary?.strategy, summary?.rungs, summary?.before, summary?.after],
      ['2026-03-01T12:00:00.000Z', 'threshold reached', 'adaptive', ['mask', 'hand-over'], 12_400, 5900],
    );
    const receipt = summary?.receipt.join('\n') ?? '';
    for (const part of [
      'Saved 6,500 tokens of every request from now on.',
      '4 whole, 1 shortened, 7 replaced',
      'src/invented.ts',
      'cache: 3,100 tokens',
      'no model was asked',
    ]) {
      assert.ok(receipt.includes(part), `${part} in ${receipt}`);
    }
  });

  it('offers undo unless the conversation is read-only or Karl is at work, and then says why not', () => {
    const conversation = given({ compactions: [COMPACTION] });
    const undoOf = (change: Partial<PresentedConversation>) => present(conversation, change).summaries[0];
    assert.deepEqual([undoOf({})?.canUndo, undoOf({})?.undoHint], [true, undefined]);
    assert.equal(undoOf({ activity: { kind: 'model', label: 'x' } })?.canUndo, false);
    assert.match(undoOf({ readOnly: 'open elsewhere' })?.undoHint ?? '', /take it over/);
  });

  it('shows a reply in the making after the last message', () => {
    const streaming = { text: 'It is', reasoning: 'hm', calls: [{ name: 'read_file', arguments: '{' }], tokens: 9 };
    const last = present(given(), { streaming }).messages.at(-1);
    assert.deepEqual(
      [last?.id, last?.text, last?.reasoning, last?.streaming, last?.calls?.length, last?.tokens],
      [6, 'It is', 'hm', true, 1, 9],
    );
  });
});

describe('the gauge', () => {
  it('has parts that add up to the used tokens, whatever the server measured', () => {
    for (const used of [600, 640, 5000, 120, 3, 0]) {
      const { parts } = gaugeOf(given({ used, compactions: [COMPACTION] }));
      assert.equal(
        parts.reduce((sum, part) => sum + part.tokens, 0),
        used,
      );
      assert.ok(
        parts.every((part) => part.tokens >= 0),
        JSON.stringify(parts),
      );
    }
  });

  it('counts prompt, tools and notes apart from the messages', () => {
    const { parts } = gaugeOf(given({ used: 550, compactions: [COMPACTION] }));
    assert.deepEqual(Object.fromEntries(parts.map((part) => [part.label, part.tokens])), {
      prompt: 100,
      tools: 50,
      notes: 100,
      messages: 300,
    });
  });

  it('is calm, near, due and over', () => {
    const levels = [100, 679, 680, 799, 800, 1000, 1001].map((used) => gaugeOf(given({ used })).level);
    assert.deepEqual(levels, ['calm', 'calm', 'near', 'near', 'due', 'due', 'over']);
  });

  it('has its ticks at trigger and target and says what is free', () => {
    const { trigger, target, free, limit, reserve, window } = gaugeOf(given({ used: 600 }));
    assert.deepEqual([trigger, target, free, limit, reserve, window], [800, 500, 400, 1000, 200, 1200]);
  });

  it('says where its figures come from', () => {
    const gauge = gaugeOf(given({ budget: { windowSource: 'assumed', used: { tokens: 10, source: 'estimated' } } }));
    assert.deepEqual([gauge.usedSource, gauge.windowSource], ['estimated', 'unknown, assuming 8k']);
    assert.equal(gaugeOf(given({ budget: { used: { tokens: 10, source: 'reported' } } })).usedSource, 'measured');
  });

  it('says when the next compression comes, by mode', () => {
    const next = (used: number, mode: PresentedConversation['mode']) => gaugeOf(given({ used }), { mode }).next;
    assert.match(
      next(600, 'automatic'),
      /^Next compression at 800 tokens \(80 % of the budget\), 200 tokens from now\.$/,
    );
    assert.match(next(600, 'ask'), /after asking you/);
    assert.match(next(600, 'manual'), /only by command/);
    assert.match(next(900, 'automatic'), /compressed before the next request/);
    assert.match(next(900, 'ask'), /asks before/);
    assert.match(next(900, 'manual'), /run "Compress Conversation"/);
  });

  it('says when nothing can make the request fit', () => {
    const gauge = gaugeOf(given({ used: 3000, overflow: 1234 }));
    assert.equal(gauge.overflowTokens, 1234);
    assert.match(gauge.next, /1,234 tokens over the budget/);
  });
});
