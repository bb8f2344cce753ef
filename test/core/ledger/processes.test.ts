import assert from 'node:assert/strict';
import { createLedger } from '../../../src/core/ledger/createLedger.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { assistant, tool, user } from '../conversation/kit.ts';

/** The commands that are not seen to end, with the names that the client gave them. */
function running(...messages: readonly ChatMessage[]): string[] {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(parseMessage(message, transcript.nextId));
  const ledger = createLedger();
  ledger.update(transcript.blocks);
  return ledger
    .facts()
    .filter((fact) => fact.class === 'process' && fact.supersededAt === undefined)
    .map(({ value, anchor }) => `${value} ${anchor}`);
}

const END = assistant('Go on.');
const started = (id: string, command = 'npm run dev') =>
  tool(
    `call-${id}`,
    'bash',
    { command },
    `Command running in background with ID: ${id}. Output is being written to: x`,
  );

describe('a command that goes on in the background', () => {
  for (const [client, said] of [
    ['Claude Code', 'Command running in background with ID: b1. Output is being written to: /tmp/b1.output'],
    ['Codex', 'Chunk ID: cabb48\nWall time: 10.0 seconds\nProcess running with session ID b1\nOutput:\n'],
    ['VS Code', 'Command is running in terminal with ID=b1'],
    ['VS Code, later', 'Note: This terminal execution was moved to the background using the ID b1\nready in 300 ms'],
    ['Gemini CLI', 'Command moved to background (PID: b1). Output hidden. Press Ctrl+B to view.'],
    ['Claude Code, by hand', 'Command was manually backgrounded by user with ID: b1. Output is being written to: x'],
  ] as const)
    it(`is found as ${client} tells it`, () =>
      assert.deepEqual(running(...tool('a', 'shell', { command: 'npm run dev' }, said), END), ['npm run dev b1']));

  it('goes on until it is stopped, is seen to have exited, or the client says so', () => {
    const three = [...started('b1'), ...started('b2'), ...started('b3')];
    assert.equal(running(...three, END).length, 3);
    const stopped = tool('s', 'TaskStop', { task_id: 'b1' }, '{"message":"Successfully stopped task: b1"}');
    const exited = tool('w', 'write_stdin', { session_id: 'b2', chars: '' }, 'Process exited with code 0\nOutput:\n');
    const told = user('<task-notification>\n<task-id>b3</task-id>\n<status>failed</status>\n</task-notification>');
    assert.deepEqual(running(...three, ...stopped, END), ['npm run dev b2', 'npm run dev b3']);
    assert.deepEqual(running(...three, ...exited, END), ['npm run dev b1', 'npm run dev b3']);
    assert.deepEqual(running(...three, told, END), ['npm run dev b1', 'npm run dev b2']);
  });

  it('goes on when it is looked at, and when something else ends', () => {
    const polled = tool('p', 'write_stdin', { session_id: 7 }, 'Process running with session ID 7\nOutput:\n');
    const other = tool('q', 'bash', { command: 'npm test' }, '3 failed\nexit code 1');
    const first = tool('a', 'exec', { command: 'npm run dev' }, 'Process running with session ID 7');
    assert.deepEqual(running(...first, ...polled, ...other, END), ['npm run dev 7']);
  });

  it('goes on whatever it prints, and whatever else has the same id', () => {
    const first = started('7');
    for (const [name, fields, result] of [
      ['BashOutput', { bash_id: '7' }, '<status>running</status>\n\n<stdout>\n1 request failed\n</stdout>'],
      ['BashOutput', { bash_id: '7' }, '<status>running</status>\n\n<stdout>\ncommand finished in 3 s\n</stdout>'],
      ['get_terminal_output', { id: '7' }, 'Output of terminal 7:\nthe command failed, watching for changes'],
      [
        'write_stdin',
        { session_id: 7 },
        'Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\nprocess exited',
      ],
      ['bash', { command: 'curl localhost/orders/7' }, '{"id": 7, "status": "completed"}'],
      ['TaskUpdate', { task_id: '7', status: 'completed' }, 'Task 7 completed'],
    ] as const)
      assert.deepEqual(running(...first, ...tool('q', name, fields, result), END), ['npm run dev 7'], result);
  });

  it('is over when its tool says so, and two may be told to be over at once', () => {
    for (const [name, fields, result] of [
      ['TaskOutput', { task_id: 'b1' }, '<task_id>b1</task_id>\n<status>completed</status>\n<output>\nrunning'],
      ['KillShell', { shell_id: 'b1' }, '{"message":"Successfully killed shell: b1 (npm run dev)","shell_id":"b1"}'],
      ['TaskOutput', { task_id: 'b1' }, 'No task found with ID: b1'],
      [
        'write_stdin',
        { session_id: 'b1' },
        'Wall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nstill running',
      ],
    ] as const)
      assert.deepEqual(running(...started('b1'), ...tool('q', name, fields, result), END), [], result);
    const told = ['b1', 'b2'].map((id) => `<task-id>${id}</task-id>\n<status>completed</status>`);
    const both = user(told.map((one) => `<task-notification>\n${one}\n</task-notification>`).join('\n'));
    assert.deepEqual(running(...started('b1'), ...started('b2'), both, END), []);
  });

  for (const printed of [
    `${'line\n'.repeat(200)}Command running in background with ID: 4`,
    '12:00 INFO server started with pid 4711\n12:05 INFO server exited',
    '12: // the job running with id: text',
    'Migration started (ID 42)\nAll migrations applied.',
    'abc moved user lookup to ID column',
    'PASS running test suite id: alpha',
    'completed\nrunning  build  id 12345',
    'web   running   id=ab12',
    'Chunk ID: 1\nWall time: 0.3 seconds\nProcess exited with code 0\nOutput:\nProcess running with session ID 4',
  ])
    it(`is none that only prints ${JSON.stringify(printed.slice(0, 40))}`, () =>
      assert.deepEqual(running(...tool('a', 'bash', { command: 'cat log' }, printed), END), []));
});
