import assert from 'node:assert/strict';
import { fence } from '../../../src/core/chat/fence.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { BY_HAND } from '../../../src/core/compaction/byHand.ts';
import type { Compaction } from '../../../src/core/compaction/compaction.ts';
import { buildSystemPrompt } from '../../../src/core/session/systemPrompt.ts';
import type { TokenCount } from '../../../src/core/tokens/counter.ts';
import { MAX_CHANGED } from '../../../src/protocol/fromWebview.ts';
import type { ListRow } from '../../../src/protocol/list.ts';
import type { ContentsState } from '../../../src/protocol/viewState.ts';
import { converse, assistant as said, user } from '../../core/conversation/kit.ts';
import { COMPACTION, given, present } from './kit.ts';

const call = (name: string, args: object): ChatMessage => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c', function: { name, arguments: JSON.stringify(args) } }],
});
const result = (content = 'text'): ChatMessage => ({ role: 'tool', tool_call_id: 'c', content });
const read = (path: string, lines: object = {}) => [call('read_file', { path, ...lines }), result()];
const edit = (path: string, said = 'ok') => [call('edit_file', { path, old_text: 'a', new_text: 'b' }), result(said)];

/** Each message takes 100 tokens; the tool definitions 50; the budget is 1,000, a compression due at 800. */
function contentsOf(
  messages: readonly ChatMessage[],
  compactions: readonly Compaction[] = [],
  used = 500,
): ContentsState {
  const { contents } = present(given({ messages, compactions, used, pins: [] }), { showsContents: true });
  return contents ?? assert.fail('no contents');
}
const PROMPT: ChatMessage = { role: 'system', content: 'You are an agent.' };
const sumOf = ({ groups }: Pick<ContentsState, 'groups'>) => groups.reduce((sum, { tokens }) => sum + tokens, 0);
const rowsOf = (contents: Pick<ContentsState, 'groups'>, kind: string): readonly ListRow[] =>
  contents.groups.find((group) => group.kind === kind)?.rows ?? [];
const possible = ({ acts = {} }: ListRow) => Object.values(acts).filter((act) => typeof act !== 'string');
const words = ({ label, tokens, note }: ListRow) => `${label} | ${tokens} | ${note}`;

describe('what fills the window', () => {
  it('is grouped by source, largest first, with every message in one place', () => {
    const run = [call('run', { command: 'npm test' }), result()];
    const { groups } = contentsOf([PROMPT, user('Go.'), ...read('a.ts'), ...read('b.ts'), ...run, said('Done.')]);
    const sizes = Object.entries({ replies: 400, files: 200, instructions: 100, user: 100, results: 100, tools: 50 });
    const shown = groups.map(({ kind, tokens }) => [kind, tokens]);
    assert.deepEqual(shown, sizes);
    assert.deepEqual(rowsOf({ groups }, 'results').map(words), ['run npm test | 100 | ']);
  });

  it('lists tool definitions with the number of their calls, and each file of instructions in the prompt', () => {
    const tool = (name: string, description: string) => ({
      type: 'function' as const,
      function: { name, description, parameters: {} },
    });
    const prompt = buildSystemPrompt({
      folders: ['app'],
      instructions: [
        { path: 'AGENTS.md', text: 'Mind the rounding.' },
        { path: 'CLAUDE.md', text: 'Be brief.' },
      ],
    });
    const messages = [{ role: 'system', content: prompt } as const, user('Go.'), ...read('a.ts')];
    const made = given({ messages, compactions: [], used: 500, pins: [] });
    const tools = [tool('read_file', 'x'.repeat(300)), tool('list_files', '')];
    const input = { ...made, settings: { ...made.settings, tools } };
    const { contents } = present(input, { showsContents: true });
    assert.ok(contents);
    const rows = rowsOf(contents, 'tools');
    const shown = rows.map(({ label, note, tool: name }) => [label, note, name]);
    assert.deepEqual(shown, [
      ['read_file', 'called once', 'read_file'],
      ['list_files', 'never called', 'list_files'],
    ]);
    const sum = rows.reduce((sum, { tokens }) => sum + tokens, 0);
    assert.equal(sum, 50);
    const labels = rowsOf(contents, 'instructions').map(({ label }) => label.slice(0, 12));
    assert.deepEqual(labels, ['AGENTS.md', 'CLAUDE.md', 'You are Karl']);
    const others = present(input, {
      showsContents: true,
      other: { sentence: 'A conversation of another agent.', lastReply: () => undefined },
    }).contents;
    const names = rowsOf(others ?? assert.fail(), 'tools').map(({ tool: name }) => name);
    assert.deepEqual(names, [undefined, undefined]);
  });

  it('lists a file once, with its readings; marks those that a later reading or a change made outdated', () => {
    const part = (path: string, start_line: number, end_line: number) => read(path, { start_line, end_line });
    const before = [...read('a.ts'), ...part('a.ts', 1, 9), ...edit('a.ts')];
    const after = [...part('a.ts', 20, 30), ...part('a.ts', 40, 50)];
    const others = [...read('b.ts'), ...edit('b.ts', 'Error: not found'), ...read('c.ts'), ...read('c.ts')];
    const files = rowsOf(contentsOf([...before, ...after, ...others]), 'files');
    assert.deepEqual(files.map(words), ['a.ts | 400 | 4 readings', 'c.ts | 200 | 2 readings', 'b.ts | 100 | ']);
    const [a, c] = files;
    assert.ok(a && c);
    assert.deepEqual(a.rows?.map(words).sort(), [
      'a.ts | 100 | outdated',
      'a.ts:1-9 | 100 | outdated',
      'a.ts:20-30 | 100 | ',
      'a.ts:40-50 | 100 | ',
    ]);
    const notes = c.rows?.map(({ note }) => note).sort();
    assert.deepEqual(notes, ['message 15, outdated', 'message 17'], 'two readings of the same lines');
  });

  it('does not list a failed reading under its file', () => {
    const contents = contentsOf([call('read_file', { path: 'none.ts' }), result('Error: There is no file none.ts.')]);
    assert.deepEqual(rowsOf(contents, 'files'), []);
    assert.deepEqual(rowsOf(contents, 'results').map(words), ['read_file none.ts | 100 | ']);
  });

  it('labels the result of a call without arguments with the name of its tool', () => {
    const contents = contentsOf([user('Go.'), call('list_files', {}), result()]);
    assert.deepEqual(rowsOf(contents, 'results').map(words), ['list_files | 100 | ']);
  });

  it('does not mark a reading as outdated if the later one failed, is a stub or is not sent whole', () => {
    const whole = 'the whole file '.repeat(50);
    const reread = (...texts: string[]) => [
      user('Go.'),
      ...texts.flatMap((text) => [call('read_file', { path: 'a.ts' }), result(text)]),
      user('And now?'),
    ];
    const outdated = (messages: readonly ChatMessage[], compactions: readonly Compaction[] = []) => {
      const files = contentsOf(messages, compactions).groups.find(({ kind }) => kind === 'files');
      return files?.outdated?.ids.toSorted((one, other) => one - other);
    };
    assert.deepEqual(outdated(reread(whole, `${whole}!`)), [2]);
    assert.equal(outdated(reread(whole, `Error: EACCES: permission denied\n${whole}`)), undefined);
    assert.equal(outdated(reread(whole, 'File unchanged since it was last read.')), undefined);
    assert.deepEqual(outdated(reread(whole, `${whole}?`, `${whole}!`, 'File unchanged.')), [2, 4]);
    const again = reread(whole, `${whole}!`);
    const messages = again.map((wire, id) => (id === 4 ? { ...wire, content: '[t4 shortened]' } : wire)).slice(3, 5);
    const shortened: Compaction = {
      ...COMPACTION,
      transcriptLength: again.length,
      replacements: [{ range: { from: 3, to: 4 }, by: { kind: 'shortened', messages } }],
    };
    assert.equal(outdated(again, [shortened]), undefined);
  });

  it('limits the messages of one act, and says how many there are', () => {
    const runs = Array.from({ length: MAX_CHANGED + 2 }, (_, id) => [call('run', { command: `x${id}` }), result()]);
    const [run] = rowsOf(contentsOf([user('Go.'), ...runs.flat(), user('And now?')]), 'results');
    const [drop, ...others] = run ? possible(run) : [];
    assert.deepEqual([drop?.act, drop?.ids.length, drop?.of, others], ['dropped', MAX_CHANGED, MAX_CHANGED + 2, []]);
    assert.equal(drop?.tokens, MAX_CHANGED * 70);
  });

  it('reads nothing again while nothing has changed, and only the new messages after an append', () => {
    const conversation = converse([user('Go.'), ...Array.from({ length: 50 }, () => edit('a.ts')).flat()]);
    let counted = 0;
    const tokensOf = (): TokenCount => {
      counted += 1;
      return { tokens: 100, source: 'counted' };
    };
    Object.assign(conversation, { tokensOf });
    const look = () => {
      const before = counted;
      const { contents } = present(conversation, { showsContents: true, shown: { rows: 0 } });
      return { contents, counted: counted - before };
    };
    const first = look();
    assert.equal(first.counted, 101);
    const again = look();
    assert.equal(again.counted, 0);
    assert.equal(again.contents, first.contents);
    conversation.append([said('Done.')]);
    // The reply is read, and the turn that it ends is counted for the forecast.
    assert.equal(look().counted, 1 + 102);
    conversation.pin(2);
    const pinned = look();
    assert.equal(pinned.counted, 102 + 102);
    const [edits] = rowsOf(pinned.contents ?? assert.fail(), 'results');
    assert.equal(edits?.rows?.filter((row) => row.pinned).length, 1);
  });

  it('lists summaries in the window, and the messages that they replace last, set aside', () => {
    const messages = [user('Go.'), ...read('a.ts'), said('It is so.'), user('And now?')];
    const compaction: Compaction = {
      ...COMPACTION,
      transcriptLength: messages.length,
      replacements: [{ range: { from: 1, to: 3 }, by: { kind: 'note', messages: [fence('abc', 'Read a.ts.')] } }],
    };
    const contents = contentsOf(messages, [compaction]);
    assert.equal(contents.groups.at(-1)?.kind, 'aside');
    assert.deepEqual(rowsOf(contents, 'aside').map(words), ['Messages 1 to 3 | 300 | summarized']);
    assert.deepEqual(rowsOf(contents, 'summaries').map(words), ['Messages 1 to 3 | 100 | ']);
    assert.deepEqual(rowsOf(contents, 'summaries')[0]?.acts, rowsOf(contents, 'aside')[0]?.acts);
    assert.deepEqual(rowsOf(contents, 'files'), []);
    const pins = contents.groups.flatMap(({ kind, rows }) => rows.map((row) => `${kind} ${row.pins ?? 'none'}`));
    assert.deepEqual(pins, ['user 0', 'user 4', 'summaries none', 'aside none']);
  });

  it('labels a reply without words with its calls', () => {
    const { groups } = contentsOf([user('Go.'), call('run', { command: 'npm test' }), result(), said('Done.')]);
    const labels = rowsOf({ groups }, 'replies').map(({ label }) => label);
    assert.deepEqual(labels, ['run npm test', 'Done.']);
  });

  it('adds up to the figure of the gauge, whatever the server measured', () => {
    const messages = [user('Go.'), ...read('a.ts'), ...read('b.ts'), said('x'.repeat(9_000)), user('And now?')];
    const measured = given({ messages, pins: [], used: 825, counted: 750 });
    const { groups } = present(measured, { showsContents: true }).contents ?? assert.fail();
    assert.equal(sumOf({ groups }), 825);
    const [file] = rowsOf({ groups }, 'files');
    assert.deepEqual([file?.tokens, file && possible(file).map(({ tokens }) => tokens)], [110, [77]]);
  });

  it('has the same figures as the bar for prompt, tools and summaries', () => {
    const german: ChatMessage = { role: 'system', content: 'Write German.' };
    const work = [user('Go.'), ...read('a.ts'), ...read('b.ts'), said('It is so.')];
    const messages = [PROMPT, ...work, german, user('And now?')];
    const base = { ...COMPACTION, transcriptLength: messages.length };
    const by = { kind: 'note', messages: [fence('abc', 'Read a.ts.')] } as const;
    const run: Compaction = { ...base, replacements: [{ range: { from: 2, to: 3 }, by }] };
    const line = { role: 'tool', tool_call_id: 'c', content: '[t5 dropped by the user]' } as const;
    const edits = [{ id: 5, kind: 'dropped', message: line } as const];
    const byHand: Compaction = { ...base, id: 'b', strategy: 'manual', trigger: 'dropped', replacements: [], edits };
    for (const used of [850, 893, 907, 1, 0]) {
      const conversation = given({ messages, compactions: [run, byHand], used, counted: 850, pins: [] });
      const { gauge, contents } = present(conversation, { showsContents: true });
      const parts = Object.fromEntries(gauge?.parts.map(({ label, tokens }) => [label, tokens]) ?? []);
      const groups = contents?.groups.map(({ kind, tokens }) => [kind, tokens] as const) ?? [];
      const { instructions, tools, summaries, aside: _, ...others } = Object.fromEntries(groups);
      assert.deepEqual([instructions, tools, summaries], [parts.prompt, parts.tools, parts.notes], `${used}`);
      const rest = Object.values(others).reduce((sum, tokens) => sum + tokens, 0);
      // Each of these is rounded by itself.
      assert.ok(Math.abs(rest - (parts.messages ?? 0)) <= 2, `${rest} and ${parts.messages} of ${used}`);
    }
  });

  it('says how many more turns like the last ones fit, unless the conversation is over the threshold', () => {
    const turn = [user('Go.'), said('Done.')];
    const last = { messages: [...turn, ...turn, user('Now?')], pins: [] };
    const forecast = (used: number) => present(given({ ...last, used }), { showsContents: true }).contents?.forecast;
    assert.equal(forecast(500), 'Turns until a compression is due: about 1, of about 200 tokens each.');
    assert.equal(forecast(801), undefined);
    assert.equal(contentsOf([user('Go.')]).forecast, undefined);
  });

  describe('the acts of a row', () => {
    /** A quarter of the characters of a text, so that a line or a shortened form has its own figure. */
    const tokensOf = ({ content }: ChatMessage): TokenCount => {
      return { tokens: Math.ceil((typeof content === 'string' ? content.length : 40) / 4), source: 'counted' };
    };
    const shortenedForm: typeof BY_HAND.shortenedForm = (message, block) => {
      assert.ok(message.role !== 'tool' || message.text.length <= 1000, 'a long result is not read for its figure');
      return BY_HAND.shortenedForm(message, block);
    };
    const shownOf = (messages: readonly ChatMessage[], pins: readonly number[] = []) => {
      const conversation = { ...given({ messages, pins }), byHand: { ...BY_HAND, shortenedForm }, tokensOf };
      return present(conversation, { showsContents: true }).contents ?? assert.fail();
    };
    const acts = (row: ListRow) =>
      possible(row).map(({ act, ids, of: all = '' }) => `${act} ${ids.join()} ${all}`.trim());
    const refused = (row: ListRow) =>
      Object.entries(row.acts ?? {}).flatMap(([act, why]) => (typeof why === 'string' ? [`${act}: ${why}`] : []));
    const long = 'a line of a file\n'.repeat(500);
    const readLong = (path: string) => [call('read_file', { path }), result(long)];
    const isCall = 'dropped: A result needs its call: drop the results instead.';
    const isShort = 'shortened: Already short: there is nothing to leave out.';
    const isSmall = 'dropped: Nothing to save: the line in its place would be just as long.';
    const isReply = 'shortened: Only very long replies can be shortened.';

    it('are those of one message, and of all readings of a file', () => {
      const replies = [said(long.repeat(2)), said('word '.repeat(100))];
      const work = [...readLong('a.ts'), ...readLong('a.ts'), ...replies];
      const shown = shownOf([PROMPT, user(long), ...work, user('And now?')]);
      const [a] = rowsOf(shown, 'files');
      assert.ok(a);
      assert.deepEqual(acts(a), ['shortened 3,5', 'dropped 3,5']);
      assert.deepEqual(a.rows?.flatMap(acts), ['shortened 3', 'dropped 3', 'shortened 5', 'dropped 5']);
      const { outdated } = shown.groups.find(({ kind }) => kind === 'files') ?? assert.fail();
      assert.deepEqual(outdated, { act: 'dropped', ids: [3], tokens: 2125 - 30 });
      const [shorten] = a.rows?.[0] ? possible(a.rows[0]) : [];
      assert.ok(shorten && shorten.tokens > 1900 && shorten.tokens < 2125 - 480 / 4, 'what the shortened form saves');
      const stays = 'Instructions always stay whole.';
      assert.deepEqual(rowsOf(shown, 'instructions').flatMap(refused), [`shortened: ${stays}`, `dropped: ${stays}`]);
      const [first, request] = rowsOf(shown, 'user');
      assert.ok(first && request);
      assert.deepEqual(acts(first), ['shortened 1', 'dropped 1']);
      assert.equal(refused(request)[1], 'dropped: Your current request always stays whole.');
      const told = rowsOf(shown, 'replies').map((row) => [row.at?.from, acts(row), refused(row)]);
      assert.deepEqual(told, [
        [6, ['shortened 6', 'dropped 6'], []],
        [7, ['dropped 7'], [isReply]],
        [2, [], [isReply, isCall]],
        [4, [], [isReply, isCall]],
      ]);
    });

    it('are replaced by a reason where a message is pinned or small', () => {
      const edits = [...edit('a.ts'), ...edit('b.ts', `The file was changed: ${'x'.repeat(300)}`)];
      const messages = [user('Go.'), ...readLong('c.ts'), ...edits, said('Done.'), user('And now?')];
      const shown = shownOf(messages, [2]);
      const isPinned = 'Message 2 is pinned. Unpin it first.';
      assert.deepEqual(rowsOf(shown, 'files').map(refused), [[`shortened: ${isPinned}`, `dropped: ${isPinned}`]]);
      const [edited] = rowsOf(shown, 'results');
      assert.ok(edited);
      assert.deepEqual([acts(edited), refused(edited)], [['dropped 6 2'], [isShort]], 'the larger of the two');
      const [first, second] = (edited.rows ?? []).map((row) => [acts(row), refused(row)]);
      assert.deepEqual(first, [['dropped 6'], [isShort]]);
      assert.deepEqual(second, [[], [isShort, isSmall]]);
      for (const row of shown.groups.flatMap(({ rows }) => rows.flatMap((one) => [one, ...(one.rows ?? [])]))) {
        const told = [...acts(row), ...refused(row)].map((one) => one.split(/[ :]/)[0]);
        assert.deepEqual(told.sort(), ['dropped', 'shortened'], row.key);
      }
    });

    it('say how many results of a tool they change, if the others cannot become shorter', () => {
      const search = (text: string) => [call('search_text', { query: 'x' }), result(text)];
      const dense = 'x'.repeat(700);
      const [found] = rowsOf(shownOf([user('Go.'), ...search(long), ...search(dense), user('And now?')]), 'results');
      assert.ok(found);
      assert.deepEqual(acts(found), ['shortened 2 2', 'dropped 2,4']);
    });

    it('are all accepted when they are performed', async () => {
      const search = (text: string) => [call('search_text', { query: 'x' }), result(text)];
      const work = [...readLong('a.ts'), ...readLong('a.ts'), ...search(long), ...search('x'.repeat(700))];
      const messages = [user(long), ...work, ...edit('a.ts'), said(long.repeat(2)), said('Done.'), user('And now?')];
      const rows = shownOf(messages).groups.flatMap(({ rows: of }) => of.flatMap((one) => [one, ...(one.rows ?? [])]));
      assert.ok(rows.length > 10);
      for (const { act, ids } of rows.flatMap(possible)) {
        const done = await converse(messages).changeByHand(act, ids);
        assert.deepEqual(done.ok && done.value.refused, [], `${act} ${ids}`);
      }
    });

    it('pin all readings of a file, or those that are not pinned yet, and unpin all', () => {
      const messages = [user('Go.'), ...readLong('a.ts'), ...readLong('a.ts'), user('And now?')];
      const pinOf = (...pins: number[]) => {
        const [row] = rowsOf(shownOf(messages, pins), 'files');
        return [row?.pinned, row?.pins?.toSorted((one, other) => one - other)];
      };
      assert.deepEqual(pinOf(), [false, [2, 4]]);
      assert.deepEqual(pinOf(2), [false, [4]]);
      assert.deepEqual(pinOf(2, 4), [true, [2, 4]]);
    });
  });

  it('lists the history of tokens, newest first, with its messages', () => {
    const base = { at: Date.UTC(2026, 2, 1), messages: 3 };
    const request = { ...base, kind: 'request', tokens: 900, limit: 1000, trigger: 800 } as const;
    const compressed = { ...base, kind: 'compressed', before: 900, after: 400 } as const;
    const error = { ...base, kind: 'error', error: 'rate-limit' } as const;
    const history = { points: [error, request, compressed] };
    const conversation = given({ messages: [user('Go.'), ...read('a.ts')] });
    const { groups, chart } = present(conversation, { showsContents: true, history }).contents ?? assert.fail();
    const rows = rowsOf({ groups }, 'history').map(({ label, tokens, at }) => `${label} | ${tokens} | ${at?.from}`);
    for (const [index, expected] of [
      / · Compressed: 900 → 400 tokens \| 400 \| 2$/,
      / · Request: 900 tokens, 90% of the budget \| 900 \| 2$/,
      / · Error: rate limit \| 0 \| 2$/,
    ].entries())
      assert.match(rows[index] ?? '', expected);
    const drawn = chart.map(({ tokens }) => tokens);
    assert.deepEqual(drawn, [[], [900], [900, 400]]);
  });

  it('gives the path with which a label ends', () => {
    const messages = [user('Go.'), ...read('src/a.ts'), ...read('src/a.ts'), ...edit('src/b.ts'), user('And now?')];
    const line = { range: { from: 1, to: 2 }, by: { kind: 'line', messages: [user('[t1-2 read src/a.ts]')] } } as const;
    const record: Compaction = { ...COMPACTION, transcriptLength: messages.length, replacements: [line] };
    const rows = contentsOf(messages, [record]).groups.flatMap((group) => group.rows);
    const shown = rows.map(({ label, path }) => `${label}: ${path ?? 'none'}`);
    assert.deepEqual(shown, [
      'Go.: none',
      'And now?: none',
      'read_file src/a.ts: src/a.ts',
      'edit_file src/b.ts: src/b.ts',
      'Messages 1 to 2: none',
      'src/a.ts: src/a.ts',
      'edit_file src/b.ts: src/b.ts',
      'read_file src/a.ts: src/a.ts',
    ]);
  });

  it('restores what the user dropped, and each block that a summary replaced', () => {
    const messages = [user('Go.'), ...read('a.ts'), ...read('b.ts'), said('It is so.'), user('And now?')];
    const base = { ...COMPACTION, transcriptLength: messages.length, replacements: [] };
    const line = { role: 'tool', tool_call_id: 'c', content: '[t2 dropped by the user]' } as const;
    const edits = [{ id: 2, kind: 'dropped', message: line } as const];
    const shown = contentsOf(messages, [{ ...base, strategy: 'manual', trigger: 'dropped', edits }]);
    const [dropped, ...more] = rowsOf(shown, 'aside');
    assert.ok(dropped);
    assert.deepEqual([words(dropped), dropped.path, more], ['a.ts | 100 | dropped', 'a.ts', []]);
    assert.deepEqual(possible(dropped), [{ act: 'restored', ids: [2], tokens: 0 }]);
    assert.deepEqual(rowsOf(shown, 'summaries').map(words), ['a.ts | 100 | a line in its place']);
    assert.deepEqual(rowsOf(shown, 'files').map(words), ['b.ts | 100 | ']);
    assert.deepEqual(shown.last, { id: 'abc', text: 'Dropped: 12,400 → 5,900 tokens' });
    const by = { kind: 'note', messages: [fence('abc', 'Read a.ts and b.ts.')] } as const;
    const summary: Compaction = { ...base, replacements: [{ range: { from: 1, to: 5 }, by }] };
    const [aside] = rowsOf(contentsOf(messages, [summary]), 'aside');
    assert.deepEqual(aside && possible(aside), [{ act: 'restored', ids: [1, 3, 5], tokens: 500 }]);
    const parts = aside?.rows?.map((row) => `${row.label} ${possible(row)[0]?.ids}`);
    assert.deepEqual(parts, ['read_file a.ts 1', 'read_file b.ts 3', 'Assistant: It is so. 5']);
  });
});
