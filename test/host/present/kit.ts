import { fence } from '../../../src/core/chat/fence.ts';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { BY_HAND } from '../../../src/core/compaction/byHand.ts';
import type { Compaction, Receipt } from '../../../src/core/compaction/compaction.ts';
import { viewAt } from '../../../src/core/conversation/compactedView.ts';
import { historyOf } from '../../../src/core/conversation/tokenHistory.ts';
import { type Budget, DEFAULT_THRESHOLDS } from '../../../src/core/model/budget.ts';
import { type CalibrationState, UNCALIBRATED } from '../../../src/core/model/calibration.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { Shown } from '../../../src/host/present/entries.ts';
import { type Presentation, type Presented, presentView } from '../../../src/host/present/presenter.ts';
import type { ShownConversation } from '../../../src/host/present/sent.ts';

const TOOL_TOKENS = 50;
const CALL = { id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } };
/** A prompt, a request, a call with its long result, a reply that broke off, a request. */
export const CONVERSATION: readonly ChatMessage[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Fix the bug.' },
  { role: 'assistant', content: '', reasoning_content: 'I should look first.', tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c1', content: 'x'.repeat(10_000) },
  { role: 'assistant', content: 'It is fix', karl_interrupted: true },
  { role: 'user', content: 'Go on.' },
];

export const RECEIPT: Receipt = {
  strategy: 'adaptive',
  aim: 'target',
  rungs: ['mask', 'hand-over'],
  tokensBefore: 12_400,
  tokensAfter: 5900,
  limitTokens: 15_000,
  messages: { whole: 4, shortened: 1, replaced: 7 },
  summarized: 8,
  summaryCharacters: 900,
  facts: [{ class: 'file-changed', kept: 3, behindHandle: 2 }],
  rejected: ['src/invented.ts'],
  unverified: 2,
  promise: 'facts-in-view',
  prefixKept: 0.25,
  modelCalls: 0,
  ms: 31.4,
};

export const NOTE = 'Read a.ts (t2-3).';
/** The call and its result in a note. */
export const COMPACTION: Compaction = {
  id: 'abc',
  at: Date.UTC(2026, 2, 1, 12),
  strategy: 'adaptive',
  trigger: 'threshold',
  transcriptLength: 6,
  replacements: [{ range: { from: 2, to: 3 }, by: { kind: 'note', messages: [fence('abc', NOTE)] } }],
  receipt: RECEIPT,
};

/** What a conversation is made of; the rest has usual values. */
export interface Given {
  readonly messages?: readonly ChatMessage[];
  readonly compactions?: readonly Compaction[];
  readonly used?: number;
  /** The same before what the server's reports taught. */
  readonly counted?: number;
  readonly budget?: Partial<Budget>;
  readonly calibration?: CalibrationState;
  readonly undone?: readonly string[];
  readonly pins?: readonly number[];
}

/** A conversation in which each message takes 100 tokens, in a budget of 1,000. */
export function given({
  messages = CONVERSATION,
  compactions = [],
  used = messages.length * 100,
  counted = used,
  budget = {},
  calibration = UNCALIBRATED,
  undone = [],
  pins = [1],
}: Given = {}): ShownConversation {
  const transcript = new Transcript();
  for (const [index, wire] of messages.entries()) transcript.append(parseMessage(wire, index));
  const history = compactions.map((compaction) => ({ compaction, undone: undone.includes(compaction.id) }));
  const inForce = history.flatMap((entry) => (entry.undone ? [] : [entry.compaction]));
  return {
    transcript,
    items: () => viewAt(transcript.messages, transcript.messages.length, inForce),
    budget: () => ({
      window: 1200,
      windowSource: 'profile',
      accepted: 0,
      inputLimit: 1200,
      reserve: 200,
      limit: 1000,
      used: { tokens: used, source: 'counted' },
      fixed: 0,
      unread: 0,
      ...budget,
    }),
    viewTokens: () => counted - TOOL_TOKENS,
    profile: () => resolveProfile('some-model').profile,
    tokensOf: () => ({ tokens: 100, source: 'counted' }),
    toolTokens: () => ({ tokens: TOOL_TOKENS, source: 'counted' }),
    settings: { thresholds: DEFAULT_THRESHOLDS, tools: [] },
    history: () => history,
    pins: () => new Set(pins),
    byHand: BY_HAND,
    usage: () => ({ calibration }),
    heldBack: () => undefined,
  };
}

const NO_HISTORY = historyOf([]);

/** Karl's own agent while nothing runs. */
const IDLE_AGENT: NonNullable<Presented['agent']> = {
  ...{ state: { kind: 'idle' }, queue: [], held: 0, isPaused: false, streaming: undefined, cached: undefined },
  cost: { turn: 0, all: 0, broken: 0 },
  question: { isOpen: false, isDeclined: false },
  work: { question: undefined, running: undefined, todos: undefined, restorable: new Set() },
};

/** What differs from a conversation of Karl's own while nothing runs. */
export type Change = Partial<Omit<Presented, 'conversation' | 'agent'> & Omit<Presentation, 'active'>> & {
  readonly agent?: Partial<typeof IDLE_AGENT>;
  readonly shown?: Shown;
};

/** The snapshot of a conversation. */
export function present(conversation: ShownConversation, { agent, shown = { rows: 50 }, ...change }: Change = {}) {
  const active: Presented = {
    ...{ id: 'c', title: 'A bug', resolved: { profile: conversation.profile(), matches: [] }, profiles: [] },
    ...{ readOnly: undefined, isAtWork: false, compressing: undefined, other: undefined, preview: undefined },
    ...{ shows: 'history', showsContents: false, history: NO_HISTORY, conversation },
    ...change,
    agent: change.other === undefined ? { ...IDLE_AGENT, ...agent } : undefined,
  };
  const input = { revision: 7, mode: 'automatic', attachments: [], waiting: [], notices: [], ...change } as const;
  return presentView({ ...input, active }, shown);
}
