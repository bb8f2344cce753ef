import type { GaugeState, MessageState, SummaryState, ViewState } from '../../../src/protocol/viewState.ts';

/** A note as Karl writes it. */
export const NOTE = `## Request
- Fix the login test that fails every few runs [t1]; the time-out is **not** to be raised [t3, t9].

## State
- \`src/session/cookie.ts\` writes the expiry in UTC [t12-31]
  not yet run in CI *(unverified)*
- \`npm test\` exit 1, then 0 twice, then 1 again [t33]`;

/** A message with the usual values; a test states what it is about. */
export function message(fields: Partial<MessageState> & Pick<MessageState, 'id' | 'role'>): MessageState {
  const text = fields.text ?? `text of message ${fields.id}`;
  return {
    text,
    truncated: false,
    tokens: Math.ceil(text.length / 4) + 4,
    state: 'whole',
    pinned: false,
    streaming: false,
    interrupted: false,
    ...fields,
  };
}

/** A 16k model over its trigger: every figure is different, so that none can stand in for another. */
export const gauge: GaugeState = {
  used: 12_408,
  usedSource: 'counted',
  window: 16_384,
  windowSource: 'profile',
  reserve: 2048,
  limit: 14_336,
  free: 1928,
  trigger: 11_469,
  target: 7168,
  level: 'due',
  parts: [
    { label: 'prompt', tokens: 1204 },
    { label: 'tools', tokens: 846 },
    { label: 'messages', tokens: 9428 },
    { label: 'notes', tokens: 930 },
  ],
  cached: 8192,
  overflowTokens: 0,
  next: 'Over the trigger: the next request is compressed first.',
};

/** One compression as the adaptive strategy leaves it. */
export const summary: SummaryState = {
  id: 'c2',
  at: '2026-03-04T14:32:07.000Z',
  trigger: 'threshold',
  strategy: 'adaptive',
  rungs: ['dedupe', 'mask', 'trace'],
  before: 11_904,
  after: 6870,
  limit: 14_336,
  ms: 42,
  modelCalls: 0,
  text: '## Changed\n- src/session/cookie.ts: expiry in UTC [t12]\n\n## Open\n- the refresh token is read twice [t20-22]',
  transcriptLength: 41,
  receipt: [
    'Kept 9 messages of yours whole, 4 constraints and 3 decisions.',
    'Shortened 6 tool results behind handles t12 to t31.',
  ],
  canUndo: true,
};

/** A snapshot with a conversation and nothing in it, changed by what the test states. */
export function view(fields: Partial<ViewState> = {}): ViewState {
  return {
    revision: 1,
    conversation: {
      id: 'one',
      title: 'Fix the flaky login test',
      model: 'qwen3-coder-30b',
      server: 'http://127.0.0.1:1234',
    },
    gauge,
    messages: [],
    earlier: 0,
    summaries: [],
    activity: { kind: 'idle' },
    queued: [],
    notices: [],
    ...fields,
  };
}

/** A conversation as it looks in the middle of work. */
export function workingView(): ViewState {
  return view({
    earlier: 38,
    summaries: [
      summary,
      {
        ...summary,
        id: 'c1',
        at: '2026-03-04T13:05:41.000Z',
        trigger: 'command',
        strategy: 'karl',
        rungs: [],
        before: 12_110,
        after: 5230,
        ms: 3120,
        model: 'qwen3-coder-30b',
        modelCalls: 1,
        canUndo: false,
        undoHint: 'Undo the newer compression first.',
      },
    ],
    messages: [
      message({
        id: 0,
        role: 'system',
        text: 'You are a careful software engineer.\nWork in the workspace only.',
        tokens: 1204,
      }),
      message({
        id: 1,
        role: 'note',
        state: 'replaced',
        tokens: 930,
        transcriptLength: 41,
        text: NOTE,
      }),
      message({
        id: 41,
        role: 'user',
        pinned: true,
        text: 'It still fails in CI. Find out why, but do not raise the time-out.',
        tokens: 18,
      }),
      message({
        id: 42,
        role: 'assistant',
        tokens: 212,
        reasoning: 'The failure is only in CI, so the clock or the time zone of the container is a likely difference.',
        text: 'I will look at how the expiry is compared.',
        calls: [
          { name: 'read_file', arguments: '{"path":"src/session/refresh.ts"}' },
          { name: 'search_text', arguments: '{"query":"expiresAt <","glob":"src/**/*.ts"}' },
        ],
      }),
      message({
        id: 43,
        role: 'tool',
        toolName: 'read_file',
        state: 'shortened',
        tokens: 412,
        text: 'export async function refresh(session: Session) {\n  if (session.expiresAt < Date.now() / 1000) {\n    await renew(session);\n  }\n}\n[t43 · 212 more lines]',
      }),
      message({
        id: 44,
        role: 'tool',
        toolName: 'search_text',
        tokens: 96,
        text: 'src/session/refresh.ts:2\nsrc/session/cookie.ts:18',
      }),
      message({
        id: 45,
        role: 'assistant',
        tokens: 348,
        streaming: true,
        text: 'Found it: `refresh.ts` compares **seconds** with **milliseconds**.\n\n```ts\n// before: expiresAt is in milliseconds\nif (session.expiresAt < Date.now() / 1000) {\n```\n\n1. `expiresAt` comes from the cookie in milliseconds\n2. the comparison divides the clock by 1000\n\n| run | clock | result |\n| --- | --- | --- |\n| local | UTC+2 | passes |\n| CI | UTC | fails |\n\nI change the comparison and run',
      }),
    ],
    activity: { kind: 'model', label: 'qwen3-coder-30b answers' },
    queued: ['Then add a test for the time zone.'],
  });
}
