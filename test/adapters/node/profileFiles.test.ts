import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readProfileFiles } from '../../../src/adapters/node/profileFiles.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';

describe('profile files', () => {
  let folder: string;
  const workspaceFile = (): string => join(folder, '.karl', 'model-profiles.json');
  const userFile = (): string => join(folder, 'mine.json');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'karl-profiles-'));
    mkdirSync(join(folder, '.karl'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are applied over each other: workspace, then the environment', async () => {
    writeFileSync(workspaceFile(), '[{"id":"m","contextWindow":1000,"timeoutMs":1}]');
    writeFileSync(userFile(), '[{"id":"m","contextWindow":2000}]');
    const { layers, problems } = await readProfileFiles({
      folders: [folder],
      environment: { KARL_MODEL_PROFILES: userFile() },
    });
    assert.deepEqual(problems, []);
    const { profile, matches } = resolveProfile('m', layers);
    assert.equal(profile.contextWindow, 2000);
    assert.equal(profile.timeoutMs, 1);
    assert.deepEqual(
      matches.map(({ source }) => source),
      ['built-in', workspaceFile(), userFile()],
    );
  });

  it('of a folder set how a model writes, not who else gets the conversation; those of the user set anything', async () => {
    const extra = { temperature: 0.2, provider: { order: ['elsewhere'] }, api_base: 'http://elsewhere/v1' };
    for (const file of [workspaceFile(), userFile()]) writeFileSync(file, JSON.stringify([{ id: 'm', extra }]));
    const { layers, problems } = await readProfileFiles({ folders: [folder], environment: {} });
    assert.deepEqual(resolveProfile('m', layers).profile.extra, { temperature: 0.2 });
    assert.deepEqual(
      problems.map(({ path }) => path),
      ['[0].extra.provider, api_base'],
    );
    const own = await readProfileFiles({ folders: [], environment: { KARL_MODEL_PROFILES: userFile() } });
    assert.deepEqual([resolveProfile('m', own.layers).profile.extra, own.problems], [extra, []]);
  });

  it('need not be there, unless the environment names one', async () => {
    assert.deepEqual(await readProfileFiles({ folders: [folder], environment: {} }), { layers: [], problems: [] });
    const { problems } = await readProfileFiles({ folders: [], environment: { KARL_MODEL_PROFILES: userFile() } });
    assert.deepEqual(problems, [{ source: userFile(), path: '', reason: 'does not exist' }]);
    const relative = await readProfileFiles({ folders: [], environment: { KARL_MODEL_PROFILES: 'mine.json' } });
    assert.match(relative.problems[0]?.reason ?? '', /absolute/);
  });

  it('that are broken are reported, and the others load', async () => {
    writeFileSync(workspaceFile(), '[{"id":');
    writeFileSync(userFile(), '[{"id":"good"},{"id":"bad","tools":"yes"}]');
    const { layers, problems } = await readProfileFiles({
      folders: [folder],
      environment: { KARL_MODEL_PROFILES: userFile() },
    });
    assert.deepEqual(
      problems.map(({ source, path }) => [source, path]),
      [
        [workspaceFile(), ''],
        [userFile(), '[1].tools'],
      ],
    );
    assert.deepEqual(
      layers.flatMap(({ entries }) => entries.map(({ id }) => id)),
      ['good'],
    );
  });

  it('are not mistaken for folders or for something huge', async () => {
    rmSync(workspaceFile(), { force: true });
    mkdirSync(workspaceFile());
    writeFileSync(userFile(), ' '.repeat(1_000_001));
    const { problems } = await readProfileFiles({
      folders: [folder],
      environment: { KARL_MODEL_PROFILES: userFile() },
    });
    assert.equal(problems.length, 2);
    assert.match(problems[0]?.reason ?? '', /not a regular file/);
    assert.match(problems[1]?.reason ?? '', /too large/);
  });

  it('are not waited for when they are a pipe, nor read without end when they are a device', async function () {
    if (process.platform === 'win32') this.skip();
    rmSync(workspaceFile(), { force: true });
    execFileSync('mkfifo', [workspaceFile()]);
    const { layers, problems } = await readProfileFiles({
      folders: [folder],
      environment: { KARL_MODEL_PROFILES: '/dev/zero' },
    });
    assert.deepEqual(layers, []);
    assert.deepEqual(
      problems.map(({ reason }) => reason),
      ['is not a regular file', 'is not a regular file'],
    );
  });
});
