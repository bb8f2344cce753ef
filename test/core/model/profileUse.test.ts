import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ProfileEntry, parseProfileFile } from '../../../src/core/model/profileFile.ts';
import { noteProfile, type ProfileUse, resolveProfile } from '../../../src/core/model/resolve.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { describeMatches, describeModel } from '../../../src/host/present/words.ts';

const layer = (...entries: ProfileEntry[]) => [{ source: '/project/.karl/model-profiles.json', entries }];
const LOCAL = resolveProfile({ model: 'mine', baseUrl: 'http://127.0.0.1:11434/v1' }, layer({ id: 'mi*' }));

describe('the profiles of a session', () => {
  it('are noted when they change, by figures or by the entries that matched, oldest first', () => {
    const known = resolveProfile('gpt-5');
    let uses: readonly ProfileUse[] = [];
    for (const [at, resolved] of [known, known, LOCAL, LOCAL, known].entries()) uses = noteProfile(uses, resolved, at);
    const noted = uses.map(({ since, profile }) => `${since} ${profile.id}`);
    assert.deepEqual(noted, ['0 gpt-5', '2 mine', '4 gpt-5']);
    const same = resolveProfile({ model: 'mine', baseUrl: 'http://127.0.0.1:11434/v1' }, layer({ id: 'mine' }));
    assert.deepEqual(same.profile, LOCAL.profile);
    assert.equal(noteProfile([{ ...LOCAL, since: 0 }], same, 1).length, 2, 'another rule matched');
  });

  it('say by which rule each entry of each source matched', () => {
    assert.equal(describeMatches(resolveProfile('gpt-5').matches), 'built-in: entry gpt-5 (exact)');
    assert.equal(describeMatches(resolveProfile('nobody-knows-this').matches), 'built-in: no entry, defaults');
    const [builtin, file] = describeMatches(LOCAL.matches).split('; ');
    assert.equal(builtin, 'built-in: entry * (wildcard)');
    assert.equal(file, '/project/.karl/model-profiles.json: entry mi* (wildcard)');
  });

  it('are in the tooltip of the model, the one in use first', () => {
    const uses = [{ ...resolveProfile('gpt-5'), since: Date.UTC(2026, 2, 1, 12) }];
    const hint = describeModel(LOCAL, uses).split('\n');
    const profile = `Profile: ${describeMatches(LOCAL.matches)}`;
    assert.deepEqual(hint.slice(0, 3), ['mine on ollama', profile, 'Previously used:']);
    assert.match(hint[3] ?? '', /^gpt-5 on openai, from Mar 1, 2026.* \(built-in: entry gpt-5 \(exact\)\)$/);
    assert.equal(describeModel(LOCAL, [{ ...LOCAL, since: 0 }]).split('\n').length, 2, 'it is no earlier one itself');
    const stored = describeModel({ ...LOCAL, matches: [] }, []);
    assert.match(stored, /as it was stored with the conversation/);
    assert.equal(describeModel(resolveProfile(''), []), '', 'none was chosen yet');
  });
});

/** Ollama, "OpenAI compatibility": the fields of a request to /v1/chat/completions that it reads. */
const OLLAMA_TAKES = [
  ...['frequency_penalty', 'presence_penalty', 'response_format', 'seed', 'stop', 'temperature', 'top_p', 'max_tokens'],
  ...['reasoning_effort', 'reasoning', 'tool_choice'],
];

describe("README's model profile", () => {
  it('is one that Karl reads whole, with only fields that the server takes', () => {
    const blocks = [...readFileSync('README.md', 'utf8').matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => text);
    const { layer: read, problems } = runAtOnce(parseProfileFile(blocks.join('\n'), 'README.md'));
    assert.deepEqual(problems, []);
    const [entry] = read.entries;
    assert.equal(entry?.provider, 'ollama');
    const unknown = Object.keys(entry?.extra ?? {}).filter((field) => !OLLAMA_TAKES.includes(field));
    assert.deepEqual(unknown, []);
  });
});
