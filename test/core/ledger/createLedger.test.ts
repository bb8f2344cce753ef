import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createLedger } from '../../../src/core/ledger/ledger.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
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

  it('reads a block when it is complete', () => {
    const ledger = createLedger();
    const asked = call('Edit', { file_path: 'a.ts', new_string: 'x' }, 'ok');
    runAtOnce(ledger.read(blocksOf(asked.slice(0, 1))));
    assert.deepEqual(ledger.facts(), []);
    runAtOnce(ledger.read(blocksOf(asked)));
    assert.deepEqual(
      ledger.facts().map((fact) => fact.value),
      ['a.ts'],
    );
  });

  it('marks the facts that newer ones supersede', () => {
    const ledger = createLedger();
    runAtOnce(ledger.read(blocksOf(...SESSION)));
    const [error] = ledger.facts().filter((fact) => fact.class === 'error');
    assert.deepEqual([error?.value, error?.supersededAt], ['a.c:1:2: error: x', 9]);
  });

  describe('never hangs on hostile text of 1 MB', () => {
    const size = 1_000_000;
    const texts: Record<string, string> = {
      'one long word': 'a'.repeat(size),
      'endless path': 'a/'.repeat(size / 2),
      dots: 'a.'.repeat(size / 2),
      blanks: ' '.repeat(size),
      digits: '1'.repeat(size),
      'error words': 'error: '.repeat(size / 7),
      'error lines': `${'x.y'.repeat(60)} error failed\n`.repeat(size / 200),
      'open brackets': '(['.repeat(size / 2),
      'open quotes': '"\\'.repeat(size / 2),
      'open fences': '```bash\n'.repeat(size / 8),
      checkboxes: '- [ ] a\n'.repeat(size / 8),
      'json starts': '{"name":"a","arguments":{'.repeat(size / 25),
      'rules without end': 'never do not must '.repeat(size / 18),
      ideographs: '不要修改'.repeat(size / 4),
      'camel case': 'aB'.repeat(size / 2),
      'exit codes': 'exit code '.repeat(size / 10),
      newlines: '\n'.repeat(size),
      'boxes without end': `- [ ] PAY-1 ${'(('.repeat(150)}\n`.repeat(size / 313),
      'lists as json': '[{"status":"open","key":"PAY-1","title":'.repeat(size / 40),
    };
    for (const word of ['PAY-1', '- [ ]', '成功'])
      for (const [name, tail] of Object.entries({ blanks: ' ', newlines: '\n', digits: '1', brackets: '(' }))
        texts[`${word} and ${name}`] = `${word}${tail.repeat(200_000)}`;
    for (const [name, text] of Object.entries(texts)) {
      it(name, () => {
        const ledger = createLedger();
        runAtOnce(
          ledger.read(
            blocksOf(
              human(text),
              model(text),
              call('bash', { command: text }, text),
              call('bash', { command: 'make' }, text),
              call('Grep', { pattern: 'x' }, text),
              call('Edit', { file_path: 'a.ts', old_string: text, new_string: `${text} ` }, text),
              call('apply_patch', `*** Begin Patch\n*** Update File: a.ts\n+${text}`, text),
              call('TodoWrite', text, text),
            ),
          ),
        );
        ledger.facts();
      });
    }
  });
});
