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
    ['Gemini CLI', 'Command started in background with PID: b1'],
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

  it('is none that only prints such words far below', () => {
    const long = `${'line\n'.repeat(200)}server running with ID: 4`;
    assert.deepEqual(running(...tool('a', 'bash', { command: 'cat log' }, long), END), []);
  });
});
