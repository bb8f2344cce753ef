import fs from 'node:fs';
import path from 'node:path';
import type { PreviewState } from '../../../src/protocol/preview.ts';
import type { NoticeState, ViewState } from '../../../src/protocol/viewState.ts';
import { root } from '../setup/root.ts';
import { CONTENTS } from './contentsSample.ts';
import type { OpenOptions, WebviewPage } from './page.ts';
import {
  agentsOwn,
  asidePreview,
  call,
  compressed,
  compression,
  gauge,
  message,
  NOTE,
  notice,
  preview,
  requestView,
  view,
  workingView,
} from './sample.ts';

/** A state of the view, and the actions that show all of it. */
export interface Look {
  readonly state: ViewState;
  /** The saved state of the page, and its language. */
  readonly options?: Pick<OpenOptions, 'saved' | 'spoken'>;
  /** It is a tab among the editors; otherwise it is in a side bar. */
  readonly isTab?: true;
  readonly act?: (web: WebviewPage) => Promise<void>;
}

const { plan } = preview;
const asked = message({ id: 0, role: 'user', text: 'What is left to do?' });
const answered = message({ id: 1, role: 'assistant', text: 'Understood.' });

/** A conversation that another window or agent leads. */
const held = (fields: Partial<NonNullable<ViewState['conversation']>>): ViewState =>
  view({ entries: [asked, answered], conversation: { id: 'one', title: 'Invoices', model: 'm', ...fields } });
/** A preview with these fields. */
const previewed = (fields: Partial<PreviewState>): Look => ({ state: view({ preview: { ...preview, ...fields } }) });
const longNotice = (severity: NoticeState['severity']) =>
  notice(severity, `A notice of some length: ${severity}. `.repeat(12), 'Retry');

/** A turn that failed. */
const failed = (text: string, ...buttons: readonly string[]): Look => ({
  state: view({ entries: [asked], notices: [notice('error', text, ...buttons, 'Retry')] }),
});

const longAgo = [
  message({ id: 0, role: 'user', sent: 'summarized' }),
  compressed(compression),
  message({ id: 41, role: 'user', text: 'And now?' }),
];
const { conversation: _none, gauge: _noGauge, ...empty } = view();
const bundle = path.join(root, 'l10n/bundle.l10n.de.json');
const attachments: ViewState['attachments'] = [
  { kind: 'file', label: 'src/a.ts', path: 'src/a.ts', line: 1, tokens: 412 },
  { kind: 'image', label: 'Image, 12 kB', tokens: 85 },
];
const attached = { kind: 'file', label: 'src/a.ts:3-9', path: 'src/a.ts', line: 3 } as const;

const todos: ViewState['todos'] = [
  { text: 'Find the fault', state: 'done' },
  {
    text: 'Mend price and total, and look whether any other place in the program makes the same mistake',
    state: 'active',
  },
  { text: 'See the tests pass', state: 'open' },
  { text: 'Write it anew', state: 'dropped' },
];

const press = (web: WebviewPage, name: string | RegExp) => web.page.getByRole('button', { name }).first().click();

/** Everything around the conversation at once. */
const crowded: ViewState = {
  ...workingView(),
  queued: Array.from({ length: 12 }, (_, index) => `Message ${index} of the queue`),
  notices: [longNotice('error'), longNotice('warning'), longNotice('info')],
};
const edited = (id: number, draft: string) => ({ conversation: 'one', draft, editing: { id, draft: '' } });

const QUESTION = '97% of the budget is used. Compress before continuing?';

/** The states that the view can show. */
export const LOOKS: Readonly<Record<string, Look>> = {
  'everything at once': {
    state: { ...crowded, attachments },
    options: { saved: { texts: [edited(41, 'a line of the message\n'.repeat(60))] } },
  },
  'everything at once, held by another window': {
    state: { ...crowded, conversation: { id: 'one', title: 'Invoices', model: 'm', readOnly: 'Open elsewhere.' } },
    options: { saved: { texts: [{ conversation: 'one', draft: 'Short.' }] } },
  },
  'nothing open': { state: empty },
  'no messages': { state: view() },
  'in the middle of work': { state: workingView() },
  'a question about a command': {
    state: view({
      entries: [
        asked,
        call({
          call: 1,
          name: 'run_command',
          action: 'run',
          target: 'npm test',
          outcome: 'running',
          detail: 'running',
        }),
      ],
      activity: { kind: 'waiting', label: 'Waiting for your answer' },
      todos,
      question: {
        id: 'q',
        kind: 'command',
        tool: 'run_command',
        command: 'npm test -- --grep "bills are rounded" && git diff --stat\n'.repeat(6),
        folder: '/home/me/projects/shipping-rates',
        always: ['exactly the command npm test', 'commands that begin with npm test'],
      },
    }),
  },
  'a question about an edit': {
    state: view({
      entries: [asked],
      activity: { kind: 'waiting', label: 'Waiting for your answer' },
      question: {
        id: 'q',
        kind: 'edit',
        tool: 'edit_file',
        path: 'src/a/long/path/to/what/is/changed/and/longer/still/priceOfShipping.ts',
        isNew: false,
        added: 12,
        removed: 3,
        always: ['all edits in this workspace'],
      },
    }),
  },
  'edits and commands': {
    state: view({
      entries: [
        message({ id: 0, role: 'user', text: 'Mend it.', restorable: true }),
        call({
          call: 1,
          result: 2,
          name: 'edit_file',
          action: 'change',
          target: 'src/a.ts',
          detail: '+12 −3',
          changed: { added: 12, removed: 3 },
        }),
        call({
          call: 3,
          result: 4,
          name: 'run_command',
          action: 'run',
          target: 'npm test',
          outcome: 'failed',
          detail: 'exit 1 · 3.2 s',
        }),
        call({
          call: 5,
          name: 'run_command',
          action: 'run',
          target: 'npm test',
          outcome: 'running',
          detail: 'running',
          printed: [
            '  ✔ one',
            '  ✔ two',
            '  a line that is so long that it does not fit into the view at all, whatever its width is',
          ],
        }),
      ],
      activity: { kind: 'tool', label: 'Running run_command' },
      todos,
    }),
    act: async (web) => {
      await web.page.locator('.todos summary').click();
    },
  },
  'in German': {
    state: workingView(),
    options: { spoken: { language: 'de', sentences: JSON.parse(fs.readFileSync(bundle, 'utf8')) } },
  },
  'an unknown window': {
    state: view({
      entries: [asked],
      gauge: {
        ...gauge,
        accepted: 12_408,
        window: 12_408,
        reserve: 0,
        limit: 12_408,
        level: 'calm',
        windowSource: 'window unknown: at least 12,408 accepted',
        next: 'Karl compresses when the server refuses a request, or on command.',
      },
    }),
  },
  'a request over the limit': {
    state: view({ entries: [asked], gauge: { ...gauge, used: 17_020, level: 'over', overflowTokens: 2684 } }),
  },
  'a question before a compression': {
    state: view({
      entries: [asked],
      activity: { kind: 'waiting', label: 'Waiting for your answer' },
      notices: [
        { ...notice('info', QUESTION, 'Compress', 'Preview', 'Not Now', 'Other Strategy…'), canDismiss: false },
      ],
    }),
  },
  'between two attempts, with a queue': {
    state: view({
      entries: [asked],
      activity: { kind: 'retrying', label: 'Rate limit reached.', countdown: 'Retrying in 41 s (2 of 4)' },
      queued: ['Then add a test.'],
    }),
  },
  'a rejected key': failed(
    'The server rejected the API key (401): Incorrect API key provided. Enter the key again, or select another server (karl.baseUrl).',
    'Set API Key…',
    'Select Server…',
  ),
  'a compression that another agent made itself, with what its summary lacks': {
    state: view({
      compressions: [41],
      entries: longAgo.map((entry) => (entry.kind === 'compression' ? compressed(agentsOwn) : entry)),
    }),
    act: async (web) => {
      await press(web, /^What it lacks/);
    },
  },
  'a compression, with its summary and details': {
    state: view({
      compressions: [41],
      entries: longAgo.map((entry) =>
        entry.kind === 'compression'
          ? compressed({ ...compression, receipt: [...compression.receipt, 'You asked: “keep the rounding rule”.'] })
          : entry,
      ),
    }),
    act: async (web) => {
      await press(web, /^Summary: /);
      await web.post({ type: 'expanded', key: 'sc2', texts: [NOTE] });
      await press(web, /^Details: /);
    },
  },
  'a turn with many compressions': {
    state: view({
      compressions: [41],
      entries: [
        asked,
        ...Array.from({ length: 12 }, (_, index) => [
          call({ call: 2 * index + 1 }),
          compressed({ ...compression, id: `c${index}`, transcriptLength: 2 * index + 3, undone: index % 5 === 3 }),
        ]).flat(),
        compressed({ ...compression, id: 'hand', isManual: true, strategy: 'manual', trigger: 'dropped by you' }),
      ],
    }),
  },
  'what fills a window that the user has set, with its files and a request of its history': {
    state: view({
      contents: CONTENTS,
      gauge: { ...gauge, window: 32_768, limit: 30_720, windowSource: 'from the settings', level: 'calm' },
    }),
    act: async ({ page }) => {
      await page.locator('karl-contents .group summary').first().click();
      // What is pointed at has its buttons over the next row.
      await page.mouse.move(0, 0);
      await page.locator('karl-contents summary').last().click();
    },
  },
  'a preview with a row set aside': {
    state: view({ preview: asidePreview }),
    act: ({ page }) => page.locator('karl-preview summary', { hasText: 'Shortened' }).click(),
  },
  'a preview whose summary was refused': previewed({
    strategy: 'karl',
    problem: 'The account has no credit or quota left. Add credit, or select another model (karl.model).',
    cures: ['Select Model…', 'Select Server…'],
  }),
  'an edited summary in a preview, with instructions': previewed({
    instructions: 'keep the SQL of the migration and the names of its tables',
    plan: { ...plan, summaries: plan.summaries.map((one) => ({ ...one, edited: true })) },
  }),
  'code in a reply': {
    state: view({
      entries: [
        { ...asked, attached: [attached] },
        { ...answered, text: 'Understood. See `AGENTS.md:3`.\n\n```ts\nconst answer = 42; // as asked\n```' },
      ],
    }),
    act: ({ page }) => page.locator('.hljs-keyword').first().waitFor(),
  },
  'the files that are offered, in a tab': {
    state: view({ entries: [asked, answered], attachments }),
    isTab: true,
    act: async (web) => {
      await web.input.pressSequentially('And @app');
      const paths = ['src/app.ts', 'src/apply.ts', 'src/deep/down/app.ts'];
      await web.post({ type: 'completions', text: 'app', paths });
      await web.page.getByRole('option').nth(1).waitFor();
    },
  },
  'a message that is edited': {
    state: view({ entries: [asked, answered] }),
    options: {
      saved: { texts: [edited(0, 'First words')] },
    },
  },
  'a text that is looked for': {
    state: workingView(),
    act: async (web) => {
      await web.keys('Control+f', ...'login');
      await web.post({ type: 'found', text: 'login', rows: [1, 45].map((id) => ({ key: `m${id}`, id })) });
    },
  },
  'far back in a long conversation': {
    state: { ...workingView(), earlier: 1200, later: 8700, compressions: [], activity: { kind: 'idle' }, queued: [] },
  },
  'what the model sees': { state: requestView() },
  'a turn that broke off, with a queue': {
    state: view({
      entries: [asked, message({ id: 1, role: 'assistant', interrupted: true, text: 'Half of an answer' })],
      unfinished: 'The reply was interrupted.',
      queued: ['And one more'],
      held: 1,
    }),
  },
  'taken over by another window while a message was written': {
    state: held({
      readOnly:
        'Another window has taken over this conversation. Messages that this window has not written yet exist only here.',
    }),
    options: { saved: { texts: [{ conversation: 'one', draft: 'Not lost.' }] } },
  },
};
