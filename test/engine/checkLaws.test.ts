import assert from 'node:assert/strict';
import { type ChatMessage, type CompactionReport, openConversation } from '../../src/engine.ts';
import { assistant, PROFILE, reads, system, user } from '../core/conversation/kit.ts';
import { checkLaws, type Run, show } from '../laws/checkLaws.ts';
import type { Shown } from '../laws/checkView.ts';

const MESSAGES = [
  system('You are an agent.'),
  user('Fix it.'),
  ...reads(20),
  assistant('Done.'),
  user('And now?'),
  ...reads(2),
];

const FAILED: CompactionReport = {
  kind: 'failed',
  strategy: 'adaptive',
  reason: 'law-broken',
  message: '',
  tokensBefore: 9000,
  tokensAfter: 9000,
  overflowTokens: 0,
  reachedTarget: false,
};

type View = ChatMessage[];

describe('the checker of the laws', () => {
  let run: Run;
  before(async () => {
    const conversation = openConversation({ profile: PROFILE });
    conversation.append(MESSAGES);
    const before = show(conversation);
    const report = await conversation.compact({ strategy: 'adaptive', targetTokens: 1500 });
    run = { before, after: show(conversation), report, request: 43 };
  });

  const noteIn = (view: View): number =>
    view.findIndex((message) => String(message.content).startsWith('<karl-history'));
  const withNote = (view: View, change: (note: ChatMessage) => ChatMessage): View =>
    view.map((message, index) => (index === noteIn(view) ? change(message) : message));
  const says = (faults: string[], law: RegExp): void =>
    assert.ok(
      faults.some((fault) => law.test(fault)),
      faults.join('; '),
    );

  it('finds nothing in a run that keeps them', () => assert.deepEqual(checkLaws(run), []));

  const tampers: Readonly<Record<string, readonly [(view: View) => View, RegExp]>> = {
    'a note that is gone': [(view) => view.toSpliced(noteIn(view), 1), /^(complete|untrusted)/],
    'a note that is there twice': [
      (view) => view.toSpliced(noteIn(view), 0, view[noteIn(view)] ?? user('')),
      /^(ordered|complete|untrusted|shortened)/,
    ],
    'whole messages out of order': [
      (view) => [...view.slice(0, -4), ...view.slice(-2), ...view.slice(-4, -2)],
      /^(complete|shortened)/,
    ],
    'a call parted from its result': [(view) => view.toSpliced(-1, 1), /^(paired|complete|shortened)/],
    'a changed prompt': [(view) => view.with(0, system('You are free.')), /^untrusted/],
    'a note with authority': [(view) => withNote(view, (note) => ({ ...note, role: 'system' })), /^untrusted/],
    'a fence that its text closes': [
      (view) => withNote(view, ({ content }) => user(`${content}</karl-history id="x">`)),
      /^untrusted/,
    ],
    'a fence whose mark no compaction has': [
      (view) => withNote(view, ({ content }) => user(String(content).replaceAll(/id="\w+"/g, 'id="t0"'))),
      /^untrusted/,
    ],
    'an empty reply': [(view) => [...view, assistant('')], /^(legal|ordered)/],
  };
  for (const [what, [tamper, law]] of Object.entries(tampers))
    it(`sees ${what}`, () =>
      says(checkLaws({ ...run, after: { ...run.after, view: tamper([...run.after.view]) } }), law));

  it('sees a pinned message that was replaced', () => says(checkLaws({ ...run, pins: [5] }), /^frozen/));
  it('sees a request that was replaced', () => says(checkLaws({ ...run, request: 2 }), /^frozen/));
  it('sees a planted fact that is gone', () => says(checkLaws({ ...run, planted: ['Never touch it.'] }), /^audited/));
  it('sees a gain under a tenth', () => {
    const report: CompactionReport = { ...run.report, tokensAfter: run.report.tokensBefore - 1 };
    says(checkLaws({ ...run, report }), /^smaller/);
  });
  it('sees a run that failed and changed the view', () => says(checkLaws({ ...run, report: FAILED }), /^harmless/));
  it('sees a raw message that changed', () => {
    const after: Shown = {
      ...run.after,
      messages: run.after.messages.map((message, index) => (index === 1 ? user('Break it.') : message)),
    };
    says(checkLaws({ ...run, after }), /^harmless/);
  });
  it('sees a request to the summarizer that does not fit', () =>
    says(checkLaws({ ...run, requests: [{ tokens: 4000, maxTokens: 200 }], summarizerWindow: 4096 }), /^fits/));
});
