import assert from 'node:assert/strict';
import { factsOf, human } from './script.ts';

const values = (text: string, kind: string): string[] =>
  factsOf(human(text)).flatMap((fact) => (fact.class === kind ? [fact.value] : []));

describe('tool use that a client reports as a user message', () => {
  const ADDED = 'I have *added these files to the chat* so you can go ahead and edit them.\n\n';

  it('files that it added are files read, whatever fences they hold', () => {
    const text = `${ADDED}AGENTS.md\n\`\`\`\n# Rules\n\n\`\`\`sh\nmake\n\`\`\`\n\n- Never edit gen/ by hand.\n\`\`\`\n\nsrc/a.ts\n\`\`\`\nconst a = 1;\n\`\`\``;
    assert.deepEqual(values(text, 'file-read'), ['AGENTS.md', 'src/a.ts']);
    assert.deepEqual(values(text, 'constraint'), ['Never edit gen/ by hand.']);
  });

  it('a command that it ran is a command with its output', () => {
    const text =
      'I ran this command:\n\nnpm run build\n\nAnd got this output:\n\nsrc/a.ts(3,1): error TS2304: Cannot find name "x".';
    assert.deepEqual(values(text, 'command'), ['npm run build']);
    assert.equal(values(text, 'error').length, 1);
  });

  it('rules that stand in an attachment are not what the human said', () => {
    const text = 'tidy this up\n<file_content path="a.ts">\nYou must never use tabs here.\n</file_content>';
    assert.deepEqual(values(text, 'constraint'), []);
  });
});
