import assert from 'node:assert/strict';
import { call, factsOf, human, latest, model } from './script.ts';

const PATCH =
  '*** Begin Patch\n*** Update File: lib/queue.rb\n@@\n-  retry 1\n+  retry 2\n*** Add File: lib/backoff.rb\n+x\n*** End Patch';

describe('files changed', () => {
  for (const [name, input, paths] of [
    ['Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' }, ['src/a.ts']],
    ['write_file', { path: 'docs/überblick.md', content: 'x' }, ['docs/überblick.md']],
    ['create_file', { filePath: 'c:\\work\\hello.txt', content: 'x' }, ['c:\\work\\hello.txt']],
    ['str_replace_based_edit_tool', { command: 'str_replace', path: 'a.py', old_str: 'x', new_str: 'y' }, ['a.py']],
    ['editor', { path: 'web/side.tsx', old_text: 'x', new_text: 'y' }, ['web/side.tsx']],
    ['apply_patch', PATCH, ['lib/queue.rb', 'lib/backoff.rb']],
    ['apply_patch', { input: PATCH }, ['lib/queue.rb', 'lib/backoff.rb']],
    ['move_file', { source: 'lib/a.rb', destination: 'lib/b.rb' }, ['lib/b.rb']],
    ['patch', { diff: '--- a/lib/lease.rb\n+++ b/lib/lease.rb\n@@ -1 +1 @@\n-x\n+y\n' }, ['lib/lease.rb']],
    ['bash', { command: "git apply <<'E'\n--- a/x.rb\n+++ b/x.rb\n@@ -1 +1 @@\n-x\n+y\nE" }, ['x.rb']],
    ['bash', { command: "sed -i 's/a/b/' conf/app.yaml && echo done > out/log.txt" }, ['conf/app.yaml', 'out/log.txt']],
    // Comments, continued lines and words that are only partly in quotes.
    [
      'bash',
      { command: "# It's old\nsed -i 's/it'\"'\"'s/x/' a.ts # don't keep\nNOTE=\"a b\" touch \"lib\"/b.ts" },
      ['a.ts', 'lib/b.ts'],
    ],
    ['bash', { command: 'cd lib && \\\n  mv a.ts \\\n  b.ts' }, ['b.ts']],
    ['bash', { command: "cat > notes.md <<'EOF'\nrm other.md\nEOF" }, ['notes.md']],
    ['execute_command', { command: 'echo x | tee -a build/flags.mk' }, ['build/flags.mk']],
    // A script that is written to a file changes that file, not what it names.
    ['bash', { command: "cat > tools/x.py <<'E'\nopen('src/never.ts', 'w').write('')\nE" }, ['tools/x.py']],
  ] as const) {
    it(`knows ${name} ${JSON.stringify(input).slice(0, 70)}`, () => {
      assert.deepEqual(latest('file-changed', call(name, input, 'ok, done')), paths);
    });
  }

  for (const result of [
    'Error: old_string not found in file',
    "The user doesn't want to proceed with this tool use.",
    '{"success": false, "message": "conflict"}',
    'The user rejected the edit.',
    'The edit of a.ts was cancelled by the user.',
    'No match found for the search block',
    'File has not been read yet. Read it first before writing to it.',
  ]) {
    it(`does not count an edit that answered "${result.slice(0, 50)}"`, () => {
      assert.deepEqual(
        latest('file-changed', call('Edit', { file_path: 'a.ts', old_string: 'x', new_string: 'y' }, result)),
        [],
      );
    });
  }

  it('counts an edit whose printed file mentions errors', () => {
    const result = 'The file a.ts has been updated.\n 1 throw new Error("not found in cache")';
    assert.deepEqual(latest('file-changed', call('Edit', { file_path: 'a.ts', new_string: 'y' }, result)), ['a.ts']);
  });

  it('does not mistake a path in prose, output or a listing for a changed file', () => {
    const facts = factsOf(
      human('Look at src/alpha.ts'),
      model('I will open src/beta.ts'),
      call('ask', { q: 'x' }, 'see src/gamma.ts'),
      call('Grep', { pattern: 'x' }, 'src/delta.ts:3:x'),
      call('puppeteer_evaluate', { script: 'shown = rows.length > page.size' }, 'ok'),
      call('bash', { command: 'cat src/a.ts && git status -s' }, ' M src/rows.ts'),
      call('read_file', { path: 'src/a.ts' }, 'x'),
    );
    assert.deepEqual(facts, []);
  });

  it('does not count a call without a result, nor a command that failed', () => {
    assert.deepEqual(latest('file-changed', call('Edit', { file_path: 'a.ts', new_string: 'y' }), human('stop')), []);
    const failed = call('bash', { command: 'sed -i s/a/b/ a.ts' }, 'sed: no\nExit code: 2');
    assert.deepEqual(latest('file-changed', failed), []);
  });

  it('ends the old name of a renamed file and says that a file was deleted', () => {
    const facts = factsOf(
      call('write_file', { path: 'old.ts', content: 'x' }, 'ok'),
      call('bash', { command: 'git mv old.ts new.ts' }, 'exit code 0'),
      call('bash', { command: 'rm temp.ts' }, ''),
    ).filter((fact) => fact.class === 'file-changed');
    const found = facts.map((fact) => [fact.value, fact.state, fact.supersededAt]);
    assert.deepEqual(found, [
      ['old.ts', undefined, 2],
      ['new.ts', 'renamed from old.ts', undefined],
      ['temp.ts', 'deleted', undefined],
    ]);
  });
});
