import type {
  CallEntry,
  CompressionEntry,
  CompressionState,
  EntryState,
  MessageEntry,
  SummaryEntry,
} from '../../../src/protocol/entries.ts';
import type { Fate, ListGroup, ListRow } from '../../../src/protocol/list.ts';
import type { PreviewPlan, PreviewState } from '../../../src/protocol/preview.ts';
import type { GaugeState, NoticeState, ViewState } from '../../../src/protocol/viewState.ts';

/** A note as Karl writes it. */
export const NOTE = `## Request
- Fix the login test that fails every few runs [t1]; the time-out is **not** to be raised [t3, t9].

## State
- \`src/session/cookie.ts\` writes the expiry in UTC [t12-31]
  not yet run in CI *(unverified)*
- \`npm test\` exit 1, then 0 twice, then 1 again [t33]`;

/** A message with the usual values; a test states what it is about. */
export function message({
  id,
  ...fields
}: Partial<MessageEntry> & Pick<MessageEntry, 'role'> & { readonly id: number }): MessageEntry {
  const text = fields.text ?? `text of message ${id}`;
  return {
    kind: 'message',
    key: `m${id}`,
    from: id,
    to: id,
    text,
    truncated: false,
    tokens: Math.ceil(text.length / 4) + 4,
    sent: 'whole',
    pinned: false,
    streaming: false,
    interrupted: false,
    ...fields,
  };
}

/** A call of `read_file` with its result, in the two messages from `call` on. */
export function call({
  call: from,
  result: to = from + 1,
  ...fields
}: Partial<CallEntry> & { readonly call: number; readonly result?: number }): CallEntry {
  return {
    kind: 'call',
    key: `c${from}.0`,
    from,
    to,
    name: 'read_file',
    action: 'read',
    target: 'src/session/refresh.ts:1-40',
    file: { path: 'src/session/refresh.ts', line: 1 },
    outcome: 'done',
    detail: '40 lines',
    tokens: 412,
    sent: 'whole',
    pinned: false,
    ...fields,
  };
}

/** A summary in place of messages. */
export function note(text: string, fields: Partial<SummaryEntry> = {}): SummaryEntry {
  const from = fields.from ?? 1;
  return {
    kind: 'summary',
    key: `sc2:${from}`,
    from,
    to: 40,
    text,
    truncated: false,
    transcriptLength: 60,
    tokens: 930,
    ...fields,
  };
}

/** A notice that can be dismissed, with the buttons that are named. */
export function notice(severity: NoticeState['severity'], text: string, ...labels: readonly string[]): NoticeState {
  const actions = labels.map((label) => ({ id: label, label }));
  return { id: text.slice(0, 20), severity, text, actions, canDismiss: true };
}

/** A 16k model over its trigger: every figure is different, so that none can stand in for another. */
export const gauge: GaugeState = {
  used: 12_408,
  usedSource: 'exact count',
  window: 16_384,
  windowSource: 'from the model profile',
  reserve: 2048,
  limit: 14_336,
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
export const compression: CompressionState = {
  id: 'c2',
  at: '2026-03-04T14:32:07.000Z',
  trigger: 'threshold reached',
  strategy: 'adaptive',
  before: 11_904,
  after: 6870,
  limit: 14_336,
  kept: '9 messages kept, 6 shortened, 26 summarized. Rules, to-dos, changed files and the latest error are kept word for word.',
  receipt: ['Saved 5,034 tokens of every request from now on.', 'Cost: 42 ms, no model was asked.'],
  hasSummary: true,
  transcriptLength: 41,
  undone: false,
  takesAlong: 0,
};

/** One that another agent made itself, and of which a part was restored. */
export const agentsOwn: CompressionState = {
  ...compression,
  strategy: 'agent',
  trigger: 'by the agent itself',
  model: undefined,
  limit: undefined,
  before: 152_300,
  after: 9_800,
  kept: 'Claude Code discarded 412 messages. Its summary lacks 5 of the rules, to-dos, changed files and errors.',
  receipt: ['The agent did this itself, before its session was opened here.'],
  agent: {
    name: 'Claude Code',
    restored: 3,
    more: 0,
    unsaid: [
      {
        label: 'Rules',
        facts: [
          {
            text: 'Never touch the files in migrations, they are deployed and the next release depends on them.',
            at: 0,
            isSent: true,
          },
          { text: 'Amounts are whole cents.', at: 12, isSent: false },
        ],
      },
      {
        label: 'Changed files',
        facts: [{ text: '/work/shop/src/invoices/rounding/halfToEven.ts', at: 31, isSent: false }],
      },
      {
        label: 'Errors',
        facts: [
          { text: "TypeError: Cannot read properties of undefined (reading 'total')", at: 35, isSent: false },
          { text: 'AssertionError [ERR_ASSERTION]: 1 != 2', at: 38, isSent: false },
        ],
      },
    ],
  },
};

/** The row of a compression. */
export function compressed(run: CompressionState): CompressionEntry {
  const from = run.transcriptLength - 1;
  return { kind: 'compression', key: `d${run.id}`, from, to: from, run };
}

const row = (from: number, to: number, label: string, tokens: number, fields: Partial<ListRow> = {}): ListRow => ({
  ...{ key: String(from), at: { from, to }, label, tokens, note: '', box: { kept: false } },
  ...fields,
});
const group = (kind: Fate, label: string, tokens: number, note: string, rows: readonly ListRow[]): ListGroup<Fate> => ({
  ...{ kind, label, tokens, note, rows },
  more: kind === 'kept' ? 4 : 0,
  open: kind === 'aside',
});

/** A preview of a compression with rows of every fate. */
export const preview: PreviewState & { readonly plan: PreviewPlan } = {
  strategy: 'adaptive',
  strategies: ['adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'],
  instructions: '',
  busy: false,
  asked: false,
  plan: {
    before: 13_824,
    after: 7402,
    limit: 14_336,
    summaries: [
      {
        from: 2,
        to: 31,
        head: '[t2-31] 30 messages; not quoted: 3 read_file; 1 text',
        text: NOTE,
        state:
          "## State when this was written, after t31\nThe agent's own to-do list, as it last wrote it:\n- [t30] [ ] run in CI",
        edited: false,
      },
    ],
    groups: [
      group('summarized', 'Summarized', 7100, '30 messages', [
        row(2, 2, 'Assistant: I look at the cookie first.', 40),
        row(3, 4, 'read_file src/session/cookie.ts', 2840, { path: 'src/session/cookie.ts' }),
        row(5, 31, 'Summary of t5-31', 930, {
          box: { kept: false, fixed: 'The compression decides what becomes of earlier summaries.' },
        }),
      ]),
      group('shortened', 'Shortened', 3120, '2 messages', [
        row(32, 33, 'run_command npm test -- login', 3120, { after: 410 }),
      ]),
      group('kept', 'Kept', 2210, '9 messages', [
        row(0, 0, 'System prompt', 1204, {
          note: 'system prompt',
          box: { kept: true, fixed: 'Instructions always stay whole.' },
        }),
        row(1, 1, 'You: The login test is flaky.', 114, { box: { kept: true } }),
        row(34, 34, 'You: And now?', 8, {
          note: 'current request',
          box: { kept: true, fixed: 'Your current request always stays whole.' },
        }),
      ]),
    ],
    remarks: ['Removed 1 claim not found in the conversation: “The cookie is signed with RSA.”.'],
    transcriptLength: 35,
  },
};

/** The same with a kept row that the user has set aside. */
export const asidePreview: PreviewState = {
  ...preview,
  plan: {
    ...preview.plan,
    after: preview.plan.after - 60,
    groups: preview.plan.groups.flatMap((all) => {
      const [aside] = all.rows.filter(({ key }) => key === '1');
      if (aside === undefined) return [all];
      const rows = all.rows.filter((one) => one !== aside);
      return [
        group('aside', 'Set aside by you', aside.tokens, '1 message', [{ ...aside, box: { kept: false } }]),
        { ...all, tokens: all.tokens - aside.tokens, note: '8 messages', rows },
      ];
    }),
  },
};

/** A snapshot with a conversation and nothing in it, except for what the test states. */
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
    shows: 'history',
    entries: [],
    earlier: 0,
    later: 0,
    compressions: [],
    activity: { kind: 'idle' },
    attachments: [],
    queued: [],
    notices: [],
    ...fields,
  };
}

const ENTRIES: readonly EntryState[] = [
  message({ id: 0, role: 'system', text: 'You are a careful engineer.\nWork in the workspace only.', tokens: 1204 }),
  message({ id: 1, role: 'user', text: 'The login test is flaky. Find out why.', tokens: 14 }),
  message({ id: 2, role: 'assistant', sent: 'summarized', text: 'I look at the cookie first.', tokens: 40 }),
  call({ call: 3, sent: 'summarized', target: 'src/session/cookie.ts', detail: '212 lines', tokens: 2840 }),
  call({
    ...{ call: 5, name: 'run_command', action: 'run', target: 'npm test -- login' },
    ...{ outcome: 'failed', detail: 'exit 1', sent: 'dropped', tokens: 1460 },
  }),
  compressed(compression),
  message({ id: 41, role: 'user', pinned: true, text: 'It still fails in CI. Do not raise the time-out.', tokens: 18 }),
  message({
    id: 42,
    role: 'assistant',
    tokens: 212,
    reasoning: 'The failure is only in CI, so the clock or the time zone of the container is a likely difference.',
    text: 'I will look at how the expiry is compared, see [t3].',
  }),
  call({ call: 42, result: 43, sent: 'shortened' }),
  call({
    ...{ call: 42, key: 'c42.1', result: 44, name: 'search_text', action: 'search' },
    ...{ target: 'expiresAt <', detail: '2 lines', tokens: 96 },
  }),
  message({
    id: 45,
    role: 'assistant',
    tokens: 348,
    streaming: true,
    text: 'Found it: `refresh.ts` compares **seconds** with **milliseconds**.\n\n```ts\n// before: expiresAt is in milliseconds\nif (session.expiresAt < Date.now() / 1000) {\n```\n\n1. `expiresAt` comes from the cookie in milliseconds\n2. the comparison divides the clock by 1000\n\n| run | clock | result |\n| --- | --- | --- |\n| local | UTC+2 | passes |\n| CI | UTC | fails |\n\nI change the comparison and run',
  }),
];

/** A conversation as it looks in the middle of work. */
export function workingView(): ViewState {
  return view({
    earlier: 38,
    compressions: [41],
    entries: ENTRIES,
    activity: { kind: 'model', label: 'qwen3-coder-30b answers' },
    queued: ['Then add a test for the time zone.'],
  });
}

/** The same conversation as the model sees it. */
export function requestView(): ViewState {
  const shown = ENTRIES.filter((entry) => entry.kind !== 'compression' && !('sent' in entry && entry.sent !== 'whole'));
  const [prompt, first, ...rest] = shown;
  const entries = [prompt, first, note(NOTE, { from: 2, transcriptLength: 41 }), ...rest];
  return { ...workingView(), shows: 'request', earlier: 0, entries: entries.filter((entry) => entry !== undefined) };
}
