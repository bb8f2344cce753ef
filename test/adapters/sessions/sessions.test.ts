import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { findSessionsNamed, listSessions } from '../../../src/adapters/sessions/findSessions.ts';
import { findInDatabases } from '../../../src/adapters/sessions/openCode.ts';
import { FORMATS, readSession } from '../../../src/adapters/sessions/readSession.ts';
import { SessionError } from '../../../src/adapters/sessions/session.ts';
import { StandIns } from '../../../src/adapters/sessions/standIns.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { useFolder, useVariables } from '../folder.ts';
import { SAID, SAMPLES } from './samples.ts';

const HOMES = ['HOME', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME', 'PI_CODING_AGENT_DIR', 'XDG_DATA_HOME'];

describe('sessions of agents', () => {
  const path = useFolder();
  useVariables(() => Object.fromEntries(HOMES.map((name) => [name, path(name)])));

  function save(text: string): string {
    writeFileSync(path('session'), text);
    return path('session');
  }
  const read = (text: string) => readSession(save(text));
  const contentsOf = ({ messages }: { readonly messages: readonly ChatMessage[] }) =>
    messages.map(({ content }) => content);

  for (const [agent, text] of Object.entries(SAMPLES))
    it(`of ${agent} are known by their content and read`, async () => {
      const file = save(text);
      const session = await readSession(file);
      assert.equal(session.agent, agent);
      assert.deepEqual(session.messages, SAID);
      assert.deepEqual(session.repairs, []);
      assert.equal(readFileSync(file, 'utf8'), text);
    });

  it('of aider are read from its Markdown', async () => {
    const session = await read(
      '# aider chat started at 2026-01-02 10:00:00\n\n> Aider v0.50\n\n#### add a test\n#### for it\n\nHere it is.\n\n> Tokens: 5k\n\nMore.\n',
    );
    assert.deepEqual(session.messages, [
      { role: 'user', content: 'add a test\nfor it' },
      { role: 'assistant', content: 'Here it is.' },
      { role: 'assistant', content: 'More.' },
    ]);
  });

  it('of OpenCode are found in its database and read from it', async () => {
    const { info, messages } = JSON.parse(SAMPLES.opencode ?? '');
    mkdirSync(path('XDG_DATA_HOME/opencode'), { recursive: true });
    const file = path('XDG_DATA_HOME/opencode/opencode.db');
    const database = new DatabaseSync(file);
    database.exec(`
      create table session (id text, parent_id text, title text, directory text, agent text, model text, time_updated integer);
      create table message (id text, session_id text, time_created integer, data text);
      create table part (id text, message_id text, session_id text, data text);
    `);
    const insert = (table: string, ...values: (string | number | null)[]) =>
      database.prepare(`insert into ${table} values (${values.map(() => '?').join(', ')})`).run(...values);
    insert('session', 'ses_1', null, info.title, info.directory, 'build', JSON.stringify(info.model), 5);
    insert('session', 'ses_2', 'ses_1', 'a sub-agent', info.directory, 'build', null, 6);
    for (const [at, { info: own, parts }] of messages.entries()) {
      insert('message', own.id, 'ses_1', at, JSON.stringify(own));
      for (const [place, part] of parts.entries())
        insert('part', `prt_${at}${place}`, own.id, 'ses_1', JSON.stringify(part));
    }
    // OpenCode has it open, and is just writing.
    database.exec("pragma journal_mode = wal; begin immediate; update session set title = 'Half'");
    const found = await findInDatabases([]);
    const listed = found.map((one) => [one.file, one.changedAt]);
    assert.deepEqual(listed, [[`${file}#ses_1`, 5]]);
    const session = await readSession(`${file}#ses_1`);
    assert.deepEqual(session.messages, SAID);
    assert.deepEqual([session.title, session.folder, session.model], ['Alpha', '/work/app', 'scripted']);
    database.exec('commit');
    database.close();
  });

  it('tell folder, model and window where they are in the file', async () => {
    const facts = async (agent: string) => {
      const { id, folder: at, model, window } = await read(SAMPLES[agent] ?? '');
      return { id, at, model, window };
    };
    assert.deepEqual(await facts('claude'), { id: 's1', at: '/work/app', model: 'claude-opus-4-6', window: 200_000 });
    assert.deepEqual(await facts('codex'), { id: 's1', at: '/work/app', model: 'gpt-5.1-codex', window: 258_400 });
    assert.deepEqual(await facts('pi'), { id: 's1', at: '/work/app', model: 'claude-opus-4-5', window: undefined });
  });

  describe('that their agents have compacted', () => {
    const uuid = (one: string, parentUuid: string | null, more: object) =>
      JSON.stringify({ sessionId: 's1', uuid: one, parentUuid, ...more });
    const user = (content: string) => ({ type: 'user', message: { role: 'user', content } });
    const answer = (id: string, text: string) => ({
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    });

    const timestamp = '2026-11-28T06:10:00.000Z';
    const at = Date.parse(timestamp);

    it('have everything, the summary apart, and what their agent kept', async () => {
      const lines = [
        uuid('a', null, user('Begin.')),
        uuid('b', 'a', answer('1', 'Begun.')),
        uuid('c', null, {
          type: 'system',
          subtype: 'compact_boundary',
          logicalParentUuid: 'b',
          timestamp,
          compactMetadata: { preservedMessages: { uuids: ['b', 'gone'] } },
        }),
        uuid('d', 'c', { ...user('The summary.'), isCompactSummary: true }),
        uuid('e', 'd', user('Go on.')),
      ];
      const session = await read(lines.join('\n'));
      assert.deepEqual(contentsOf(session), ['Begin.', 'Begun.', 'Go on.']);
      assert.deepEqual(session.compactions, [{ before: 2, summary: 'The summary.', kept: [1], at }]);
    });

    const said = (text: unknown) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] });
    const part = (role: string, ...parts: readonly object[]) => ({ role, parts });
    const compressedHistory = [
      part('user', { text: 'The summary.' }),
      part('model', { text: 'Got it.' }),
      part('user', { text: 'These files were read.' }),
      part('model', { functionCall: { id: 'call_1' } }, { functionCall: { id: 'call_2' } }),
      part('user', { functionResponse: { id: 'call_1' } }),
    ];
    for (const [agent, kept, ...records] of [
      [
        'codex',
        [0],
        {
          type: 'compacted',
          payload: { message: 'The summary.', replacement_history: [said(SAID[0]?.content), said('The summary.')] },
        },
      ],
      ['pi', [4], { type: 'compaction', id: '7', parentId: '6', summary: 'The summary.', firstKeptEntryId: '6' }],
      [
        'qwen',
        [1, 2, 3],
        { uuid: 'z', type: 'system', subtype: 'chat_compression', systemPayload: { compressedHistory } },
      ],
      [
        'copilot',
        [4],
        { type: 'session.compaction_complete', data: { success: true, summaryContent: 'The summary.' } },
        { type: 'session.compaction_complete', data: { success: false } },
      ],
    ] as const)
      it(`say where, and what was kept: ${agent}`, async () => {
        const lines = records.map((record) => JSON.stringify({ timestamp, ...record }));
        const session = await read(`${SAMPLES[agent]}${lines.join('\n')}`);
        assert.deepEqual(session.messages, SAID);
        assert.deepEqual(session.compactions, [{ before: SAID.length, summary: 'The summary.', kept, at }]);
      });

    it('have everything once where the list is stated anew: gemini', async () => {
      const text = (id: string, type: string, content: string) => ({ id, type, content: [{ text: content }] });
      const list = (...messages: readonly object[]) => JSON.stringify({ $set: { messages, lastUpdated: timestamp } });
      const compacted = [
        text('1', 'user', 'The summary.'),
        text('2', 'gemini', 'Got it.'),
        text('3', 'gemini', 'Both are read.'),
      ];
      const session = await read(
        [
          SAMPLES.gemini?.trim(),
          list(...compacted),
          JSON.stringify(text('4', 'user', 'Go on.')),
          // It is resumed.
          list(text('c', 'user', '<session_context>\nNow.')),
          list(...compacted, text('4', 'user', 'Go on.')),
        ].join('\n'),
      );
      assert.deepEqual(session.messages, [...SAID, { role: 'user', content: 'Go on.' }]);
      assert.deepEqual(session.compactions, [{ before: SAID.length, summary: 'The summary.', kept: [4], at }]);
    });
  });

  it('have nothing that was taken back: gemini', async () => {
    const records = [
      { id: 'x', type: 'user', content: 'Not this.' },
      { id: 'y', type: 'gemini', content: 'No.' },
    ];
    const lines = [...records, { $rewindTo: 'x' }, { $rewindTo: 'unknown' }].map((record) => JSON.stringify(record));
    assert.deepEqual((await read(`${SAMPLES.gemini}${lines.join('\n')}`)).messages, SAID);
  });

  describe('that are damaged', () => {
    const claude = SAMPLES.claude?.split('\n') ?? [];
    for (const [what, text, repairs] of [
      ['a line that is cut', `${SAMPLES.claude}{"uuid":"z","type":"us`, ['Lines that are not JSON were skipped: 1.']],
      [
        'lines of another writer in between',
        claude.flatMap((line, at) => (at % 3 === 1 ? [line, '\u0000\u0000'] : [line])).join('\n'),
        ['Lines that are not JSON were skipped: 4.'],
      ],
      [
        'lines that are there twice',
        claude.flatMap((line) => [line, line]).join('\n'),
        ['Duplicate lines were read once: 10.'],
      ],
      [
        'a line whose predecessor is missing',
        claude.filter((line) => !line.includes('"progress"')).join('\n'),
        ['Lines whose predecessors are missing were put after those before them: 1.'],
      ],
    ] as const)
      it(`lose nothing else: ${what}`, async () => {
        const session = await read(text);
        assert.deepEqual(session.messages, SAID);
        assert.deepEqual(session.repairs.map(inEnglish), repairs);
      });

    it('have both messages where two have the same id', async () => {
      const about = { sessionId: 's1', uuid: 'a', parentUuid: null, type: 'user' };
      const twice = ['One.', 'Two.'].map((content) => JSON.stringify({ ...about, message: { role: 'user', content } }));
      assert.deepEqual(contentsOf(await read(twice.join('\n'))), ['One.', 'Two.']);
    });

    it('have no message that no model could be sent', async () => {
      const messages = [...SAID, { role: 'user', content: 7 }, { role: 'nobody' }];
      const session = await read(JSON.stringify({ messages }));
      assert.deepEqual(session.messages, SAID);
      assert.deepEqual(session.repairs.map(inEnglish), ['Invalid messages were skipped: 2.']);
    });

    for (const [agent, text] of Object.entries(SAMPLES))
      it(`are read or refused with a word whatever one of their values is: ${agent}`, async () => {
        const records = agent === 'cline' ? [text] : text.trim().split('\n');
        for (const [at, record] of records.entries())
          for (let place = 0, values = 1; place < values; place += 1)
            for (const odd of [null, { toString: 1, valueOf: 1 }]) {
              values = 0;
              const changed = JSON.parse(record, (_, value) => (values++ === place ? odd : value));
              await read(records.with(at, JSON.stringify(changed)).join('\n')).catch((error: unknown) =>
                assert.ok(error instanceof SessionError, `${JSON.stringify(changed)}: ${String(error)}`),
              );
            }
      });

    for (const [what, text] of [
      ['another kind of file', 'just a text\nof two lines\n'],
      ['a document of something else', '{"name":"package","version":"1.0.0"}'],
      ['an empty file', ''],
      ['no messages', JSON.stringify({ type: 'session', version: 3, id: 's1', cwd: '/work' })],
    ] as const)
      it(`are refused with a word: ${what}`, () =>
        assert.rejects(
          read(text),
          (error: unknown) => error instanceof SessionError && error.message.includes(path()),
        ));
  });

  it('are not written without the images that stayed in their file, when these are gone', async () => {
    const url = `data:image/png;base64,${'A'.repeat(100_000)}`;
    const standIns = new StandIns();
    const text = JSON.stringify(standIns.take({ url }, true));
    assert.ok(text.length < url.length);
    const from = (record: Record<string, unknown>) => async () =>
      (async function* () {
        yield record;
      })();
    assert.equal(await standIns.restore(text, from({ url })), JSON.stringify({ url }));
    await assert.rejects(standIns.restore(text, from({})), /has lost images/);
  });

  it('are read no further when that is given up', async () => {
    const given = new AbortController();
    const file = save((SAMPLES.codex ?? '').repeat(2_000));
    const reading = readSession(file, { signal: given.signal });
    given.abort(new Error('given up'));
    await assert.rejects(reading, /given up|aborted/);
  });

  it('say how much of a long file was read', async () => {
    const shares: number[] = [];
    await readSession(save((SAMPLES.codex ?? '').repeat(2_000)), { onProgress: (share) => shares.push(share) });
    assert.ok(shares.some((share) => share > 0 && share < 1));
    assert.deepEqual([shares.at(-1), shares], [1, shares.toSorted((one, other) => one - other)]);
  });

  describe('that are written', () => {
    const call = { id: 'call_3', type: 'function', function: { name: 'run', arguments: '{}' } };
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages: readonly ChatMessage[] = [
      ...SAID,
      { role: 'user', content: [{ type: 'text', text: 'Look at this.' }, image] },
      { role: 'user', content: 'And go on.' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_3', content: '' },
      // Neighbours are not one message.
      { role: 'assistant', content: 'It has run.' },
      { role: 'assistant', content: 'Once more.' },
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'call_4' }] },
      { role: 'tool', tool_call_id: 'call_4', content: 'fine' },
      { role: 'assistant', content: 'Done.' },
      { role: 'assistant', content: 'Really.' },
    ];
    for (const { name, write } of FORMATS) {
      if (write === undefined || name === 'markdown') continue;
      it(`come in again as they went out: ${name}`, async () => {
        const now = Date.parse('2026-01-02T03:04:05Z');
        const session = await read(write({ messages, folder: '/work/app', origin: undefined, now }).text);
        assert.equal(session.agent, name);
        assert.deepEqual(session.messages, messages);
      });
    }

    describe('for Gemini CLI', () => {
      const write = (written: readonly ChatMessage[], folder = '/work/app') => {
        const gemini = FORMATS.find(({ name }) => name === 'gemini');
        const made = gemini?.write?.({ messages: written, folder, origin: undefined, now: 0 });
        assert.ok(made !== undefined);
        return made;
      };
      const linesOf = (text: string) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));

      it('have no message that it would take for a command', async () => {
        const messages = ['/tmp is full.', '?'].map((content) => ({ role: 'user' as const, content }));
        const { text } = write(messages);
        for (const { content } of linesOf(text).slice(1)) assert.doesNotMatch(content[0].text.trim(), /^[/?]/);
        assert.deepEqual((await read(text)).messages, messages);
      });

      it('have a result for every call, and images beside their results', async () => {
        const content = [{ type: 'text', text: 'STATUS: pending' }, image];
        const { messages } = await read(
          write([...SAID.slice(0, 2), { role: 'tool', tool_call_id: 'call_1', content }]).text,
        );
        assert.deepEqual(messages.slice(2), [
          { role: 'tool', tool_call_id: 'call_1', content },
          { role: 'tool', tool_call_id: 'call_2', content: 'cut off' },
        ]);
      });

      it('are where it looks for those of the folder', () => {
        mkdirSync(path('GEMINI_CLI_HOME/.gemini'), { recursive: true });
        writeFileSync(
          path('GEMINI_CLI_HOME/.gemini/projects.json'),
          JSON.stringify({ projects: { '/work/app': 'app' } }),
        );
        const hash = createHash('sha256').update('/work/new').digest('hex');
        for (const [folder, name] of [
          ['/work/app', 'app'],
          ['/work/new', hash],
        ] as const) {
          const { file, id } = write(SAID, folder);
          const own = `session-1970-01-01T00-00-${id.slice(0, 8)}.jsonl`;
          assert.equal(file, path('GEMINI_CLI_HOME/.gemini/tmp', name, 'chats', own));
        }
      });
    });
  });

  describe('that are listed', () => {
    beforeEach(() => {
      mkdirSync(path('CLAUDE_CONFIG_DIR/projects/-work'), { recursive: true });
      for (let at = 0; at < 5; at += 1) {
        const file = path(`CLAUDE_CONFIG_DIR/projects/-work/0000000${at}-0000-0000-0000-000000000000.jsonl`);
        writeFileSync(file, SAMPLES.claude ?? '');
        utimesSync(file, at + 1, at + 1);
      }
    });

    it('are those used last, and it is said how many there are and which folder cannot be read', async () => {
      // A file where a folder should be.
      mkdirSync(path('CODEX_HOME'));
      writeFileSync(path('CODEX_HOME/sessions'), '');
      const { sessions, all, unread } = await listSessions(2);
      const listed = sessions.map(({ changedAt, title, window }) => [changedAt, title, window]);
      assert.deepEqual(
        listed,
        [5000, 4000].map((changedAt) => [changedAt, 'Set STATUS in alpha.txt to done.', 200_000]),
      );
      assert.equal(all, 5);
      assert.deepEqual(unread, [path('CODEX_HOME/sessions')]);
    });

    it('are found by the name and size of a file, of which a page knows no more', async () => {
      const size = Buffer.byteLength(SAMPLES.claude ?? '');
      const name = '00000002-0000-0000-0000-000000000000.jsonl';
      const found = await findSessionsNamed(name, size);
      const names = found.map((file) => basename(file));
      assert.deepEqual(names, [name]);
      assert.deepEqual(await findSessionsNamed(name, size + 1), []);
    });
  });
});
