import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSession } from '../../src/adapters/sessions/readSession.ts';
import type { ChatMessage } from '../../src/core/chat/wire.ts';
import { openConversation } from '../../src/engine.ts';
import { inEnglish } from '../../src/language/language.ts';
import { maskMessages } from '../../src/rescue/maskMessages.ts';
import { openGiven } from '../../src/rescue/openGiven.ts';
import { tryRescue } from '../../src/rescue/rescue.ts';
import { measure } from '../../src/rescue/showSession.ts';
import { useVariables } from '../adapters/folder.ts';
import { ProviderServer, type Responder } from '../adapters/server/providerServer.ts';
import { errorReply, textReply } from '../adapters/server/reply.ts';
import { ID, KEY, longSession, useKarl } from './kit.ts';

describe('karl rescue', () => {
  const { places, start, ended, karl } = useKarl();
  let { home, work, original } = places;
  beforeEach(() => {
    ({ home, work, original } = places);
  });

  describe('of a session that is open in the editor', () => {
    useVariables(() => ({ CLAUDE_CONFIG_DIR: path.join(home, '.claude') }));

    it('begins with what the user did with it there: what is restored stays whole, however small the window', async () => {
      const { messages } = await readSession(original);
      const conversation = openConversation({
        profile: 'claude-opus-4-6',
        restore: { version: 1, messages, compactions: [], pins: [] },
      });
      await conversation.compact({ targetTokens: 5_000 });
      conversation.pin(7);
      const made = conversation.snapshot();
      const rescued = await tryRescue(original, { for: 'claude', window: 40_000, made });
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

    it('is refused in words that can be translated and name no option of the command line', async () => {
      const refused = await tryRescue(original, { for: 'claude', window: 20_000 });
      assert.ok(!refused.ok && typeof refused.error === 'object', JSON.stringify(refused));
      assert.match(inEnglish(refused.error), /^A window of 20,000 tokens leaves no room .*: give a larger one\.$/);
    });

    it('is stopped before anything is written', async () => {
      const abort = new AbortController();
      const rescued = tryRescue(original, { for: 'claude', window: 60_000, signal: abort.signal });
      setImmediate(() => abort.abort());
      await assert.rejects(rescued, { name: 'AbortError' });
      assert.deepEqual(readdirSync(path.dirname(original)), [path.basename(original)]);
    });
  });

  it('says how much of a file was read, at most all of one that grows, and leaves nothing of that when given up', async () => {
    const lines = `${JSON.stringify({ type: 'user', message: { role: 'user', content: 'x'.repeat(900) } })}\n`.repeat(
      5_000,
    );
    appendFileSync(original, lines);
    const abort = new AbortController();
    let shown = '';
    let act = () => {
      appendFileSync(original, lines);
      act = () => undefined;
    };
    const write = (text: string): boolean => {
      act();
      shown += text;
      return true;
    };
    const { isTTY, write: before } = process.stderr;
    Object.assign(process.stderr, { isTTY: true, write });
    try {
      await openGiven(original);
      act = () => abort.abort();
      await assert.rejects(openGiven(original, { signal: abort.signal }), { name: 'AbortError' });
    } finally {
      Object.assign(process.stderr, { isTTY, write: before });
    }
    assert.match(shown.replaceAll('\u001B', ''), /^(?:(?:\r[1-9]\d? % read)+\r\[K){2}$/);
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
      /sessions of cline cannot be written: --for markdown makes a prompt .*--for also takes .*codex/,
    ],
    ['a file that is not there', ['./nothing.jsonl'], /There is no file \.\/nothing\.jsonl/],
    ['an id that nothing has', ['ffffffff'], /no session "ffffffff"/],
    ['an option that it does not have', ['--colour'], /--colour/],
    ['no address of a server', ['--upstream', 'nowhere'], /--upstream is not the base URL of a server: "nowhere"/],
    ['a model of no server', ['--model', 'writer'], /--model needs --upstream/],
    ['no server there', ['--upstream', 'http://127.0.0.1:9/v1'], /--upstream: .*--model/],
  ] as const)
    it(`says what is wrong, and writes nothing: ${what}`, async () => {
      const answer = await karl('rescue', ...words);
      assert.equal(answer.code, 1);
      assert.match(answer.complaint, complaint);
      assert.equal(readdirSync(path.dirname(original)).length, 1);
    });

  describe('with a model that writes a note', () => {
    const NOTE = 'The user wants all parts checked [t0]. Part 3 row 2 has the value 6 [t8].';
    const models = (...ids: readonly string[]) => ({
      '/v1/models': { object: 'list', data: ids.map((id) => ({ id, object: 'model', max_model_len: 60_000 })) },
    });
    let server: ProviderServer | undefined;
    afterEach(() => server?.close());

    const rescueWith = async (respond: Responder, ...words: readonly string[]) => {
      server = await ProviderServer.start({ respond, pages: models('writer') });
      const all = ['rescue', '--window', '60000', '--upstream', server.baseUrl, ...words];
      return ended(start(all, { variables: { KARL_UPSTREAM_KEY: 'key-of-the-server' } }));
    };

    it('has it beside what the human wrote, audited, and sends the server no key of the session', async () => {
      const { said, complaint } = await rescueWith(() => textReply(`${NOTE} It is in src/invented.ts [t9].`), '--json');
      const { note, file } = JSON.parse(said || '{}') as { note?: unknown; file: string };
      assert.deepEqual(note, { model: 'writer' }, complaint);
      const written = readFileSync(file, 'utf8');
      assert.match(written, /Part 3 row 2 has the value 6/);
      assert.doesNotMatch(written, /invented\.ts/, 'no message has it');
      const asked = JSON.stringify(server?.requests);
      assert.match(asked, /Bearer key-of-the-server/);
      assert.match(asked, /never touch part 7/);
      assert.ok(!asked.includes(KEY), 'it is masked');
      assert.ok(written.includes(KEY), "what stays with the session's own agent is not");
    });

    it('has quotations where the server fails, and says so in one line', async () => {
      const refused = () => errorReply(401, { error: { message: 'No such key.', code: 'invalid_api_key' } });
      const { said, code } = await rescueWith(refused);
      assert.equal(code, 0);
      assert.match(said, /^With quotations in place of a note: .*No such key\./m);
      assert.match(said, /claude --resume/);
    });

    it('asks which model is meant where the server has several', async () => {
      server = await ProviderServer.start({ pages: models('one', 'two') });
      const { complaint } = await karl('rescue', '--upstream', server.baseUrl);
      assert.match(complaint, /--model is needed: .* lists 2 models/);
    });

    it('writes nothing when Ctrl+C ends it, and says so with the exit code', async () => {
      server = await ProviderServer.start({
        respond: () => ({ neverAnswer: true, steps: [] }),
        pages: models('writer'),
      });
      const child = start(['rescue', '--window', '60000', '--upstream', server.baseUrl]);
      const over = ended(child);
      const isAsked = () => server?.requests.some(({ path: at }) => at.endsWith('/chat/completions')) === true;
      while (!isAsked()) await server.received(server.requests.length + 1);
      child.kill('SIGINT');
      const { said, complaint, code } = await over;
      assert.deepEqual({ said, complaint, code }, { said: '', complaint: '', code: 130 });
      assert.equal(readdirSync(path.dirname(original)).length, 1);
    });
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

  it('is helped by a list of the sessions, and by what fills the window of one', async () => {
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

it('what fills a window is counted by who wrote it, each message once', () => {
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
  const handles = largest.map(({ handle }) => handle);
  assert.deepEqual(handles, ['t4', 't3']);
  const sum = parts.reduce((sum, part) => sum + part.tokens, 0);
  assert.equal(sum, tokens);
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
      const { messages, masked } = maskMessages([
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
    assert.equal(maskMessages([{ role: 'user', content: plain }]).masked, 0);
  });
});
