import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply, textReply } from '../../adapters/server/reply.ts';
import { root } from '../setup/root.ts';

const PROGRAM = path.join(root, 'dist/karl.mjs');

/**
 * A program that stands for an agent: it says what it was given, asks the gateway once in the API of Messages, and does
 * what its first words tell it.
 */
const AGENT = `#!/usr/bin/env node
const { OPENAI_BASE_URL, OPENAI_API_KEY, QWEN_CODE_SYSTEM_SETTINGS_PATH: file } = process.env;
const [what, ...words] = process.argv.slice(2);
if (what === '--version') {
  console.log('fake 1.2.3');
  process.exit();
}
const content = [{ type: 'text', text: 'Hello.' }, { type: 'document', source: { type: 'text', data: 'Terms' } }];
const body = JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] });
const headers = { 'x-api-key': OPENAI_API_KEY };
const answer = await fetch(OPENAI_BASE_URL + '/messages', { method: 'POST', headers, body });
const { content: said } = await answer.json();
const settings = JSON.parse((await import('node:fs')).readFileSync(file, 'utf8'));
const given = { pid: process.pid, words, file, url: OPENAI_BASE_URL, model: process.env.OPENAI_MODEL, said, settings };
process.on('SIGTERM', () => (what === 'stay' ? process.exit(3) : process.kill(process.pid, 'SIGKILL')));
console.log(JSON.stringify(given));
if (what === 'end') process.exit(Number(words[0]));
setInterval(() => undefined, 1_000);
`;

interface Given {
  readonly pid: number;
  readonly words: readonly string[];
  readonly file: string;
  readonly url: string;
  readonly model: string;
  readonly said: unknown;
  readonly settings: { readonly security: unknown };
}

describe('karl, the program', () => {
  // A shebang is what starts the agent.
  if (process.platform === 'win32') return;
  let server: ProviderServer;
  let folder: string;
  let running: ChildProcess | undefined;

  before(async () => {
    const data = [{ id: 'listed', object: 'model' }];
    const pages = { '/v1/models': { object: 'list', data } };
    server = await ProviderServer.start({ pages, respond: () => textReply('Fine.') });
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-agent-'));
    fs.writeFileSync(path.join(folder, 'qwen'), AGENT, { mode: 0o700 });
    fs.symlinkSync(process.execPath, path.join(folder, 'node'));
    fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
    fs.mkdirSync(path.join(folder, '.gemini'));
    const settings = { security: { auth: { selectedType: 'oauth-personal' } } };
    fs.writeFileSync(path.join(folder, '.gemini/settings.json'), JSON.stringify(settings));
  });
  afterEach(() => running?.kill('SIGKILL'));
  after(async () => {
    await server.close();
    fs.rmSync(folder, { recursive: true });
  });

  function start(...words: readonly string[]) {
    const own = { PATH: folder, GEMINI_CLI_HOME: folder, KARL_UPSTREAM_KEY: undefined, NODE_OPTIONS: undefined };
    const ANTHROPIC_BASE_URL = 'http://me:s3cret@host';
    const env = { ...process.env, ...own, ANTHROPIC_BASE_URL };
    const child = spawn(process.execPath, [PROGRAM, ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    running = child;
    return child;
  }

  async function ends(child: ReturnType<typeof start>) {
    const [said, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code, said, errors };
  }

  async function isGone({ pid, file, url }: Given): Promise<void> {
    assert.throws(() => process.kill(pid, 0), /ESRCH/);
    assert.ok(!fs.existsSync(path.dirname(file)));
    await assert.rejects(fetch(url), /fetch failed/);
  }

  it('wrap starts an agent with its words behind a gateway, and ends with its exit code', async () => {
    const own = ['--upstream', server.baseUrl, '--window', '9000'];
    const { code, said, errors } = await ends(start('wrap', ...own, 'qwen', 'end', '7', '--x=y'));
    assert.equal(code, 7, errors);
    const given = JSON.parse(said) as Given;
    assert.deepEqual(given.words, ['7', '--x=y']);
    assert.equal(given.model, 'listed');
    assert.deepEqual(given.said, [{ type: 'text', text: 'Fine.' }]);
    assert.deepEqual(given.settings.security, { auth: { selectedType: 'openai' } });
    assert.match(errors, /^karl: .* no place for content of the type document: left out\.\n$/);
    await isGone(given);
  });

  it('wrap says at the end why the server refused a request, and what it does not know', async () => {
    server.enqueue(errorReply(401, { error: { message: 'Incorrect API key' } }));
    const { code, errors } = await ends(start('wrap', '--upstream', server.baseUrl, 'qwen', 'end', '0'));
    assert.equal(code, 0);
    assert.match(errors, /^karl: the model's server refused a request: .*Incorrect API key/m);
    assert.match(errors, /^karl: the context window of "m" is unknown: .* --window N sets it\.$/m);
  });

  for (const [what, expected] of [
    ['stay', 3],
    ['fall', 128 + 9],
  ] as const)
    it(`wrap passes a signal on, and leaves nothing running: an agent that ends with ${expected}`, async () => {
      const child = start('wrap', '--upstream', server.baseUrl, '--model=m', 'qwen', what);
      const [line] = (await once(child.stdout, 'data')) as [Buffer];
      child.kill('SIGTERM');
      assert.equal((await ends(child)).code, expected);
      await isGone(JSON.parse(String(line)) as Given);
    });

  for (const [words, code, told] of [
    [['wrap', '--upstream', 'http://127.0.0.1:9/v1', 'qwen'], 1, /karl wrap: qwen needs --model: .* lists no models/],
    [
      ['wrap', '--upstream', 'http://127.0.0.1:9/v1', '--model', 'm', 'copilot'],
      127,
      /copilot was not found: npm install -g/,
    ],
    [['wrap', 'nobody'], 1, /karl wrap: knows claude, .*but not "nobody"/],
    [['wrap', 'qwen'], 1, /karl wrap: qwen needs --upstream/],
    [['wrap', '--upstream', 'localhost:1234/v1', 'claude'], 1, /karl wrap: --upstream is not the base URL of a server/],
    [
      ['wrap', 'claude'],
      1,
      /^karl wrap: the base URL that claude is set to use cannot be used: give --upstream URL\.\n$/,
    ],
    [['wrap', 'gemini'], 1, /karl wrap: Gemini CLI is set to log in with “oauth-personal” \(.*settings\.json\)/],
    [['wrap', '--dialect', 'soap', 'claude'], 1, /karl wrap: --dialect must be one of/],
    [['wrap', '--window', 'some', 'claude'], 1, /karl wrap: --window: /],
    [['wrap', '--colour', 'red', 'claude'], 1, /--colour[\s\S]*karl wrap \[--upstream/],
  ] as const)
    it(`says what is wrong with ${words.join(' ')}`, async () => {
      const ended = await ends(start(...words));
      assert.equal(ended.code, code);
      assert.match(ended.errors, told);
    });

  it('prints its help, also after the name of a command', async () => {
    const ended = await ends(start('rescue', '--help'));
    assert.deepEqual([ended.code, ended.errors], [0, '']);
    assert.match(ended.said, /karl rescue \[FILE\|ID\]/);
  });

  it('doctor says which agents are installed, how to get the others, and what does not start', async () => {
    const { code, said } = await ends(start('doctor'));
    assert.equal(code, 0);
    assert.match(said, /^qwen +fake 1\.2\.3$/m);
    assert.match(said, /^claude +not found: npm install -g @anthropic-ai\/claude-code$/m);
    for (const [name, program] of [
      ['codex', '#!/usr/bin/env node\nconsole.error("no library"); process.exit(9);\n'],
      ['pi', '#!/nowhere/at-all\n'],
    ] as const)
      fs.writeFileSync(path.join(folder, name), program, { mode: 0o700 });
    const broken = await ends(start('doctor'));
    assert.equal(broken.code, 1);
    assert.match(broken.said, /^codex +\S+codex ends with code 9\. no library$/m);
    assert.match(broken.said, /^pi +\S+pi cannot be started \(ENOENT\)\.$/m);
  });
});
