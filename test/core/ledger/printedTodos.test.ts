import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/createLedger.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { blocksOf, call, human, model } from './script.ts';

/** The to-dos that are the newest of their kind: `id state words`. */
function todos(...messages: (ChatMessage | ChatMessage[])[]): string[] {
  const ledger = createLedger();
  ledger.update(blocksOf(...messages));
  return ledger
    .facts()
    .filter((fact) => fact.class === 'todo' && fact.supersededAt === undefined)
    .map(({ anchor, state, value }) => `${anchor ?? '-'} ${state} ${value}`);
}

describe('to-dos that tools print', () => {
  it('are the boxes of a file of to-dos, also behind line numbers, with the state in brackets behind them', () => {
    const read = call(
      'Read',
      { file_path: '/w/TODO.md' },
      '1→# To do\n2→\n3→- [x] WEB-7 draw the map\n4→- [ ] WEB-8 label it (blocked)',
    );
    const shown = call(
      'bash',
      { command: 'cat -n docs/todo.md' },
      '     1\t- [~] OPS-4 move the queue\n     2\t- [ ] sweep the floor',
    );
    assert.deepEqual(todos(read, shown), [
      'WEB-7 done WEB-7 draw the map',
      'WEB-8 blocked WEB-8 label it',
      'OPS-4 in progress OPS-4 move the queue',
      '- open sweep the floor',
    ]);
  });

  it('are no boxes of other files, unless a ticket stands in them, and none that a document ticked off long ago', () => {
    const form = call(
      'Read',
      { file_path: 'PULL_REQUEST_TEMPLATE.md' },
      '- [ ] I ran the tests\n- [ ] DATA-3 is linked',
    );
    const plan = call(
      'Read',
      { file_path: 'ROADMAP.md' },
      '- [x] the first phase of all\n- [ ] the second phase of all',
    );
    assert.deepEqual(todos(form, plan), ['DATA-3 open DATA-3 is linked', '- open the second phase of all']);
  });

  const TABLES: Readonly<Record<string, readonly [command: string, output: string, found: readonly string[]]>> = {
    tabs: [
      'jira issue list --plain',
      'KEY\tSTATUS\tSUMMARY\nPAY-1\tIn Progress\tcap the retries',
      ['PAY-1 In Progress cap the retries'],
    ],
    'aligned columns': [
      'linear issue list',
      'ID       TITLE              STATE\nENG-12   draw the border    Todo\nENG-13   cut the tail       Canceled',
      ['ENG-12 Todo draw the border', 'ENG-13 Canceled cut the tail'],
    ],
    pipes: [
      'cat board.md',
      '| Ticket | Zustand | Titel |\n| --- | --- | --- |\n| OPS-9 | blockiert | Platte tauschen |',
      ['OPS-9 blockiert Platte tauschen'],
    ],
    'numbers of issues': [
      'gh issue list',
      '14\tOPEN\tThe clock runs late\tbug\t2031-01-02T03:04:05Z',
      ['14 OPEN The clock runs late'],
    ],
    'brackets behind the id': [
      'bd list',
      '#3 [completed] sort the rows\n#4 [in_progress] count the rows',
      ['3 completed sort the rows', '4 in_progress count the rows'],
    ],
    json: [
      'acli jira workitem search --json',
      '{"issues":[{"key":"CORE-5","fields":{"summary":"turn the wheel","status":{"name":"Blocked"}}}]}',
      ['CORE-5 Blocked turn the wheel'],
    ],
  };
  for (const [name, [command, output, found]] of Object.entries(TABLES))
    it(`are rows with an id, a state and words: ${name}`, () => {
      assert.deepEqual(todos(call('bash', { command }, output)), found);
    });

  it('are not the rows of pull requests, of logs or of a table without states', () => {
    assert.deepEqual(todos(call('bash', { command: 'gh pr list' }, '14\tThe clock\tfix/clock\tOPEN')), []);
    assert.deepEqual(todos(call('bash', { command: 'make' }, 'warn  UTF-8  open\nERR-404  not found here')), []);
  });

  it('tell a newer state than the list of the agent, which a later list without it does not end', () => {
    const list = (id: string, status: string) =>
      call('TodoWrite', { todos: [{ id, content: `work on ${id}`, status }] }, 'Saved.');
    const board = call('bash', { command: 'jira issue list' }, 'KEY\tSTATUS\tSUMMARY\nPAY-1\tDone\twork on PAY-1');
    assert.deepEqual(todos(list('PAY-1', 'pending'), board, list('PAY-2', 'pending')), [
      'PAY-1 Done work on PAY-1',
      'PAY-2 pending work on PAY-2',
    ]);
  });

  it('of an issue and of the item of a list with the same number are two', () => {
    const item = call('TaskCreate', { id: '3', subject: 'wash the car', status: 'pending' });
    const issue = call('bash', { command: 'gh issue list' }, '3\tCLOSED\tThe car is dirty');
    assert.deepEqual(todos(item, issue), ['3 pending wash the car', '3 CLOSED The car is dirty']);
  });
});

describe('a ticket and a word of state in one sentence', () => {
  const SAID: readonly (readonly [sentence: string, state: string])[] = [
    ['I have just moved NET-40 to in review.', 'in review'],
    ['NET-40 habe ich eben als erledigt markiert.', 'erledigt'],
    ["J'ai passé NET-40 en pause ce matin.", 'en pause'],
    ['Al final dejo NET-40 como pendiente.', 'pendiente'],
    ['Segnato NET-40 come bloccato.', 'bloccato'],
    ['Deixei NET-40 em andamento.', 'em andamento'],
    ['NET-40 staat nu op geblokkeerd.', 'geblokkeerd'],
    ['Задача NET-40 теперь заблокирована.', 'заблокирована'],
    ['把 NET-40 改成进行中。', '进行中'],
    ['NET-40 を保留にしておきます。', '保留'],
    ['NET-40은 보류 상태입니다.', '보류'],
    ['NET-40 went from open to blocked.', 'blocked'],
    ['NET-40 is not done yet.', 'not done'],
    ['NET-39 and NET-40 are closed.', 'closed'],
  ];
  for (const [sentence, state] of SAID)
    it(`is its newest state: ${sentence}`, () => {
      const board = call('update_plan', { plan: [{ step: 'NET-40 lay the cable', status: 'waiting' }] });
      const [found] = todos(board, model(sentence)).filter((todo) => todo.startsWith('NET-40'));
      assert.equal(found, `NET-40 ${state} NET-40 lay the cable`);
    });

  const NOT_SAID = [
    'Once NET-40 is done we can go on.',
    'If NET-40 is blocked, tell me.',
    'NET-40 must be closed by Friday.',
    'Is NET-40 done?',
    'Let me open NET-40 first.',
    'NET-40 started failing in the night.',
    'The branch is fix/NET-40-done.',
    'The file is UTF-8 and done.',
  ];
  for (const sentence of NOT_SAID)
    it(`is none when it is only thought of: ${sentence}`, () => {
      assert.deepEqual(todos(model(sentence)), []);
    });

  it('counts whoever says it last', () => {
    const board = call('bash', { command: 'jira issue list' }, 'KEY\tSTATUS\tSUMMARY\nNET-40\tBlocked\tlay the cable');
    assert.deepEqual(todos(board, human('NET-40 please as done')), ['NET-40 done lay the cable']);
    assert.deepEqual(todos(human('NET-40 please as done'), board), ['NET-40 Blocked lay the cable']);
  });
});
