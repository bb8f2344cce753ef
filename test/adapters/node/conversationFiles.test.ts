import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { Result } from '../../../src/core/result.ts';
import type {
  ConversationDetails,
  OpenConversation,
  StorageProblem,
} from '../../../src/core/session/conversationStore.ts';
import { wiresOf } from './wiresOf.ts';

const say = (content: string): ChatMessage => ({ role: 'user', content });
const NONE: ConversationDetails = { compactions: [], pins: [] };

function value<Value>(result: Result<Value, StorageProblem>): Value {
  if (!result.ok) assert.fail(`${result.error.kind}: ${result.error.message}`);
  return result.value;
}
function problem(result: Result<unknown, StorageProblem>): StorageProblem {
  if (result.ok) assert.fail('it should have failed');
  return result.error;
}
const texts = (conversation: OpenConversation): unknown[] =>
  wiresOf(conversation.stored).map((message) => message.content);
const kinds = (conversation: OpenConversation): string[] => conversation.stored.problems.map(({ kind }) => kind);

describe('stored conversations', () => {
  let root: string;
  let clock: number;
  let store: ConversationFiles;
  const folder = (): string => join(root, 'conversations', 'c1');
  const raw = (): string => join(folder(), 'conversation-raw.jsonl');
  const summary = (): string => join(folder(), 'session-summary.json');
  const anotherWindow = (): ConversationFiles => new ConversationFiles({ root, now: () => clock });

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'karl-store-'));
    clock = Date.UTC(2026, 2, 1);
    store = anotherWindow();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const createWith = async (...contents: string[]): Promise<OpenConversation> => {
    const conversation = value(await store.create({ id: 'c1', title: 'First' }));
    for (const content of contents) value(await conversation.append([say(content)]));
    return conversation;
  };
  const reopen = async (): Promise<OpenConversation> => value(await store.open('c1'));

  it('come back as they were: messages, details, view, title', async () => {
    const conversation = await createWith();
    const odd: ChatMessage = {
      role: 'assistant',
      content: 'line\nbreak \ud83d\ude00 \ud800',
      reasoning_content: 'kept',
      tool_calls: [],
    };
    value(await conversation.append([say('one'), odd]));
    value(await conversation.append([say('three')]));
    value(
      await conversation.save(
        { compactions: [], pins: [2], learnedWindow: { tokens: 4096, source: 'error' }, state: { a: 1 } },
        [say('view')],
      ),
    );
    await conversation.close();
    const again = await reopen();
    assert.deepEqual(wiresOf(again.stored), [say('one'), odd, say('three')]);
    assert.deepEqual(again.stored.details, {
      compactions: [],
      pins: [2],
      learnedWindow: { tokens: 4096, source: 'error' },
      state: { a: 1 },
    });
    assert.equal(again.stored.title, 'First');
    assert.deepEqual(again.stored.problems, []);
    assert.deepEqual(JSON.parse(readFileSync(join(folder(), 'conversation.json'), 'utf8')).messages, [say('view')]);
    const { sum, ...first } = JSON.parse(readFileSync(raw(), 'utf8').split('\n')[0] ?? '');
    assert.deepEqual(first, { v: 1, id: 0, at: clock, message: say('one') });
    assert.match(sum, /^[0-9a-f]{8}$/);
    await again.close();
  });

  it('take more messages at once than a call can have arguments', async () => {
    const conversation = await createWith();
    value(await conversation.append(new Array(150_000).fill(say('one of many'))));
    await conversation.close();
    assert.equal(value(await store.read('c1')).transcript.messages.length, 150_000);
  });

  it('keep the order of appends that were not awaited', async () => {
    const conversation = await createWith();
    const results = await Promise.all(
      Array.from({ length: 30 }, (_, index) => conversation.append([say(String(index))])),
    );
    results.forEach(value);
    await conversation.close();
    assert.deepEqual(
      texts(await reopen()),
      Array.from({ length: 30 }, (_, index) => String(index)),
    );
  });

  describe('after damage', () => {
    it('a torn last line is kept aside and reported once, and the rest loads', async () => {
      await (await createWith('one', 'two')).close();
      appendFileSync(raw(), '{"v":1,"id":2,"at":5,"message":{"role":"user","con');
      const again = await reopen();
      assert.deepEqual(texts(again), ['one', 'two']);
      assert.deepEqual(kinds(again), ['torn-line']);
      assert.match(readFileSync(`${raw()}.torn`, 'utf8'), /"con\n$/);
      value(await again.append([say('three')]));
      await again.close();
      const third = await reopen();
      assert.deepEqual(texts(third), ['one', 'two', 'three']);
      assert.deepEqual(kinds(third), []);
    });

    it('a last line that lacks only its line end is whole', async () => {
      await (await createWith('one', 'two')).close();
      writeFileSync(raw(), readFileSync(raw(), 'utf8').trimEnd());
      const again = await reopen();
      value(await again.append([say('three')]));
      await again.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two', 'three']);
    });

    it('a corrupt line in the middle is kept aside, and every other message keeps its position', async () => {
      await (await createWith('zero', 'one', 'two', 'three')).close();
      const lines = readFileSync(raw(), 'utf8').split('\n');
      lines[1] = `${lines[1]?.slice(0, 20)}\u0000garbage`;
      writeFileSync(raw(), lines.join('\n'));
      const again = await reopen();
      assert.deepEqual(kinds(again), ['corrupt-line']);
      assert.match(
        again.stored.problems[0]?.message ?? '',
        /Damaged lines in .*: 1, the first is line 2 \(it is not JSON\)\. 0 of them/,
      );
      assert.equal(again.stored.transcript.messages.length, 4);
      assert.match(String(wiresOf(again.stored)[1]?.content), /could not be read/);
      assert.equal(wiresOf(again.stored)[2]?.content, 'two');
      assert.match(readFileSync(`${raw()}.corrupt`, 'utf8'), /garbage/);
      await again.close();
      const third = await reopen();
      assert.deepEqual(kinds(third), []);
      assert.equal(wiresOf(third.stored)[3]?.content, 'three');
    });

    it('a line that is JSON but not a message is corrupt', async () => {
      await (await createWith('one')).close();
      appendFileSync(
        raw(),
        '{"v":1,"id":1,"at":5,"message":{"role":"nobody"}}\n{"v":1,"id":99999999,"at":5,"message":{"role":"user","content":"far"}}\n',
      );
      const again = await reopen();
      assert.deepEqual(kinds(again), ['corrupt-line']);
      assert.match(again.stored.problems[0]?.message ?? '', /: 2, the first is line 2 \(.*role\)/);
      assert.deepEqual(texts(again), ['one']);
    });

    it('a file without checksums, as Karl 0.1 wrote it, is read and continued; a wrong position is put right once', async () => {
      await (await createWith()).close();
      const record = (id: number, content: string) => `${JSON.stringify({ v: 1, id, at: 5, message: say(content) })}\n`;
      writeFileSync(raw(), [record(0, 'zero'), record(900, 'one'), record(2, 'two')].join(''));
      const again = await reopen();
      assert.deepEqual(texts(again), ['zero', 'one', 'two']);
      assert.deepEqual(kinds(again), ['corrupt-line']);
      assert.match(
        again.stored.problems[0]?.message ?? '',
        /: 1, the first is line 2 \(its position 900 .*1 of them could be put/,
      );
      assert.equal(readFileSync(`${raw()}.corrupt`, 'utf8'), record(900, 'one'));
      value(await again.append([say('three')]));
      await again.close();
      const third = await reopen();
      assert.deepEqual(texts(third), ['zero', 'one', 'two', 'three']);
      assert.deepEqual(kinds(third), []);
    });

    it('a line in which one letter was changed is not believed', async () => {
      await (await createWith('pay 100 to Ann', 'two')).close();
      writeFileSync(raw(), readFileSync(raw(), 'utf8').replace('pay 100', 'pay 900'));
      const again = await reopen();
      assert.match(String(wiresOf(again.stored)[0]?.content), /could not be read/);
      assert.match(again.stored.problems[0]?.message ?? '', /its checksum is wrong/);
      assert.match(readFileSync(`${raw()}.corrupt`, 'utf8'), /pay 900/);
    });

    it('a line that is gone from between others is noticed, once, and its place is kept', async () => {
      const conversation = await createWith('one', 'two', 'three');
      value(await conversation.save(NONE, []));
      await conversation.close();
      const [first, , third] = readFileSync(raw(), 'utf8').split('\n');
      writeFileSync(raw(), `${first}\n${third}\n`);
      const again = await reopen();
      assert.deepEqual(kinds(again), ['missing-line']);
      assert.match(again.stored.problems[0]?.message ?? '', /^Lines are missing in .*: 1\. A note is in the place/);
      const left = texts(again);
      assert.deepEqual([left[0], left[2], left.length], ['one', 'three', 3]);
      await again.close();
      const last = await reopen();
      assert.deepEqual([kinds(last), texts(last)], [[], left]);
    });

    it('a line that is gone is noticed beside a line that stands twice and one at the end that is no record', async () => {
      const conversation = await createWith('one', 'two', 'three', 'four');
      value(await conversation.save(NONE, []));
      await conversation.close();
      const [first, , third, fourth] = readFileSync(raw(), 'utf8').split('\n');
      writeFileSync(raw(), `${first}\n${third}\n${third}\n${fourth}\nnothing that Karl wrote\n`);
      const again = await reopen();
      assert.deepEqual(kinds(again), ['corrupt-line', 'missing-line']);
      assert.match(again.stored.problems[1]?.message ?? '', /: 1\. A note is in the place/);
      assert.deepEqual(texts(again).slice(2), ['three', 'four']);
    });

    it('a line that is gone is noticed beside more damaged lines than there are places for', async () => {
      const conversation = await createWith('0', '1', '2', '3', '4', '5', '6', '7');
      value(await conversation.save(NONE, []));
      await conversation.close();
      const lines = readFileSync(raw(), 'utf8').split('\n');
      const left = [lines[0], lines[1], 'a', 'b', 'c', lines[3], 'd', lines[5], lines[7], ''];
      writeFileSync(raw(), left.join('\n'));
      const again = await reopen();
      assert.deepEqual(kinds(again), ['corrupt-line', 'missing-line']);
      assert.match(again.stored.problems[1]?.message ?? '', /: 1\. A note is in the place/);
    });

    it('a file that was cut at a line end is noticed, once', async () => {
      const conversation = await createWith('one', 'two', 'three');
      value(await conversation.save(NONE, []));
      await conversation.close();
      writeFileSync(raw(), `${readFileSync(raw(), 'utf8').split('\n')[0]}\n`);
      const again = await reopen();
      assert.deepEqual(texts(again), ['one']);
      assert.deepEqual(kinds(again), ['cut-short']);
      assert.match(again.stored.problems[0]?.message ?? '', /of 3 messages the last 2 are gone/);
      await again.close();
      assert.deepEqual(kinds(await reopen()), []);
    });

    it('a damaged or torn last line is reported only as such, and any other missing message is counted', async () => {
      for (const [kept, stop, expected] of [
        [3, '\n', ['corrupt-line']],
        [3, '', ['torn-line']],
        [2, '\n', ['corrupt-line', 'cut-short']],
      ] as const) {
        const conversation = await createWith('one', 'two', 'three');
        value(await conversation.save(NONE, []));
        await conversation.close();
        const lines = readFileSync(raw(), 'utf8').split('\n').slice(0, kept);
        const last = lines.pop() ?? assert.fail();
        writeFileSync(raw(), `${[...lines, last.replace('content', 'c\u0000ntent')].join('\n')}${stop}`);
        const again = await reopen();
        assert.deepEqual(kinds(again), expected);
        assert.equal(texts(again).length, kept - 1);
        const cut = again.stored.problems.find(({ kind }) => kind === 'cut-short');
        if (cut !== undefined)
          assert.match(cut.message, /of 3 messages the last one is gone\. What is left was loaded\.$/);
        await again.close();
        const third = await reopen();
        assert.deepEqual(kinds(third), [], 'told once');
        await third.close();
        rmSync(folder(), { recursive: true });
      }
    });

    for (const [what, damage] of [
      ['missing', () => rmSync(summary())],
      ['damaged', () => writeFileSync(summary(), '{"v":1,"title"')],
      ['of another kind', () => writeFileSync(summary(), '[]')],
    ] as const) {
      it(`a summary file that is ${what} costs the compactions, never a message`, async () => {
        await (await createWith('one')).close();
        damage();
        const again = await reopen();
        assert.deepEqual(texts(again), ['one']);
        assert.deepEqual(kinds(again), ['corrupt-summary']);
        assert.deepEqual(again.stored.details, NONE);
      });
    }

    it('a damaged summary file is kept aside; one with a byte order mark is none', async () => {
      const first = await createWith('one');
      value(await first.save({ compactions: [], pins: [0] }, []));
      await first.close();
      const content = readFileSync(summary(), 'utf8');
      writeFileSync(summary(), `\ufeff${content}`);
      const marked = await reopen();
      assert.deepEqual([marked.stored.title, marked.stored.details.pins, kinds(marked)], ['First', [0], []]);
      await marked.close();
      writeFileSync(summary(), content.slice(1));
      const damaged = await reopen();
      assert.deepEqual(kinds(damaged), ['corrupt-summary']);
      value(await damaged.save(NONE, []));
      assert.equal(readFileSync(`${summary()}.corrupt`, 'utf8'), content.slice(1));
    });

    it('a compaction is left out if requests with it would be refused or it has no date, and kept if only its receipt is damaged', async () => {
      await (await createWith('one', 'two', 'three')).close();
      const compaction = (id: string, change: object, messages: readonly unknown[] = []): unknown => ({
        id,
        at: 1,
        strategy: 'heuristic',
        trigger: 'command',
        transcriptLength: 3,
        replacements: [{ range: { from: 0, to: 1 }, by: { kind: 'shortened', messages } }],
        receipt: { strategy: 'heuristic', tokensBefore: 10, tokensAfter: 5, messages: null, facts: 'x', model: 'm' },
        ...change,
      });
      const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
      const asked = { role: 'assistant', content: null, tool_calls: [call] };
      const result = { role: 'tool', tool_call_id: 'c1', content: 'done' };
      const compactions = [
        compaction('whole', {}, [asked, result]),
        compaction('no call', {}, [{ role: 'assistant', content: 'x' }, result]),
        compaction('no result', {}, [asked]),
        compaction('no date', { at: 1e300 }),
      ];
      const content: unknown = JSON.parse(readFileSync(summary(), 'utf8'));
      writeFileSync(summary(), JSON.stringify({ ...(content as object), compactions }));
      const [kept, ...others] = (await reopen()).stored.details.compactions;
      assert.equal(kept?.id, 'whole');
      const { messages, facts, rejected, model } = kept.receipt;
      assert.deepEqual(
        { messages, facts, rejected, model },
        { messages: { whole: 0, shortened: 0, replaced: 0 }, facts: [], rejected: [], model: 'm' },
      );
      assert.deepEqual(others, []);
    });

    it('only the compaction that refers beyond the transcript is dropped', async () => {
      await (await createWith('one', 'two', 'three')).close();
      const compaction = (id: string, transcriptLength: number, to: number): unknown => ({
        id,
        at: 1,
        strategy: 'heuristic',
        trigger: 'command',
        transcriptLength,
        replacements: [{ range: { from: 0, to }, by: { kind: 'removed', messages: [] } }],
        receipt: { strategy: 'heuristic', tokensBefore: 10, tokensAfter: 5 },
      });
      const content: unknown = JSON.parse(readFileSync(summary(), 'utf8'));
      const compactions = [
        compaction('good', 3, 1),
        compaction('later', 9, 1),
        compaction('wrong', 3, 3),
        { id: 'bare' },
      ];
      writeFileSync(summary(), JSON.stringify({ ...(content as object), compactions, pins: [0, 7] }));
      const again = await reopen();
      assert.deepEqual(
        again.stored.details.compactions.map(({ id }) => id),
        ['good'],
      );
      assert.deepEqual(again.stored.details.pins, [0]);
      assert.deepEqual(new Set(kinds(again)), new Set(['dropped-compaction']));
      assert.equal(kinds(again).length, 4);
      assert.ok(again.stored.problems.some(({ message }) => message === '1 pin refers to no message: dropped.'));
    });
  });

  it('repair a profile with values of another version, and name them', async () => {
    const conversation = await createWith('one');
    const { profile } = resolveProfile('gpt-5');
    value(await conversation.save({ compactions: [], pins: [], profile }, [say('one')]));
    await conversation.close();
    const content = JSON.parse(readFileSync(summary(), 'utf8')) as object;
    const strange = { encoding: 'o300k_base', completionReserve: 'much', roles: 7 };
    writeFileSync(summary(), JSON.stringify({ ...content, profile: { ...profile, ...strange } }));
    const again = await reopen();
    const { encoding: _, ...known } = profile;
    assert.deepEqual(again.stored.details.profile, known);
    assert.match(again.stored.problems[0]?.message ?? '', /\(.*completionReserve.*encoding.*roles.*\): repaired/);
    await again.close();
  });

  it('keep the profiles that a session ran with; only a malformed one is dropped', async () => {
    const conversation = await createWith('one');
    const profiles = [{ ...resolveProfile('gpt-5'), since: 1 }];
    value(await conversation.save({ compactions: [], pins: [0], profiles }, [say('one')]));
    await conversation.close();
    const content = JSON.parse(readFileSync(summary(), 'utf8')) as { profiles: unknown[] };
    assert.deepEqual(content.profiles, profiles);
    writeFileSync(summary(), JSON.stringify({ ...content, profiles: [...content.profiles, { since: 'soon' }] }));
    const again = await reopen();
    assert.deepEqual(again.stored.details, { compactions: [], pins: [0], profiles });
    assert.match(again.stored.problems[0]?.message ?? '', /^1 of the profiles that were used is malformed: dropped\.$/);
    await again.close();
  });

  it('are rid of the remains of interrupted writes, but not of a lock that is just being taken', async () => {
    await (await createWith('one')).close();
    const remains = (name: string) => join(folder(), `${name}.${randomUUID()}.tmp`);
    const taking = remains('conversation.lock');
    const old = remains('conversation.lock');
    for (const path of [remains('session-summary.json'), remains('conversation.json'), taking, old])
      writeFileSync(path, 'half');
    utimesSync(old, 0, 0);
    writeFileSync(join(folder(), 'notes.tmp'), 'not ours');
    await (await reopen()).close();
    const left = readdirSync(folder()).filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(left.sort(), [basename(taking), 'notes.tmp'].sort());
  });

  describe('when the disk fails', () => {
    it('a removed folder is written again with every message, which is reported once', async () => {
      const conversation = await createWith('one', 'two');
      const told: string[] = [];
      conversation.onProblem(({ kind }) => told.push(kind));
      rmSync(folder(), { recursive: true });
      value(await conversation.append([say('three')]));
      value(await conversation.append([say('four')]));
      assert.deepEqual(told, ['missing']);
      await conversation.close();
      const again = await reopen();
      assert.deepEqual(texts(again), ['one', 'two', 'three', 'four']);
      assert.deepEqual(kinds(again), []);
    });

    it('a transcript that somebody cut is written again', async () => {
      const conversation = await createWith('one', 'two');
      writeFileSync(raw(), '');
      value(await conversation.append([say('three')]));
      await conversation.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two', 'three']);
    });

    it('a failed append is reported, kept, and written first by the next', async () => {
      const conversation = await createWith('one');
      const saved = readFileSync(raw());
      rmSync(raw());
      // A folder in the place of the file: every write fails until it is gone.
      mkdirSync(join(raw(), 'in-the-way'), { recursive: true });
      const failed = problem(await conversation.append([say('two')]));
      assert.ok(failed.path.endsWith('conversation-raw.jsonl'));
      assert.ok(failed.message.length > 0);
      problem(await conversation.append([say('three')]));
      rmSync(raw(), { recursive: true });
      writeFileSync(raw(), saved);
      value(await conversation.append([say('four')]));
      await conversation.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two', 'three', 'four']);
    });

    it('a failed append is written on closing if writing works again by then', async () => {
      const conversation = await createWith('one');
      const saved = readFileSync(raw());
      rmSync(raw());
      mkdirSync(join(raw(), 'in-the-way'), { recursive: true });
      problem(await conversation.append([say('two')]));
      rmSync(raw(), { recursive: true });
      writeFileSync(raw(), saved);
      await conversation.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two']);
    });

    it('a message that is not JSON fails its own append, not the next', async () => {
      const conversation = await createWith('one');
      const circular: Record<string, unknown> = { role: 'user', content: 'x' };
      circular.self = circular;
      problem(await conversation.append([say('with it'), circular as unknown as ChatMessage]));
      value(await conversation.append([say('two')]));
      await conversation.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two']);
    });

    it('a full disk is reported as such', async function () {
      if (!existsSync('/dev/full')) this.skip();
      const { describeStorageError } = await import('../../../src/adapters/node/storageError.ts');
      let caught: unknown;
      try {
        writeFileSync('/dev/full', 'x');
      } catch (error) {
        caught = error;
      }
      const described = describeStorageError(caught, '/dev/full');
      assert.equal(described.kind, 'disk-full');
      assert.match(described.message, /Free some space/);
    });

    it('a conversation that does not exist is a result, not an exception', async () => {
      assert.equal(problem(await store.open('nobody')).kind, 'missing');
      assert.equal(existsSync(join(root, 'conversations')), false);
      assert.deepEqual(value(await store.list()), []);
    });

    it('an id cannot leave the folder', async () => {
      for (const id of ['..', '../x', 'a/b', '', '.hidden', 'a\\b', 'x'.repeat(65)]) {
        problem(await store.open(id));
        problem(await store.create({ id, title: 'x' }));
        problem(await store.delete(id));
      }
    });
  });

  it('have what was kept of a reply, until it is kept no more or they are deleted', async () => {
    const first = await createWith('one');
    value(await first.keepReply({ after: 1, text: 'Half' }));
    value(await first.keepReply({ after: 1, text: 'Half of it' }));
    const reader = value(await anotherWindow().open('c1'));
    assert.equal(reader.stored.reply, undefined, 'it is for who may write');
    assert.equal(problem(await reader.keepReply(undefined)).kind, 'locked');
    await first.close();
    const again = await reopen();
    assert.deepEqual(again.stored.reply, { after: 1, text: 'Half of it' });
    value(await again.keepReply(undefined));
    value(await again.keepReply(undefined));
    await again.close();
    const last = await reopen();
    assert.equal(last.stored.reply, undefined);
    value(await last.keepReply({ after: 1, text: 'Half' }));
    value(await store.delete('c1'));
    assert.deepEqual(readdirSync(join(root, 'conversations')), []);
  });

  it('keep what was kept of a reply until what it became is on the disk', async () => {
    const first = await createWith('one');
    value(await first.keepReply({ after: 1, text: 'Half' }));
    value(first.queue([{ role: 'assistant', content: 'Whole' }]));
    renameSync(raw(), `${raw()}.away`);
    mkdirSync(raw());
    assert.equal((await first.keepReply(undefined)).ok, false);
    assert.ok(existsSync(join(folder(), 'reply.json')));
    rmSync(raw(), { recursive: true });
    renameSync(`${raw()}.away`, raw());
    value(await first.keepReply(undefined));
    await first.close();
    const again = await reopen();
    assert.deepEqual([texts(again), again.stored.reply], [['one', 'Whole'], undefined]);
  });

  it('are opened whatever is in the file for a reply', async () => {
    await (await createWith('one')).close();
    const reply = join(folder(), 'reply.json');
    writeFileSync(reply, '{"after":1,"te');
    const half = await reopen();
    const told = (one: typeof half) => one.stored.problems.map(({ message }) => message).join();
    assert.deepEqual(texts(half), ['one']);
    assert.match(told(half), /reply\.json cannot be read \(JSON\)\. What had come of the last reply/);
    await half.close();
    rmSync(reply);
    mkdirSync(reply);
    const unread = await reopen();
    assert.deepEqual(texts(unread), ['one'], 'it cannot be read');
    assert.match(told(unread), /reply\.json cannot be read \(EISDIR\)/);
  });

  describe('in two windows', () => {
    it('who takes over gets what had come of a reply, and the old writer no longer touches it', async () => {
      const first = await createWith('one');
      const told: string[] = [];
      first.onProblem(({ kind }) => told.push(kind));
      value(await first.keepReply({ after: 1, text: 'Half' }));
      const second = value(await anotherWindow().open('c1', { takeOver: true }));
      assert.deepEqual(second.stored.reply, { after: 1, text: 'Half' });
      assert.equal(problem(await first.keepReply({ after: 1, text: 'Half and more' })).kind, 'lock-lost');
      assert.equal(problem(await first.keepReply(undefined)).kind, 'lock-lost');
      assert.deepEqual(told, ['lock-lost']);
      await first.close();
      await second.close();
      assert.deepEqual((await reopen()).stored.reply, { after: 1, text: 'Half' });
    });

    it('the second opens read-only and may not write', async () => {
      await createWith('one');
      const second = value(await anotherWindow().open('c1'));
      assert.equal(second.access.kind, 'read-only');
      assert.deepEqual(texts(second), ['one']);
      assert.equal(problem(await second.append([say('no')])).kind, 'locked');
      assert.equal(problem(await second.save(NONE, [])).kind, 'locked');
    });

    it('a reader leaves alone the line that the writer is just writing', async () => {
      const first = await createWith('one');
      appendFileSync(raw(), '{"v":1,"id":1');
      const second = value(await anotherWindow().open('c1'));
      assert.deepEqual(kinds(second), []);
      assert.equal(existsSync(`${raw()}.torn`), false);
      await first.close();
    });

    it('after "take over" the old writer notices, stops and says so once', async () => {
      const first = await createWith('one');
      const told: string[] = [];
      first.onProblem(({ kind }) => told.push(kind));
      const second = value(await anotherWindow().open('c1', { takeOver: true }));
      assert.equal(second.access.kind, 'write');
      value(await second.append([say('two')]));
      assert.equal(problem(await first.append([say('lost race')])).kind, 'lock-lost');
      assert.equal(problem(await first.save(NONE, [])).kind, 'lock-lost');
      assert.deepEqual(told, ['lock-lost']);
      await first.close();
      value(await second.append([say('three')]));
      await second.close();
      assert.deepEqual(texts(await reopen()), ['one', 'two', 'three']);
    });

    it('after the other has taken over and closed, the old writer replaces nothing that the other has saved', async () => {
      const first = await createWith('one');
      const second = value(await anotherWindow().open('c1', { takeOver: true }));
      value(await second.append([say('two')]));
      value(await second.save({ compactions: [], pins: [1] }, []));
      await second.close();
      assert.equal(problem(await first.save(NONE, [])).kind, 'lock-lost');
      assert.equal(problem(await first.append([say('late')])).kind, 'lock-lost');
      await first.close();
      const { stored } = await reopen();
      assert.deepEqual(stored.details.pins, [1]);
    });

    it('a writer that finds lines which it did not write stops, and cuts nothing off', async () => {
      const first = await createWith('one');
      appendFileSync(raw(), `${JSON.stringify({ v: 1, id: 1, at: 1, message: say('theirs') })}\n`);
      assert.equal(problem(await first.append([say('ours')])).kind, 'lock-lost');
      await first.close();
      assert.deepEqual(texts(await reopen()), ['one', 'theirs']);
    });

    it('the lock of a dead process is taken without asking', async () => {
      await (await createWith('one')).close();
      const lock = { pid: 2 ** 22 + 1, host: hostname(), instance: 'gone', token: 'gone' };
      writeFileSync(join(folder(), 'conversation.lock'), JSON.stringify(lock));
      const again = await reopen();
      assert.equal(again.access.kind, 'write');
      assert.deepEqual(kinds(again), []);
    });

    it('the lock of an earlier process with our own number is taken too', async () => {
      await (await createWith('one')).close();
      const lock = { pid: process.pid, host: hostname(), instance: 'earlier', token: 'gone' };
      writeFileSync(join(folder(), 'conversation.lock'), JSON.stringify(lock));
      assert.equal((await reopen()).access.kind, 'write');
    });

    it('the fresh lock of another machine is respected', async () => {
      await (await createWith('one')).close();
      const lock = { pid: 1, host: 'elsewhere', instance: 'x', token: 'y' };
      writeFileSync(join(folder(), 'conversation.lock'), JSON.stringify(lock));
      const again = await reopen();
      assert.deepEqual(again.access, { kind: 'read-only', holder: 'another window on elsewhere' });
    });

    it('the fresh lock of another window of this machine is respected', async () => {
      await (await createWith('one')).close();
      const lock = { pid: process.ppid, host: hostname(), instance: 'x', token: 'y' };
      writeFileSync(join(folder(), 'conversation.lock'), JSON.stringify(lock));
      const again = await reopen();
      assert.deepEqual(again.access, { kind: 'read-only', holder: 'another window' });
    });

    it('closing lets the other in', async () => {
      const first = await createWith('one');
      await first.close();
      assert.equal(value(await anotherWindow().open('c1')).access.kind, 'write');
      assert.equal(problem(await first.append([say('late')])).kind, 'closed');
    });
  });

  describe('as a list', () => {
    const createAt = async (id: string, at: number): Promise<OpenConversation> => {
      clock = at;
      const conversation = value(await store.create({ id, title: `Title ${id}` }));
      value(await conversation.append([say('x'.repeat(1000))]));
      value(await conversation.save(NONE, []));
      return conversation;
    };
    const day = 24 * 60 * 60 * 1000;

    it('are named, renamed and deleted', async () => {
      await (await createAt('a', Date.now() + day)).close();
      const open = await createAt('b', Date.now() + 2 * day);
      value(await store.rename('a', 'Renamed'));
      value(await store.rename('b', 'Renamed while open'));
      value(await open.save(NONE, []));
      const listed = value(await store.list());
      assert.deepEqual(
        listed.map(({ id, title }) => [id, title]),
        [
          ['b', 'Renamed while open'],
          ['a', 'Renamed'],
        ].sort(),
      );
      value(await store.delete('a'));
      assert.deepEqual(readdirSync(join(root, 'conversations')), ['b']);
    });

    it('cannot be renamed or deleted from another window while they are open', async () => {
      await createAt('b', Date.now());
      assert.equal(problem(await anotherWindow().delete('b')).kind, 'locked');
      assert.equal(problem(await anotherWindow().rename('b', 'x')).kind, 'locked');
      assert.equal(value(await store.list())[0]?.title, 'Title b');
    });

    it('show one with a damaged summary as well', async () => {
      await (await createAt('a', Date.now())).close();
      writeFileSync(join(root, 'conversations', 'a', 'session-summary.json'), 'x');
      assert.equal(value(await store.list())[0]?.title, 'Untitled conversation');
    });

    it('show one with files that are gone at once, and one with a summary that cannot be read', async () => {
      await (await createAt('a', Date.now())).close();
      await (await createAt('b', Date.now())).close();
      symlinkSync(join(root, 'nowhere'), join(root, 'conversations', 'a', 'conversation.json.tmp'));
      const unreadable = join(root, 'conversations', 'b', 'session-summary.json');
      rmSync(unreadable);
      mkdirSync(unreadable);
      const titles = value(await store.list()).map(({ title }) => title);
      assert.deepEqual(titles.sort(), ['Title a', 'Untitled conversation']);
    });

    it('are not pruned while this window shows them, even if it may only read them', async () => {
      const writer = await createAt('shown', Date.now());
      const other = anotherWindow();
      const shown = value(await other.open('shown'));
      assert.equal(shown.access.kind, 'read-only');
      await writer.close();
      clock = Date.now() + 31 * day;
      assert.deepEqual(value(await other.prune({ days: 25 }, (id) => id === 'shown')), []);
      await shown.close();
      assert.deepEqual(value(await other.prune({ days: 25 })), ['shown']);
    });

    it('are pruned by age and size, oldest first, never what is open in any window', async () => {
      const start = Date.now() + day;
      await createAt('open-elsewhere', start);
      await (await createAt('old', start + 1)).close();
      await (await createAt('middle', start + 20 * day)).close();
      await (await createAt('new', start + 30 * day)).close();
      clock = start + 31 * day;
      const other = anotherWindow();
      assert.deepEqual(value(await other.prune({ days: 25 })), ['old']);
      const bytes = value(await other.list()).reduce((sum, listing) => sum + listing.bytes, 0);
      assert.deepEqual(value(await other.prune({ bytes: bytes - 1 })), ['middle']);
      assert.deepEqual(value(await other.prune({})), []);
      assert.deepEqual(readdirSync(join(root, 'conversations')).sort(), ['new', 'open-elsewhere']);
    });
  });
});
