import assert from 'node:assert/strict';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { blocksOf, call, human, model } from './script.ts';

const SESSION: readonly ChatMessage[] = [
  human('Never touch main. Keep port 8123.'),
  ...call('Edit', { file_path: 'a.ts', new_string: 'x' }, 'ok'),
  ...call('Edit', { file_path: 'b.ts', new_string: 'y' }, 'ok'),
  model('Both are edited.'),
  ...call('bash', { command: 'make' }, 'a.c:1:2: error: x\nexit code 2'),
  ...call('bash', { command: 'make' }, 'exit code 0'),
];

describe('the ledger', () => {
  it('finds the same facts whether it is updated message by message or once', () => {
    const grown = createLedger();
    const transcript = new Transcript();
    SESSION.forEach((message, index) => {
      transcript.append(parseMessage(message, index));
      runAtOnce(grown.read(transcript.blocks));
      grown.facts();
    });
    const whole = createLedger();
    runAtOnce(whole.read(transcript.blocks));
    assert.ok(whole.facts().length >= 4);
    assert.deepEqual(grown.facts(), whole.facts());
  });

  it('marks the facts that newer ones supersede', () => {
    const ledger = createLedger();
    runAtOnce(ledger.read(blocksOf(...SESSION)));
    const [error] = ledger.facts().filter((fact) => fact.class === 'error');
    assert.deepEqual([error?.value, error?.supersededAt], ['a.c:1:2: error: x', 9]);
  });
});
