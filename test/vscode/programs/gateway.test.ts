import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { useFolder } from '../../adapters/folder.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { root } from '../setup/root.ts';

const PROGRAM = path.join(root, 'dist/gateway.mjs');

interface Ready {
  readonly url: string;
  readonly token?: string;
}

describe('karl-gateway, the program', () => {
  let server: ProviderServer;
  const running: ChildProcess[] = [];

  before(async () => {
    server = await ProviderServer.start({ pages: { '/v1/models': { object: 'list', data: [{ id: 'scripted' }] } } });
  });
  afterEach(async () => {
    await Promise.all(
      running.splice(0).map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill();
        await once(child, 'exit');
      }),
    );
  });
  after(() => server.close());
  // Removed after the gateways that write into it have ended.
  const inFolder = useFolder();

  function start(words: readonly string[], environment: Record<string, string> = {}) {
    const env = { ...process.env, KARL_GATEWAY_TOKEN: undefined, KARL_UPSTREAM_KEY: undefined, ...environment };
    const child = spawn(process.execPath, [PROGRAM, ...words], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    return child;
  }

  async function ready(words: readonly string[], environment?: Record<string, string>): Promise<Ready> {
    const { stdout } = start(['--upstream', server.baseUrl, ...words], environment);
    const [line] = (await once(stdout, 'data')) as [Buffer];
    assert.equal(line.toString().trimEnd().split('\n').length, 1);
    return JSON.parse(line.toString()) as Ready;
  }

  async function fails(words: readonly string[], environment?: Record<string, string>): Promise<string> {
    const child = start(words, environment);
    const [said, , [code]] = await Promise.all([text(child.stderr), text(child.stdout), once(child, 'exit')]);
    assert.equal(code, 1, said);
    assert.ok(!/\bat \S+ \(|\n {4}at /.test(said), said);
    return said;
  }

  async function statusOf(url: string, token: string): Promise<number> {
    const response = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${token}` } });
    await response.text();
    return response.status;
  }

  /** Asks a gateway whose token is `token-of-mine`. */
  async function ask(url: string, messages: readonly object[] = [{ role: 'user', content: 'hello' }]) {
    const headers = { authorization: 'Bearer token-of-mine' };
    const body = JSON.stringify({ model: 'scripted', messages });
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
    const said = await response.text();
    return { status: response.status, said, thread: /thread=(\w+)/.exec(response.headers.get('x-karl') ?? '')?.[1] };
  }

  const messageIn = (said: string): object => JSON.parse(said).choices[0].message;

  /** Ends the gateway that was started last. */
  async function end(): Promise<unknown> {
    const child = running.pop() ?? assert.fail();
    child.kill();
    return await once(child, 'exit');
  }

  it('says where it is, and makes a token when it is given none', async () => {
    const { url, token = '' } = await ready([]);
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    assert.ok(token.length >= 32);
    assert.equal(await statusOf(url, token), 200);
    assert.equal(await statusOf(url, 'another-token'), 401);
  });

  it('takes a token from the command line or the environment, and does not repeat it', async () => {
    const one = await ready(['--port', '0', '--token', 'token-of-mine']);
    assert.deepEqual(Object.keys(one), ['url']);
    assert.equal(await statusOf(one.url, 'token-of-mine'), 200);
    const other = await ready([], { KARL_GATEWAY_TOKEN: 'from-outside' });
    assert.deepEqual(Object.keys(other), ['url']);
    assert.equal(await statusOf(other.url, 'from-outside'), 200);
  });

  it('gives the key of the environment to the server, and to nobody else', async () => {
    const { url } = await ready(['--token', 'token-of-mine'], { KARL_UPSTREAM_KEY: 'sk-upstream' });
    const { said } = await ask(url);
    assert.equal(server.requests.at(-1)?.headers.authorization, 'Bearer sk-upstream');
    assert.ok(!said.includes('sk-upstream'));
  });

  it('goes on where nothing can be written any more, and says so once', async () => {
    const folder = inFolder();
    const child = start(['--upstream', server.baseUrl, '--token', 'token-of-mine', '--data', folder]);
    const complaints = text(child.stderr);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as Ready;
    const threads = path.join(folder, 'threads');
    fs.rmSync(threads, { recursive: true });
    fs.writeFileSync(threads, 'a file where a folder was');
    const messages: object[] = [{ role: 'user', content: 'hello' }];
    for (let round = 0; round < 3; round += 1) {
      const { status, said } = await ask(url, messages);
      assert.equal(status, 200);
      messages.push(messageIn(said), { role: 'user', content: `go on ${round}` });
    }
    child.kill();
    const said = (await complaints).trimEnd().split('\n');
    assert.ok(said[0]?.includes(threads), said[0]);
    assert.equal(said.length, new Set(said).size, said.join('\n'));
  });

  it('keeps conversations over a restart; deletes at its start what was not used for long or exceeds the limit', async () => {
    const folder = inFolder();
    const words = ['--token', 'token-of-mine', '--data', folder];
    const threadOf = async (more: readonly string[]) => {
      const { url } = await ready([...words, ...more]);
      const { thread } = await ask(url);
      assert.deepEqual(await end(), [0, null]);
      return thread ?? assert.fail();
    };
    const first = await threadOf([]);
    assert.equal(await threadOf(['--days', '30']), first);
    const age = () => {
      const old = new Date(Date.now() - 40 * 24 * 60 * 60 * 1000);
      const [raw, summary] = ['conversation-raw.jsonl', 'session-summary.json'].map((name) =>
        path.join(folder, 'threads', first, name),
      ) as [string, string];
      const { updatedAt: _, ...rest } = JSON.parse(fs.readFileSync(summary, 'utf8'));
      fs.writeFileSync(summary, JSON.stringify({ ...rest, updatedAt: old.getTime() }));
      fs.utimesSync(raw, old, old);
    };
    age();
    assert.equal(await threadOf([]), first, 'kept for 90 days');
    age();
    const second = await threadOf(['--days', '30']);
    assert.notEqual(second, first);
    assert.deepEqual(fs.readdirSync(path.join(folder, 'threads')), [second]);
    const raw = path.join(folder, 'threads', second, 'conversation-raw.jsonl');
    fs.appendFileSync(raw, ' '.repeat(1_100_000));
    assert.notEqual(await threadOf(['--megabytes', '1']), second);
  });

  it('says what is wrong with its options', async () => {
    assert.match(await fails([]), /needs --upstream/);
    assert.match(await fails(['--upstream', 'localhost']), /--upstream is not/);
    assert.match(await fails(['--upstream', server.baseUrl, '--port', '70000']), /--port must be/);
    assert.match(await fails(['--upstream', server.baseUrl, '--token', 'short']), /token must consist of/);
    assert.match(await fails(['--upstream', server.baseUrl, '--days', '3']), /--days needs --data/);
    const data = ['--upstream', server.baseUrl, '--data', tmpdir()];
    assert.match(await fails(['--upstream', server.baseUrl, '--data', '']), /--data needs a folder/);
    const file = path.join(root, 'package.json');
    const told = await fails(['--upstream', server.baseUrl, '--data', file]);
    assert.match(told, /--data must be a wri/);
    assert.match(await fails([...data, '--days', '0']), /--days must be a whole number from 1 to 36500, not "0"/);
    assert.match(await fails([...data, '--megabytes', '1e9']), /--megabytes must be a whole number/);
    assert.match(await fails(['--upstream', server.baseUrl, '--colour', 'red']), /--colour[\s\S]*--upstream URL/);
  });

  it('says so when its port is taken', async () => {
    const { port } = new URL(server.origin);
    assert.match(await fails(['--upstream', server.baseUrl, '--port', port]), new RegExp(`Port ${port} is in use`));
  });
});
