import type { ViewState } from '../../../src/protocol/viewState.ts';
import { CONTENTS } from './contentsSample.ts';
import { message, preview, requestView, view, workingView } from './sample.ts';

const notice = (id: string, severity: 'info' | 'warning' | 'error') => ({
  id,
  severity,
  text: `A notice of some length: ${severity}. `.repeat(12),
  actions: [{ id: '0', label: 'Retry' }],
  canDismiss: true,
});

const { conversation: _none, gauge: _noGauge, ...empty } = view();

/** What the view can show. */
export const STATES: Readonly<Record<string, ViewState>> = {
  'nothing open': empty,
  'no messages': view(),
  'in the middle of work': workingView(),
  'an error, a warning and a question': view({
    entries: [message({ id: 0, role: 'user' })],
    notices: [notice('a', 'error'), notice('b', 'warning'), notice('c', 'info')],
  }),
  'between two attempts, with a queue': view({
    entries: [message({ id: 0, role: 'user' })],
    activity: { kind: 'retrying', label: 'Rate limit reached.', remainingMs: 41_000, attempt: 2, attempts: 4 },
    queued: ['Then add a test.'],
  }),
  'stopped, with a queue': view({ entries: [message({ id: 0, role: 'user' })], queued: ['Then add a test.'] }),
  'what fills the window': view({ shows: 'contents', contents: CONTENTS }),
  'a preview': view({ preview }),
  'a preview that cannot be applied': view({
    preview: {
      ...preview,
      asked: true,
      problem: 'The compression would have saved less than a tenth of what it may change.',
    },
  }),
  'files and an image attached': view({
    entries: [
      message({ id: 0, role: 'user', attached: [{ kind: 'file', label: 'src/a.ts:3-9', path: 'src/a.ts', line: 3 }] }),
    ],
    attachments: [
      { kind: 'file', label: 'src/a.ts', path: 'src/a.ts', line: 1, tokens: 412 },
      { kind: 'image', label: 'Image, 12 kB', tokens: 85 },
    ],
  }),
  'far back in a long conversation': {
    ...workingView(),
    earlier: 1200,
    later: 8700,
    compressions: [],
    activity: { kind: 'idle' },
    queued: [],
  },
  'what the model sees': requestView(),
  'a turn that broke off': view({
    entries: [
      message({ id: 0, role: 'user' }),
      message({ id: 1, role: 'assistant', interrupted: true, text: 'Half of an answer' }),
    ],
    unfinished: 'The reply was interrupted.',
  }),
  'an edited summary in a preview, with instructions': view({
    preview: {
      ...preview,
      instructions: 'keep the SQL of the migration and the names of its tables',
      ...(preview.plan !== undefined && {
        plan: { ...preview.plan, summaries: preview.plan.summaries.map((one) => ({ ...one, edited: true })) },
      }),
    },
  }),
  'a conversation of another agent': view({
    entries: [message({ id: 0, role: 'user' })],
    conversation: { id: 'one', title: 't', model: 'm', otherAgent: 'A conversation of another agent: read it here.' },
  }),
  'held by another window': view({
    conversation: { id: 'one', title: 't', model: 'm', readOnly: 'Open in another window.' },
  }),
};
