import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeProblems, parseProfileFile, repairProfile } from '../../../src/core/model/profileFile.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { inEnglish, speak, translate } from '../../../src/language/language.ts';

const readFile = (text: string, source: string) => runAtOnce(parseProfileFile(text, source));
const parse = (content: unknown) => readFile(JSON.stringify(content), 'models.json');

describe('a profile file', () => {
  it('loads what is good and reports what is bad with file, path and reason', () => {
    const good = { id: 'good', contextWindow: 8192 };
    const other = { id: 'also-good', tools: false, envelope: 'xml', extra: { num_ctx: 4096 } };
    const bad = [{ id: 'bad', contextWindow: '8k' }, { contextWindow: 4096 }, { id: 'typo', contextwindow: 4096 }];
    const { layer, problems } = parse({ profiles: [good, ...bad, other] });
    assert.deepEqual(layer.entries, [good, other]);
    const places = problems.map(({ source, path }) => `${source} ${path}`);
    assert.deepEqual(places, [
      'models.json profiles[1].contextWindow',
      'models.json profiles[2].id',
      'models.json profiles[3]',
    ]);
    assert.ok(problems.every(({ reason }) => reason !== ''));
    assert.match(inEnglish(problems[2]?.reason ?? ''), /contextwindow/);
  });

  for (const [shape, content, path] of [
    ['an array', [{ id: 'a' }, { id: 'b', timeoutMs: 0 }], '[1].timeoutMs'],
    ['an object by model id', { a: {}, 'b/c': { timeoutMs: -1 } }, '["b/c"].timeoutMs'],
    ['an object of profiles by model id', { profiles: { a: {}, b: 3 } }, 'profiles["b"]'],
  ] as const) {
    it(`may be ${shape}`, () => {
      const { layer, problems } = parse(content);
      assert.deepEqual([layer.entries, problems.map((problem) => problem.path)], [[{ id: 'a' }], [path]]);
    });
  }

  it('may have extras for the server, but none nested without end', () => {
    const entry = (id: string, levels: number) =>
      `{"id":"${id}","extra":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;
    const { layer, problems } = readFile(`[${entry('good', 90)},${entry('bad', 50_000)}]`, 'models.json');
    const [problem, ...others] = problems;
    assert.deepEqual([layer.entries.map(({ id }) => id), others], [['good'], []]);
    const told = `${problem?.path} ${inEnglish(problem?.reason ?? '')}`;
    assert.equal(told, '[1].extra must be an object, nested at most 100 levels deep');
  });

  it('with 20,000 bad entries makes one warning that can be read', () => {
    const { problems } = parse(Array.from({ length: 20_000 }, (_, index) => ({ id: `m${index}`, contextWindow: -1 })));
    const text = describeProblems(problems);
    assert.match(inEnglish(text), /^models\.json: \[0\]\.contextWindow .*; and 19,997 more like these\.$/);
    assert.ok(inEnglish(text).length < 300, inEnglish(text));
    const [first, second] = problems.slice(0, 2).map((problem) => inEnglish(describeProblems([problem])));
    assert.equal(inEnglish(describeProblems(problems.slice(0, 2))), `${first}; ${second}`);
  });

  it('has its problems told in the language of the user', () => {
    const german = readFileSync(join(import.meta.dirname, '../../../l10n/bundle.l10n.de.json'), 'utf8');
    speak('de', JSON.parse(german));
    try {
      const wrong = [
        { id: 'a', contextWindow: -1 },
        { id: 'b', tools: 'yes' },
        { id: 'c', roles: 'any' },
        { id: 'd', contextwindow: 1 },
        { id: 'e', images: { kind: 'rings' } },
        { id: 'f', baseUrl: 'no url' },
        {},
      ];
      const { problems } = parse(wrong);
      const unread = readFile('[', 'models.json').problems;
      const told = [...problems, ...unread].map((problem) => translate(describeProblems([problem])));
      const said = [...problems, ...unread].map((problem) => inEnglish(describeProblems([problem])));
      assert.equal(told.length, wrong.length + 1);
      assert.equal(told[0], 'models.json: [0].contextWindow muss eine ganze Zahl von Token sein, größer als 0');
      const untold = told.filter((text) => said.includes(text));
      assert.deepEqual(untold, []);
      assert.match(translate(describeProblems(problems)), /; und 4 weitere dieser Art\.$/);
    } finally {
      speak('en', {});
    }
  });

  it('that is not JSON, or not profiles, is one problem and no profiles', () => {
    const nested = `${'{"profiles":'.repeat(50_000)}[]${'}'.repeat(50_000)}`;
    for (const text of ['{ "profiles": [', '"text"', 'null', '', nested]) {
      const { layer, problems } = readFile(text, 'broken.json');
      assert.deepEqual([layer.entries, problems.map(({ source }) => source)], [[], ['broken.json']]);
    }
  });

  it('may begin with a byte order mark', () => {
    assert.deepEqual(readFile('\uFEFF[{"id":"a"}]', 'file').layer.entries, [{ id: 'a' }]);
  });

  it('cannot set an unknown window to 0, an address that is not http, or credentials', () => {
    assert.deepEqual(parse([{ id: 'a', baseUrl: 'https://host/v1?api-version=1' }]).problems, []);
    for (const entry of [
      { id: 'a', contextWindow: 0 },
      { id: 'a', baseUrl: 'file:///etc/passwd' },
      { id: 'a', baseUrl: 'no url' },
      { id: 'a', baseUrl: 'https://me:secret@host/v1' },
      { id: 'a', baseUrl: 'https://host/v1?api-key=secret' },
      { id: 'a*b' },
    ]) {
      assert.equal(parse([entry]).problems.length, 1, JSON.stringify(entry));
    }
  });

  it('never repeats credentials in a reason', () => {
    for (const baseUrl of ['https://me:secret1@host/v1', 'https://host/v1?key=secret1'])
      assert.doesNotMatch(JSON.stringify(parse([{ id: 'a', baseUrl }]).problems), /secret1/);
  });
});

describe('a stored profile', () => {
  it('is kept as it is when every value means something', () => {
    for (const model of ['gpt-5', 'deepseek-chat', 'mystery', '', 'copilot/gpt-4.1']) {
      for (const baseUrl of ['http://127.0.0.1:1234/v1', 'vscode:models']) {
        const { profile } = resolveProfile({ model, baseUrl });
        assert.deepEqual(repairProfile(profile), { profile, repaired: [] }, `${model} on ${baseUrl}`);
      }
    }
  });

  it('loses what means nothing, and gets what every profile has', () => {
    const nothing = repairProfile({ id: 'm' });
    assert.deepEqual(nothing?.profile, {
      id: 'm',
      provider: 'openai-compatible',
      completionReserve: 1024,
      timeoutMs: 600_000,
      tools: true,
      envelope: 'standard',
      extra: {},
    });
    const wrong = { id: 'm', encoding: 'o300k', images: 7, timeoutMs: -1, tools: 'no', envelope: 'yaml', extra: [] };
    const repaired = repairProfile(wrong);
    assert.deepEqual(repaired?.profile, nothing?.profile);
    for (const name of Object.keys(wrong)) assert.equal(repaired?.repaired.includes(name), name !== 'id', name);
    for (const value of [undefined, null, 7, 'm', [], { id: 7 }]) assert.equal(repairProfile(value), undefined);
  });
});
