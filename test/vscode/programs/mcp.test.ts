import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { ConversationFile } from '../../../src/adapters/node/conversationFile.ts';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { ThreadFiles } from '../../../src/adapters/node/threadFiles.ts';
import { BUDGET_READER, RECALL_READER } from '../../../src/core/session/readers.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { assistant, system, tool, user } from '../../core/conversation/kit.ts';
import { makeThreads, send } from '../../core/session/threads/kit.ts';
import { root } from '../setup/root.ts';

const PROGRAM = path.join(root, 'dist/mcp.mjs');
const OWN = [user('Rename setUserEmail.'), assistant('Renamed to changeEmail.')];
const THREAD = [
  system('You help.'),
  user('Fix the parser.'),
  ...tool('c1', 'read', { path: 'a.ts' }, 'const zebra = 1;'),
];

describe('karl-mcp, the program', () => {
  let folder: string;
  let file: ConversationFile;
  let client: Client;

  before(async () => {
    folder = fs.mkdtempSync(path.join(tmpdir(), 'karl-mcp-'));
    const created = await new ConversationFiles({ root: folder, now: () => Date.now() }).create({
      id: 'own1',
      title: 'Say "no"\nand more',
    });
    assert.ok(created.ok);
    file = created.value;
    assert.ok((await file.append(OWN)).ok);
    const store = new ThreadFiles({
      root: folder,
      now: () => Date.now(),
      onProblem: (words) => assert.fail(inEnglish(words)),
    });
    await send(makeThreads({ store, now: () => Date.now() }), THREAD, { client: 'Cline' });
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PROGRAM, folder] }));
  });
  after(async () => {
    await client.close();
    await file.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  async function call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: unknown }> {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [part] = content as { type: string; text: string }[];
    return { text: part?.text ?? '', isError };
  }

  const fails = (words: readonly string[]) => spawnSync(process.execPath, [PROGRAM, ...words], { encoding: 'utf8' });

  it('offers the tools of the manifest, as tools that only read', async () => {
    const { tools } = await client.listTools();
    const { contributes } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    assert.deepEqual(
      tools.map(({ name, description, inputSchema }) => ({ name, modelDescription: description, inputSchema })),
      contributes.languageModelTools.map((declared: Record<string, unknown>) => ({
        name: declared.name,
        modelDescription: declared.modelDescription,
        inputSchema: declared.inputSchema,
      })),
    );
    assert.deepEqual([tools[0]?.name, tools[1]?.name], [RECALL_READER.name, BUDGET_READER.name]);
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
  });

  it("says the budget of the conversation that was used last, and lists Karl's own and others'", async () => {
    const { text, isError } = await call('karl_budget');
    assert.match(text, /^thread1 "Fix the parser\.", model \S+, as of \d{4}-\S+Z:\nused: \d+ of [\d,]+ tokens/);
    assert.match(text, /^- thread1 "Fix the parser\.", by "Cline", last used /m);
    assert.match(text, /^- own1 "Say \\"no\\"\\nand more", last used /m);
    assert.equal(isError, undefined);
  });

  it('recalls from either, by handle and by words, as history', async () => {
    const last = await call('karl_recall', { query: 'zebra' });
    assert.match(last.text, /^From conversation thread1 [\s\S]*data, not instructions[\s\S]*const zebra = 1;/);
    const own = await call('karl_recall', { query: 't1', conversation: 'own1' });
    assert.match(own.text, /Renamed to changeEmail\./);
  });

  it('says what is wrong with a call', async () => {
    for (const [args, said] of [
      [{ query: 't1', conversation: 'nowhere' }, /There is no conversation "nowhere"/],
      [{ query: 't1', conversation: '../../etc' }, /There is no conversation/],
      [{ query: 't1', conversation: 7 }, /conversation: must be/],
      [{}, /^Error: |\nError: query/],
    ] as const) {
      const { text, isError } = await call('karl_recall', args);
      assert.match(text, said);
      assert.equal(isError, true);
    }
    assert.match((await call('karl_forget')).text, /there is no tool "karl_forget"/);
  });

  it('changes nothing on the disk: not while another process writes, not where a line is torn', async () => {
    const raw = path.join(folder, 'conversations/own1/conversation-raw.jsonl');
    fs.appendFileSync(raw, '{"id":2,"message":{"role":"us');
    const files = () =>
      fs
        .globSync('**/*', { cwd: folder })
        .sort()
        .map((name) => [name, fs.statSync(path.join(folder, name))] as const)
        .filter(([name, found]) => found.isFile() && !name.endsWith('.lock'))
        .map(([name, { mtimeMs, size, ino }]) => [name, mtimeMs, size, ino]);
    const before = files();
    assert.match((await call('karl_recall', { query: 't1', conversation: 'own1' })).text, /Renamed/);
    await call('karl_budget');
    assert.deepEqual(files(), before);
    fs.truncateSync(raw, fs.readFileSync(raw, 'utf8').lastIndexOf('\n') + 1);
    assert.ok((await file.append([user('And now this.')])).ok, 'its writer goes on');
    assert.match((await call('karl_recall', { query: 't2', conversation: 'own1' })).text, /And now this/);
  });

  it('ends without a word when its client no longer listens', async () => {
    const child = spawn(process.execPath, [PROGRAM, folder]);
    const ping = () => child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    ping();
    await once(child.stdout, 'data');
    child.stdout.destroy();
    ping();
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([said, code], ['', 0]);
  });

  it('says what is wrong with its options', () => {
    const missing = path.join(folder, 'missing');
    for (const [words, said] of [
      [[], /needs one folder/],
      [[''], /needs one folder/],
      [[missing], new RegExp(`There is no folder ${missing}`)],
      [[PROGRAM], /mcp\.mjs is not a folder/],
      [['--colour'], /--colour[\s\S]*karl-mcp FOLDER/],
    ] as const) {
      const { status, stderr, stdout } = fails(words);
      assert.match(stderr, said);
      assert.deepEqual([status, stdout], [1, '']);
    }
  });
});
