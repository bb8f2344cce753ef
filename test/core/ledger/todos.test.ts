import assert from 'node:assert/strict';
import { call, factsOf, human, model, type Said } from './script.ts';

function todos(...messages: readonly Said[]): (readonly [string, string | undefined])[] {
  return factsOf(...messages)
    .filter((fact) => fact.class === 'todo' && fact.supersededAt === undefined)
    .map((fact) => [fact.value, fact.state]);
}

const list = (...items: readonly (readonly [content: string, status: string])[]) =>
  call('TodoWrite', { todos: items.map(([content, status]) => ({ content, status })) }, 'ok');

describe("the agent's own list", () => {
  const two = (text: string, state: string) => [
    { [text]: 'Write the parser', [state]: 'in_progress' },
    { [text]: 'Add tests', [state]: 'pending' },
  ];
  for (const [name, input] of [
    ['TodoWrite', { todos: two('content', 'status') }],
    ['update_plan', { explanation: 'x', plan: two('step', 'status') }],
    ['write_todos', { items: two('title', 'state') }],
    ['write_todos', two('title', 'state')],
    ['organise', { list: two('text', 'status') }],
    ['update_todo_list', { todos: '- [~] Write the parser\n- [ ] Add tests' }],
  ] as const) {
    it(`is known by the shape of a call: ${name} ${Object.keys(input).join()}`, () => {
      const [parser, tests] = todos(call(name, input, 'ok'));
      assert.match(`${parser}`, /^Write the parser,in.progress$/);
      assert.match(`${tests}`, /^Add tests,(?:pending|open)$/);
    });
  }

  it('has the state that its own field gives, whatever the others contain', () => {
    const items = [{ title: 'blocked', note: 'done', status: 'in_progress' }];
    assert.deepEqual(todos(call('TodoWrite', { todos: items }, 'ok')), [['blocked', 'in_progress']]);
  });

  it('holds the latest state of each; what is no longer listed ends, and an empty list ends all', () => {
    const facts = factsOf(
      list(['A step', 'pending'], ['B step', 'pending']),
      list(['A step', 'completed']),
      call('TodoWrite', { todos: [] }, 'ok'),
    ).filter((fact) => fact.class === 'todo');
    const found = facts.map((fact) => `${fact.value}, ${fact.state} until ${fact.supersededAt}`);
    assert.deepEqual(found, ['A step, pending until 2', 'B step, pending until 2', 'A step, completed until 4']);
  });

  it('that is merged keeps the others, and a bare id keeps its words', () => {
    const first = call('todo_write', { todos: [{ id: '1', content: 'A step', status: 'pending' }] }, 'ok');
    const changed = [
      { id: '1', status: 'completed' },
      { id: '2', content: 'B step' },
    ];
    assert.deepEqual(todos(first, call('todo_write', { merge: true, todos: changed }, 'ok')), [
      ['A step', 'completed'],
      ['B step', 'pending'],
    ]);
  });

  it('joins a task with its later updates by the id that the tool gave', () => {
    const made = call('TaskCreate', { subject: 'Fix the race' }, 'Task #4 created successfully');
    const done = call('TaskUpdate', { taskId: '4', status: 'completed', addBlocks: [] }, 'Updated task #4');
    assert.deepEqual(todos(made, done), [['Fix the race', 'completed']]);
    const renamed = call('TaskUpdate', { taskId: '4', subject: 'Fix both races', status: 'pending' }, 'ok');
    assert.deepEqual(todos(made, done, renamed), [['Fix both races', 'pending']]);
  });

  it('is not changed by a call that the tool reports as failed', () => {
    const made = call('TaskCreate', { subject: 'Fix the race' }, 'Task #4 created successfully');
    const failed = call('TaskUpdate', { taskId: '4', status: 'completed' }, 'Task not found');
    assert.deepEqual(todos(made, failed), [['Fix the race', 'pending']]);
    const subject = 'Handle "file not found in cache"';
    const echoed = call('TaskCreate', { subject }, `Task #5 created successfully: ${subject}`);
    assert.deepEqual(todos(echoed), [[subject, 'pending']]);
  });
});

describe('what is not a to-do of the agent', () => {
  const cases: readonly (readonly [what: string, said: Said])[] = [
    ['prose', model('TODO: rotate the keys. Still open: T-3.\n- [ ] T-4: write the guide.')],
    ['a list of the human', human('- [ ] Port the mailer\n- [ ] Trim it')],
    [
      'issues that a command lists',
      call('bash', { command: 'gh issue list' }, '#12\tOPEN\tPort it\n- [ ] T-1: Trim it'),
    ],
    ['issues that a tool lists', call('list_issues', {}, '[{"number":3,"title":"Port it","state":"open"}]')],
    ['issues that it files', call('create_issues', { issues: [{ title: 'Port it', status: 'pending' }] }, 'ok')],
    ['a list that is read', call('Read', { file_path: 'TODO.md' }, '- [ ] Port it')],
    ['boxes in a file that it writes', call('Write', { file_path: 'TODO.md', content: '- [ ] Port it' }, 'ok')],
    ['records with a state', call('save', { users: [{ name: 'Ann', status: 'active' }] }, 'ok')],
    ['an agent that is started', call('create_task', { description: 'Port it', prompt: 'Port the mailer' }, 'ok #4')],
  ];
  for (const [what, said] of cases) it(what, () => assert.deepEqual(todos(said), []));
});
