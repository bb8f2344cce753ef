import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readProfileFiles } from '../../../src/adapters/node/profileFiles.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import { inEnglish, sentence } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';

describe('profile files', () => {
  const path = useFolder();
  const workspaceFile = (): string => path('.karl', 'model-profiles.json');
  const userFile = (): string => path('mine.json');
  const readWith = (named: string | undefined, folders = [path()]) =>
    readProfileFiles(folders, { KARL_MODEL_PROFILES: named });

  beforeEach(() => mkdirSync(path('.karl')));

  it('are applied over each other: workspace, then the environment', async () => {
    writeFileSync(workspaceFile(), '[{"id":"m","contextWindow":1000,"timeoutMs":1}]');
    writeFileSync(userFile(), '[{"id":"m","contextWindow":2000}]');
    const { layers, problems } = await readWith(userFile());
    assert.deepEqual(problems, []);
    const { profile, matches } = resolveProfile('m', layers);
    assert.equal(profile.contextWindow, 2000);
    assert.equal(profile.timeoutMs, 1);
    const sources = matches.map(({ source }) => source);
    assert.deepEqual(sources, ['built-in', workspaceFile(), userFile()]);
  });

  it('of a folder set how a model writes, not who else gets the conversation; those of the user set anything', async () => {
    const extra = { temperature: 0.2, provider: { order: ['elsewhere'] }, api_base: 'http://elsewhere/v1' };
    for (const file of [workspaceFile(), userFile()]) writeFileSync(file, JSON.stringify([{ id: 'm', extra }]));
    const { layers, problems } = await readWith(undefined);
    assert.deepEqual(resolveProfile('m', layers).profile.extra, { temperature: 0.2 });
    const paths = problems.map(({ path }) => path);
    assert.deepEqual(paths, ['[0].extra.provider, api_base']);
    const own = await readWith(userFile(), []);
    assert.deepEqual([resolveProfile('m', own.layers).profile.extra, own.problems], [extra, []]);
  });

  it('need not be there, unless the environment names one', async () => {
    assert.deepEqual(await readWith(undefined), { layers: [], problems: [] });
    const { problems } = await readWith(userFile(), []);
    assert.deepEqual(problems, [{ source: userFile(), path: '', reason: sentence('does not exist') }]);
    const relative = await readWith('mine.json', []);
    assert.match(inEnglish(relative.problems[0]?.reason ?? ''), /absolute/);
  });

  it('that are broken are reported, and the others load', async () => {
    writeFileSync(workspaceFile(), '[{"id":');
    writeFileSync(userFile(), '[{"id":"good"},{"id":"bad","tools":"yes"}]');
    const { layers, problems } = await readWith(userFile());
    const places = problems.map(({ source, path }) => `${source} ${path}`);
    assert.deepEqual(places, [`${workspaceFile()} `, `${userFile()} [1].tools`]);
    const ids = layers.flatMap(({ entries }) => entries.map(({ id }) => id));
    assert.deepEqual(ids, ['good']);
  });

  it('are not mistaken for folders or for something huge', async () => {
    mkdirSync(workspaceFile());
    writeFileSync(userFile(), ' '.repeat(1_000_001));
    const { problems } = await readWith(userFile());
    const reasons = problems.map(({ reason }) => inEnglish(reason)).join('; ');
    assert.match(reasons, /^is not a regular file; is too large[^;]*$/);
  });

  it('are neither waited for if they are a pipe nor read for ever if they are a device', async function () {
    if (process.platform === 'win32') this.skip();
    execFileSync('mkfifo', [workspaceFile()]);
    const { layers, problems } = await readWith('/dev/zero');
    assert.deepEqual(layers, []);
    const reasons = problems.map(({ reason }) => inEnglish(reason));
    assert.deepEqual(reasons, ['is not a regular file', 'is not a regular file']);
  });
});
