import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { readSession } from '../../src/adapters/sessions/readSession.ts';
import type { ChatMessage } from '../../src/core/messages/chat.ts';
import { openConversation } from '../../src/engine.ts';
import { maskSecrets } from '../../src/rescue/maskSecrets.ts';
import { tryRescue } from '../../src/rescue/rescue.ts';
import { measure } from '../../src/rescue/showSession.ts';
import { root } from '../vscode/setup/root.ts';

const ID = '11111111-2222-3333-4444-555555555555';
const KEY = `sk-ant-${'a1'.repeat(20)}`;

/** A session of Claude Code with 60 rounds of some 1,000 tokens each. */
function longSession(folder: string): string {
  const lines: object[] = [];
  const add = (type: 'user' | 'assistant', message: object) => {
    const uuid = `u${lines.length}`;
    const parentUuid = lines.length === 0 ? null : `u${lines.length - 1}`;
    lines.push({ sessionId: ID, cwd: folder, isSidechain: false, uuid, parentUuid, type, message });
  };
  add('user', { role: 'user', content: `Check all parts; never touch part 7. The key is ${KEY}` });
  for (let part = 0; part < 60; part += 1) {
    const use = { type: 'tool_use', id: `toolu_${part}`, name: 'Bash', input: { command: `print ${part}` } };
    add('assistant', { id: `msg_${part}`, role: 'assistant', model: 'claude-opus-4-6', content: [use] });
    const content = Array.from({ length: 80 }, (_, row) => `part ${part} row ${row} has the value ${part * row}`).join(
      '\n',
    );
    add('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content }] });
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

describe('karl rescue', () => {
  let home: string;
  let work: string;
  let original: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(tmpdir(), 'karl-rescue-'));
    work = path.join(home, 'work');
    const project = path.join(home, '.claude', 'projects', work.replace(/[^A-Za-z0-9]/g, '-'));
    for (const folder of [work, project]) mkdirSync(folder, { recursive: true });
    original = path.join(project, `${ID}.jsonl`);
    writeFileSync(original, longSession(work));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  async function karl(...words: readonly string[]) {
    const { CLAUDE_CONFIG_DIR: _, CODEX_HOME: __, PI_CODING_AGENT_DIR: ___, ...environment } = process.env;
    const child = spawn(process.execPath, [path.join(root, 'src', 'karl.ts'), ...words], {
      cwd: work,
      env: { ...environment, HOME: home, USERPROFILE: home, PWD: work },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { said, complaint, code: code as number };
  }

  describe('of a session that is open in the editor', () => {
    const before = process.env.CLAUDE_CONFIG_DIR;
    beforeEach(() => {
      process.env.CLAUDE_CONFIG_DIR = path.join(home, '.claude');
    });
    afterEach(() => {
      if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR;
      else process.env.CLAUDE_CONFIG_DIR = before;
    });

    it('begins with what was made of it there: what is restored stays whole, however small the window', async () => {
      const { messages } = await readSession(original);
      const conversation = openConversation({
        profile: 'claude-opus-4-6',
        restore: { version: 1, messages, compactions: [], pins: [] },
      });
      await conversation.compact({ targetTokens: 5_000 });
      conversation.pin(7);
      const made = conversation.snapshot();
      const rescued = await tryRescue(original, {
        for: 'claude',
        window: 40_000,
        made,
      });
      assert.ok(rescued.ok, JSON.stringify(rescued));
      assert.ok(rescued.value.before.tokens < 12_000, 'what was compressed is not compressed anew');
      assert.equal(rescued.value.newer, 0);
      const written = JSON.stringify((await readSession(rescued.value.file)).messages);
      assert.match(written, /part 3 row 79 has/, 'what was restored');
      assert.doesNotMatch(written, /part 5 row 40 has/, 'what was not');
    });

    it('says how many messages its agent has added since', async () => {
      const { messages } = await readSession(original);
      const made = { messages: messages.slice(0, 21), compactions: [], pins: [] };
      const rescued = await tryRescue(original, { for: 'claude', window: 60_000, made });
      assert.ok(rescued.ok && rescued.value.newer === messages.length - 21, JSON.stringify(rescued));
    });

    it('is stopped before anything is written', async () => {
      const abort = new AbortController();
      const rescued = tryRescue(original, { for: 'claude', window: 60_000, signal: abort.signal });
      setImmediate(() => abort.abort());
      await assert.rejects(rescued, { name: 'AbortError' });
      assert.deepEqual(readdirSync(path.dirname(original)), [path.basename(original)]);
    });
  });

  it('finds the newest session of the folder, compresses it, and writes a new one beside it', async () => {
    const before = readFileSync(original);
    const { said, code, complaint } = await karl('rescue', '--window', '60000', '--json');
    assert.equal(code, 0, complaint);
    const report = JSON.parse(said) as { file: string; resume: string; after: { tokens: number }; masked: number };
    assert.equal(path.dirname(report.file), path.dirname(original));
    assert.match(report.resume, /^claude --resume [\da-f-]{36}$/);
    assert.ok(report.after.tokens < 20_000, said);
    assert.equal(report.masked, 0);
    assert.deepEqual(readFileSync(original), before, 'the original was only read');
    const rescued = await readSession(report.file);
    assert.equal(rescued.agent, 'claude');
    assert.match(String(rescued.messages[0]?.content), /never touch part 7/);
    assert.match(JSON.stringify(rescued.messages.at(-1)), /part 59 row 79/, 'the newest round is whole');
    assert.deepEqual(readdirSync(path.dirname(original)).length, 2, 'nothing else is left there');
  });

  it('carries over to another agent, without the keys that are recognised', async () => {
    const { said } = await karl('rescue', ID.slice(0, 13), '--for', 'codex', '--window', '60000', '--json');
    const report = JSON.parse(said) as { file: string; masked: number };
    assert.ok(report.file.startsWith(path.join(home, '.codex', 'sessions')), report.file);
    assert.equal(report.masked, 1);
    const written = readFileSync(report.file, 'utf8');
    assert.doesNotMatch(written, new RegExp(KEY));
    assert.equal((await readSession(report.file)).agent, 'codex');
  });

  for (const [what, words, complaint] of [
    ['a window without room', ['--window', '20000'], /leaves no room .*--window/],
    ['a window that is no number', ['--window', 'much'], /--window/],
    [
      'an agent whose sessions cannot be written',
      ['--for', 'cline'],
      /no session of cline can be written; --for takes .*codex/,
    ],
    ['a file that is not there', ['./nothing.jsonl'], /There is no file \.\/nothing\.jsonl/],
    ['an id that nothing has', ['ffffffff'], /no session "ffffffff"/],
    ['an option that it does not have', ['--colour'], /--colour/],
  ] as const)
    it(`says what is wrong, and writes nothing: ${what}`, async () => {
      const answer = await karl('rescue', ...words);
      assert.equal(answer.code, 1);
      assert.match(answer.complaint, complaint);
      assert.equal(readdirSync(path.dirname(original)).length, 1);
    });

  it('writes no file where the place cannot be had', async () => {
    writeFileSync(path.join(home, '.codex'), 'a file in its place');
    const { code, complaint } = await karl('rescue', '--for', 'codex');
    assert.equal(code, 1);
    assert.match(complaint, /could not be written to .*\.codex/);
  });

  it('follows a folder that is a link', async () => {
    const elsewhere = path.join(home, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, path.join(home, '.codex'));
    const { said } = await karl('rescue', '--for', 'codex', '--json');
    assert.ok((JSON.parse(said) as { file: string }).file.startsWith(elsewhere));
  });

  it('prints nothing of a session that steers a terminal or that a shell would run', async () => {
    const evil = path.join(home, "$(touch owned) it's");
    mkdirSync(evil);
    const text = longSession(evil).replace('Check all parts', 'Check \\u001b[2J\\u202eall parts');
    const file = path.join(evil, 'session.jsonl');
    writeFileSync(file, text);
    const { said } = await karl('rescue', file, '--for', 'pi', '--window', '60000');
    assert.match(said, /pi --session '[^\n]*'\\''s/);
    const listed = [said, (await karl('sessions')).said, (await karl('show', file)).said].join('');
    for (const steering of ['\u001b', '\u202e']) assert.ok(!listed.includes(steering), listed);
  });

  it('is helped by a list of the sessions, and by where the window went', async () => {
    const { said } = await karl('sessions', '--json');
    const found = JSON.parse(said) as Record<string, unknown>;
    assert.deepEqual(
      { agent: found.agent, id: found.id, folder: found.folder, file: found.file },
      { agent: 'claude', id: ID, folder: work, file: original },
    );
    const shown = await karl('show', ID);
    assert.match(shown.said, /results of Bash \(60\)/);
    assert.match(shown.said, /t\d+ +Bash \{"command":"print \d+"\}/);
  });
});

describe('where a window went', () => {
  it('is counted by who wrote it, each message once', () => {
    const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"a":1}' } });
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Fix it.' },
      { role: 'user', content: '<system-reminder>A note.</system-reminder>' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning_content: 'Hm.',
        tool_calls: [call('1', 'read'), call('2', 'run')],
      },
      { role: 'tool', tool_call_id: '1', content: 'word '.repeat(50) },
      { role: 'tool', tool_call_id: '2', content: 'word '.repeat(500) },
    ];
    const { parts, largest, tokens } = measure(messages);
    assert.deepEqual(parts.map(({ what }) => what).sort(), [
      'calls of read',
      'calls of run',
      'messages of the user',
      'notes of the agent',
      'results of read',
      'results of run',
      'texts of the model',
      'thoughts of the model',
    ]);
    assert.equal(parts[0]?.what, 'results of run');
    assert.deepEqual(
      largest.map(({ handle }) => handle),
      ['t4', 't3'],
    );
    assert.equal(
      parts.reduce((sum, part) => sum + part.tokens, 0),
      tokens,
    );
  });
});

describe('keys and tokens', () => {
  const secrets = [
    KEY,
    `sk-proj-${'Ab1_'.repeat(10)}`,
    `ghp_${'a'.repeat(36)}`,
    `github_pat_${'a'.repeat(70)}`,
    'AKIAIOSFODNN7EXAMPLE',
    `AIza${'b'.repeat(35)}`,
    `xoxb-${'1'.repeat(12)}-abc`,
    `npm_${'c'.repeat(36)}`,
    `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'d'.repeat(43)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${'M'.repeat(64)}\n-----END RSA PRIVATE KEY-----`,
  ];
  it('are masked wherever they stand in a message, and counted', () => {
    for (const secret of secrets) {
      const { messages, masked } = maskSecrets([
        { role: 'user', content: [{ type: 'text', text: `Use ${secret} for it.` }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', function: { name: 'run', arguments: JSON.stringify({ key: secret }) } }],
        },
      ]);
      assert.equal(masked, 2, secret);
      assert.deepEqual(messages[0]?.content, [{ type: 'text', text: 'Use [masked] for it.' }]);
    }
  });

  it('leave alone what only looks a little like one', () => {
    const plain =
      'task-runner sk-short ghp_abc AKIA eyJust.text the sk-learn docs, ids such as 11111111-2222-3333-4444-555555555555';
    assert.equal(maskSecrets([{ role: 'user', content: plain }]).masked, 0);
  });
});
