import assert from 'node:assert/strict';
import { describeBlock, describeBlocks } from '../../../src/core/ledger/describe.ts';
import { blocksOf, call, type Said } from './script.ts';

function label(...messages: Said[]): string {
  const [block] = blocksOf(...messages);
  return block === undefined ? '' : describeBlock(block);
}

describe('the label of a block', () => {
  it('names a command, its exit code, the length of its output and its errors', () => {
    const tested = label(
      call('bash', { command: 'npm test' }, 'x\na.ts(1,2): error TS1: y\nb.ts(3,4): error TS2: z\nExit code: 1'),
    );
    assert.equal(tested, 'npm test · exit 1 · 4 lines · 2 errors');
  });

  it('names the file of a read or an edit', () => {
    const edit = { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' };
    assert.equal(label(call('Read', { file_path: 'src/a.ts' }, '1\n2\n3')), 'read src/a.ts · 3 lines');
    assert.equal(label(call('Edit', edit, 'ok')), 'edit src/a.ts');
    assert.equal(label(call('Edit', edit, 'Error: no')), 'edit src/a.ts · failed · 1 error');
  });
});

describe('the label of a range', () => {
  const blocks = blocksOf(
    ...Array.from({ length: 40 }, (_, i) =>
      call('Edit', { file_path: `src/part${i}.ts`, old_string: 'x', new_string: 'y' }, 'ok'),
    ),
    call('Read', { file_path: 'docs/plan.md' }, 'x'),
    call('bash', { command: 'make check' }, 'x.c:3:1: error: bad\nexit code 2'),
  );

  it('counts its messages and names its first blocks', () => {
    const text = describeBlocks(blocks, 300);
    assert.match(text, /^84 messages · edit src\/part0\.ts \| edit src\/part1\.ts .*…$/);
    assert.ok(text.length <= 300);
  });
});
