import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import { stateText } from '../../../src/core/compaction/notes/state.ts';
import { converse, reads, system, tool, user } from '../conversation/kit.ts';
import { fact } from '../ledger/script.ts';

const RULE = fact('constraint', 'Never rename the table users.', { at: 0 });
const TODO = fact('todo', 'Write the docs', { at: 3, state: 'in_progress' });
const ERROR = fact('error', 'no such column', { at: 5 });
const FILE = fact('file-changed', 'src/users.ts', { at: 9, state: 'renamed' });

const ROOM = 10_000;

describe('the text of a state', () => {
  it('has a section for each kind of fact, the ones that must not be missed first, each item behind its handle', () => {
    assert.equal(
      stateText([FILE, ERROR, TODO, RULE], ROOM),
      [
        'Rules:',
        '- [t0] Never rename the table users.',
        "The agent's own to-do list, as it last wrote it:",
        '- [t3] [ ] Write the docs (in_progress)',
        'Newest errors in results (may be fixed by now):',
        '- [t5] no such column',
        'Files edited whose full path is not given above:',
        '- [t9] src/users.ts (renamed)',
      ].join('\n'),
    );
  });

  for (const [state, box] of Object.entries({ completed: '[x] ', pending: '[ ] ', cancelled: '[-] ' }))
    it(`draws the box of a to-do that is ${state}`, () =>
      assert.match(stateText([{ ...TODO, state }], ROOM), new RegExp(`\\[t3\\] \\${box}Write the docs`)));

  it('has each item on one line', () =>
    assert.match(stateText([fact('error', 'first line\n  second')], ROOM), /- \[t1\] first line second$/));

  const many = [
    RULE,
    ...Array.from({ length: 60 }, (_, index) => fact('file-changed', `src/module/file${index}.ts`, { at: index })),
  ];

  it('keeps rules before files when room is short, and counts what it leaves out', () => {
    const text = stateText(many, 900);
    assert.match(text, /Never rename the table users\./);
    const shown = text.match(/file\d+\.ts/g)?.length ?? 0;
    assert.ok(shown > 0 && shown < 60);
    assert.ok(text.endsWith(`\n+${60 - shown} more`), text);
  });

  it('prefers what is still to do to what is done, in the order of the list', () => {
    const todos = Array.from({ length: 60 }, (_, at) =>
      fact('todo', `Write part ${at}`, { at, state: at % 10 === 0 ? 'pending' : 'completed' }),
    );
    const text = stateText(todos, 500);
    const told = [...text.matchAll(/\[t(\d+)\] \[(.)\]/g)].map(([, at, box]) => ({ at: Number(at), box }));
    const ats = told.filter(({ box }) => box === ' ').map(({ at }) => at);
    assert.deepEqual(ats, [0, 10, 20, 30, 40, 50]);
    assert.ok(told.some(({ box }) => box === 'x') && told.length < 20, text);
    const isInOrder = told.every(({ at }, index) => index === 0 || at > (told[index - 1]?.at ?? at));
    assert.ok(isInOrder, text);
  });

  it('lists the newest of hundreds of edited files, and leaves room for the rest', () => {
    const rules = Array.from({ length: 60 }, (_, at) => fact('constraint', `Never call rule${at}.`, { at }));
    assert.match(stateText(rules, 200), /\[t58\] .*rule58\.\n- \[t59\] .*rule59\.\n\+\d+ more$/);
    const files = stateText(many.slice(1), 900);
    assert.match(files, /file59\.ts\n\+\d+ more$/);
    assert.ok(files.length <= 320, files);
  });
});

describe('a state with more to tell than it has room for', () => {
  const todos = Array.from({ length: 150 }, (_, part) => ({ content: `Check part ${part} again`, status: 'pending' }));
  const edits = Array.from({ length: 200 }, (_, part) =>
    tool(`edit${part}`, 'write_file', { path: `src/some/folder/of/part${part}.ts`, content: 'x' }, 'ok'),
  ).flat();

  for (const [what, share, most] of [
    ['takes a fifth of the window', 0, 0.2],
    ['takes half of what a long request leaves', 0.94, 0.03],
  ] as const)
    it(`${what}, and the view fits`, async () => {
      const conversation = converse([system('You help.'), user('Go.'), ...tool('todo', 'TodoWrite', { todos }, 'ok')]);
      const { limit } = conversation.budget();
      conversation.append([...edits, user('word '.repeat(limit * share)), ...reads(3, 10, 500)]);
      assert.equal((await conversation.compact({ trigger: 'hard-limit' })).kind, 'compacted');
      assert.ok(conversation.budget().used.tokens <= limit, `${conversation.budget().used.tokens} of ${limit}`);
      const state = conversation
        .request()
        .map(contentText)
        .findLast((text) => text.includes('## State when'));
      assert.match(state ?? '', /\n\+\d+ more$/m);
      // A token counts as three characters; the fence and the title come on top.
      assert.ok((state ?? '').length <= limit * most * 3 + 300, `${state?.length} characters`);
    });
});
