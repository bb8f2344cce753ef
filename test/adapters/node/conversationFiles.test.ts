import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type { ConversationFile } from '../../../src/adapters/node/conversationFile.ts';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { resolveProfile } from '../../../src/core/model/resolve.ts';
import type { ConversationDetails } from '../../../src/core/session/conversationStore.ts';
import { inEnglish, sentence } from '../../../src/language/language.ts';
import { useFolder } from '../folder.ts';
import { problem, say, textsOf, value, wiresOf } from './kit.ts';

const { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = fs;
const NONE: ConversationDetails = { compactions: [], pins: [] };
const kinds = (conversation: ConversationFile): string[] => conversation.stored.problems.map(({ kind }) => kind);

describe('stored conversations', () => {
  const path = useFolder();
  let clock: number;
  let store: ConversationFiles;
  const folder = (): string => path('conversations', 'c1');
  const raw = (): string => join(folder(), 'conversation-raw.jsonl');
  const summary = (): string => join(folder(), 'session-summary.json');
  const anotherWindow = (): ConversationFiles => new ConversationFiles({ root: path(), now: () => clock });

  beforeEach(() => {
    clock = Date.UTC(2026, 2, 1);
    store = anotherWindow();
  });

  const createWith = async (...contents: string[]): Promise<ConversationFile> => {
    const conversation = value(await store.create({ id: 'c1', title: 'First' }));
    for (const content of contents) value(await conversation.append([say(content)]));
    return conversation;
  };
  const reopen = async (): Promise<ConversationFile> => value(await store.open('c1'));
  /** The kinds of what an open conversation tells from now on. */
  const toldBy = (conversation: ConversationFile): string[] => {
    const told: string[] = [];
    conversation.onProblem(({ kind }) => told.push(kind));
    return told;
  };
  /** Puts a folder in the place of the transcript: every write fails until what is returned is called. */
  const blockTranscript = (): (() => void) => {
    fs.renameSync(raw(), `${raw()}.away`);
    mkdirSync(raw());
    return () => {
      rmSync(raw(), { recursive: true });
      fs.renameSync(`${raw()}.away`, raw());
    };
  };
  const rewriteSummary = (change: (content: Record<string, unknown>) => object) =>
    writeFileSync(summary(), JSON.stringify(change(JSON.parse(readFileSync(summary(), 'utf8')))));

  it('come back as they were: messages, details, view, title', async () => {
    const conversation = await createWith();
    const content = 'line\nbreak \ud83d\ude00 \ud800';
    const odd: ChatMessage = { role: 'assistant', content, reasoning_content: 'kept', tool_calls: [] };
    value(await conversation.append([say('one'), odd]));
    value(await conversation.append([say('three')]));
    const details = { ...NONE, pins: [2], learnedWindow: { tokens: 4096, source: 'error' }, state: { a: 1 } } as const;
    value(await conversation.save(details, [say('view')]));
    await conversation.close();
    const again = await reopen();
    assert.deepEqual(wiresOf(again.stored), [say('one'), odd, say('three')]);
    assert.deepEqual(again.stored.details, details);
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
    const numbers = Array.from({ length: 30 }, (_, index) => String(index));
    for (const result of await Promise.all(numbers.map((one) => conversation.append([say(one)])))) value(result);
    await conversation.close();
    assert.deepEqual(textsOf(await reopen()), numbers);
  });

  describe('after damage', () => {
    /** Lines of a file as Karl 0.1 wrote it, without checksums. */
    const oldLine = (id: number, content: string) => JSON.stringify({ v: 1, id, at: 5, message: say(content) });
    const FOUR = ['zero', 'one', 'two', 'three'];

    interface Damage {
      /** What was said; what the file is made into; what is told; what is left, `null` for a message that is lost. */
      readonly said: readonly string[];
      readonly damage: (lines: readonly string[]) => readonly string[];
      readonly kinds: readonly string[];
      readonly says: RegExp;
      readonly left: readonly (string | null)[];
      /** What is kept beside the transcript. */
      readonly aside?: readonly [ending: string, content: RegExp];
    }
    for (const [what, { said, damage, kinds: told, says, left, aside }] of Object.entries<Damage>({
      'a torn last line': {
        said: ['one', 'two'],
        damage: (lines) => [...lines.slice(0, -1), '{"v":1,"id":2,"at":5,"message":{"role":"user","con'],
        kinds: ['torn-line'],
        says: /^The last line was cut off while it was written/,
        left: ['one', 'two'],
        aside: ['torn', /"con\n$/],
      },
      'a last line that lacks only its line end': {
        said: ['one', 'two'],
        damage: (lines) => lines.slice(0, -1),
        kinds: [],
        says: /^$/,
        left: ['one', 'two'],
      },
      'a corrupt line in the middle': {
        said: FOUR,
        damage: ([first, second, ...others]) => [first ?? '', `${second?.slice(0, 20)}\u0000garbage`, ...others],
        kinds: ['corrupt-line'],
        says: /Damaged lines in .*: 1, the first is line 2\. 0 of them/,
        left: ['zero', null, 'two', 'three'],
        aside: ['corrupt', /garbage/],
      },
      'lines that are JSON but no message, or far beyond the others': {
        said: ['one'],
        damage: ([first]) => [
          first ?? '',
          '{"v":1,"id":1,"at":5,"message":{"role":"nobody"}}',
          oldLine(99_999_999, 'far'),
          '',
        ],
        kinds: ['corrupt-line'],
        says: /: 2, the first is line 2\./,
        left: ['one'],
      },
      'a wrong position in a file without checksums, as Karl 0.1 wrote it': {
        said: [],
        damage: () => [oldLine(0, 'zero'), oldLine(900, 'one'), oldLine(2, 'two'), ''],
        kinds: ['corrupt-line'],
        says: /: 1, the first is line 2\. 1 of them could be repaired/,
        left: ['zero', 'one', 'two'],
        aside: ['corrupt', /^\{"v":1,"id":900,[^\n]*"one"\}\}\n$/],
      },
      'a line in which one letter was changed': {
        said: ['pay 100 to Ann', 'two'],
        damage: ([first, ...others]) => [first?.replace('pay 100', 'pay 900') ?? '', ...others],
        kinds: ['corrupt-line'],
        says: /: 1, the first is line 1\. 0 of them/,
        left: [null, 'two'],
        aside: ['corrupt', /pay 900/],
      },
      'a line that is gone from between others': {
        said: FOUR,
        damage: (lines) => lines.toSpliced(1, 1),
        kinds: ['missing-messages'],
        says: /^Messages are missing in .*: 1\. The rest was loaded/,
        left: ['zero', null, 'two', 'three'],
      },
      'a line that is gone, beside more damaged lines than there are places for': {
        said: ['0', '1', '2', '3', '4', '5', '6', '7'],
        damage: (lines) =>
          [0, 1, 'a', 'b', 'c', 3, 'd', 5, 7, ''].map(
            (at) => (typeof at === 'number' ? lines[at] : undefined) ?? String(at),
          ),
        kinds: ['corrupt-line', 'missing-messages'],
        says: /: 1\. The rest was loaded/,
        left: ['0', '1', null, '3', null, '5', null, '7'],
      },
      'a file that was cut at a line end': {
        said: ['one', 'two', 'three'],
        damage: ([first]) => [first ?? '', ''],
        kinds: ['missing-messages'],
        says: /^Messages are missing in .*: 2\./,
        left: ['one'],
      },
      'a damaged last line without its end': {
        said: ['one', 'two', 'three'],
        damage: (lines) => lines.with(2, lines[2]?.replace('content', 'c\u0000ntent') ?? '').slice(0, 3),
        kinds: ['torn-line'],
        says: /cut off/,
        left: ['one', 'two'],
      },
    }))
      it(`${what}: told once, everything else is loaded and goes on`, async () => {
        const conversation = await createWith(...said);
        if (said.length > 0) value(await conversation.save(NONE, []));
        await conversation.close();
        writeFileSync(raw(), damage(readFileSync(raw(), 'utf8').split('\n')).join('\n'));
        const readable = (one: ConversationFile) =>
          textsOf(one).map((text) => (/could not be read/.test(String(text)) ? null : text));
        const again = await reopen();
        assert.deepEqual([kinds(again), readable(again)], [told, left]);
        assert.match(inEnglish(again.stored.problems.at(-1)?.message ?? ''), says);
        if (aside !== undefined) assert.match(readFileSync(`${raw()}.${aside[0]}`, 'utf8'), aside[1]);
        value(await again.append([say('more')]));
        await again.close();
        const third = await reopen();
        assert.deepEqual([kinds(third), readable(third)], [[], [...left, 'more']]);
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
        assert.deepEqual(textsOf(again), ['one']);
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

    const RECORD = {
      ...{ at: 1, strategy: 'heuristic', trigger: 'command', transcriptLength: 3 },
      receipt: { strategy: 'heuristic', tokensBefore: 10, tokensAfter: 5 },
    };

    it('a compaction is left out if requests with it would be refused or it has no date, and kept if only its receipt is damaged', async () => {
      await (await createWith('one', 'two', 'three')).close();
      const said = sentence('The model wrote an empty summary.');
      const words = {
        // As it was stored before.
        withoutNote: { text: said.code, values: [] },
        unchecked: { code: 5, values: [] },
        fellBackBecause: { code: '{0}', values: [null] },
      };
      const receipt = { ...RECORD.receipt, ...words, messages: null, facts: 'x', model: 'm' };
      const compaction = (id: string, change: object, messages: readonly unknown[] = []): unknown => ({
        ...{ ...RECORD, id, receipt },
        replacements: [{ range: { from: 0, to: 1 }, by: { kind: 'shortened', messages } }],
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
      rewriteSummary((content) => ({ ...content, compactions }));
      const [kept, ...others] = (await reopen()).stored.details.compactions;
      assert.equal(kept?.id, 'whole');
      const { messages, facts, rejected, model } = kept.receipt;
      assert.deepEqual([messages, facts, rejected, model], [{ whole: 0, shortened: 0, replaced: 0 }, [], [], 'm']);
      const { withoutNote, unchecked, fellBackBecause } = kept.receipt;
      assert.deepEqual([withoutNote, unchecked, fellBackBecause], [said, undefined, undefined]);
      assert.deepEqual(others, []);
    });

    it('only the compaction that refers beyond the transcript is dropped', async () => {
      await (await createWith('one', 'two', 'three')).close();
      const compaction = (id: string, transcriptLength: number, to: number): unknown => ({
        ...{ ...RECORD, id, transcriptLength },
        replacements: [{ range: { from: 0, to }, by: { kind: 'removed', messages: [] } }],
      });
      const made = [compaction('good', 3, 1), compaction('later', 9, 1), compaction('wrong', 3, 3), { id: 'bare' }];
      rewriteSummary((content) => ({ ...content, compactions: made, pins: [0, 7] }));
      const again = await reopen();
      const ids = again.stored.details.compactions.map(({ id }) => id);
      assert.deepEqual(ids, ['good']);
      assert.deepEqual(again.stored.details.pins, [0]);
      assert.deepEqual(new Set(kinds(again)), new Set(['dropped-compaction']));
      assert.equal(kinds(again).length, 4);
      assert.ok(
        again.stored.problems.some(({ message }) => inEnglish(message) === 'pins that refer to no message: dropped.'),
      );
    });
  });

  it('repair a profile with values of another version, and name them', async () => {
    const conversation = await createWith('one');
    const { profile } = resolveProfile('gpt-5');
    value(await conversation.save({ compactions: [], pins: [], profile }, [say('one')]));
    await conversation.close();
    const strange = { encoding: 'o300k_base', completionReserve: 'much', roles: 7 };
    rewriteSummary((content) => ({ ...content, profile: { ...profile, ...strange } }));
    const again = await reopen();
    const { encoding: _, ...known } = profile;
    assert.deepEqual(again.stored.details.profile, known);
    const repaired = /\(.*completionReserve.*encoding.*roles.*\): repaired/;
    assert.match(inEnglish(again.stored.problems[0]?.message ?? ''), repaired);
    await again.close();
  });

  it('keep the profiles that a session ran with; only a malformed one is dropped', async () => {
    const conversation = await createWith('one');
    const profiles = [{ ...resolveProfile('gpt-5'), since: 1 }];
    value(await conversation.save({ compactions: [], pins: [0], profiles }, [say('one')]));
    await conversation.close();
    rewriteSummary((content) => {
      assert.deepEqual(content.profiles, profiles);
      return { ...content, profiles: [...profiles, { since: 'soon' }] };
    });
    const again = await reopen();
    assert.deepEqual(again.stored.details, { compactions: [], pins: [0], profiles });
    const dropped = /^malformed entries among the profiles that were used: dropped\.$/;
    assert.match(inEnglish(again.stored.problems[0]?.message ?? ''), dropped);
    await again.close();
  });

  it('lose the remains of interrupted writes, but not a lock that is just being taken', async () => {
    await (await createWith('one')).close();
    const remains = (name: string) => join(folder(), `${name}.${randomUUID()}.tmp`);
    const taking = remains('conversation.lock');
    const old = remains('conversation.lock');
    for (const path of [remains('session-summary.json'), remains('conversation.json'), taking, old])
      writeFileSync(path, 'half');
    fs.utimesSync(old, 0, 0);
    writeFileSync(join(folder(), 'notes.tmp'), 'not ours');
    await (await reopen()).close();
    const left = readdirSync(folder()).filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(left.sort(), [basename(taking), 'notes.tmp'].sort());
  });

  describe('when the disk fails', () => {
    it('a removed folder is written again with every message, which is reported once', async () => {
      const conversation = await createWith('one', 'two');
      const told = toldBy(conversation);
      rmSync(folder(), { recursive: true });
      value(await conversation.append([say('three')]));
      value(await conversation.append([say('four')]));
      assert.deepEqual(told, ['missing']);
      await conversation.close();
      const again = await reopen();
      assert.deepEqual(textsOf(again), ['one', 'two', 'three', 'four']);
      assert.deepEqual(kinds(again), []);
    });

    it('a transcript that somebody cut is written again', async () => {
      const conversation = await createWith('one', 'two');
      writeFileSync(raw(), '');
      value(await conversation.append([say('three')]));
      await conversation.close();
      assert.deepEqual(textsOf(await reopen()), ['one', 'two', 'three']);
    });

    for (const [when, last] of [
      ['first by the next', ['four']],
      ['on closing if writing works again by then', []],
    ] as const)
      it(`a failed append is reported, kept, and written ${when}`, async () => {
        const conversation = await createWith('one');
        const writeAgain = blockTranscript();
        const failed = problem(await conversation.append([say('two')]));
        assert.ok(failed.path.endsWith('conversation-raw.jsonl') && inEnglish(failed.message).length > 0);
        problem(await conversation.append([say('three')]));
        writeAgain();
        for (const content of last) value(await conversation.append([say(content)]));
        await conversation.close();
        assert.deepEqual(textsOf(await reopen()), ['one', 'two', 'three', ...last]);
      });

    it('a message that is not JSON fails its own append, not the next', async () => {
      const conversation = await createWith('one');
      const circular: Record<string, unknown> = { role: 'user', content: 'x' };
      circular.self = circular;
      problem(await conversation.append([say('with it'), circular as unknown as ChatMessage]));
      value(await conversation.append([say('two')]));
      await conversation.close();
      assert.deepEqual(textsOf(await reopen()), ['one', 'two']);
    });

    it('a full disk is reported as such', async function () {
      if (!existsSync('/dev/full')) this.skip();
      const { describeStorageError } = await import('../../../src/adapters/node/storageError.ts');
      assert.throws(
        () => writeFileSync('/dev/full', 'x'),
        (error) => {
          const { kind, message } = describeStorageError(error, '/dev/full');
          return kind === 'disk-full' && /Free some space/.test(inEnglish(message));
        },
      );
    });

    it('a conversation that does not exist is a result, not an exception', async () => {
      assert.equal(problem(await store.open('nobody')).kind, 'missing');
      assert.equal(existsSync(path('conversations')), false);
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

  it('restore a partial reply until it is deleted', async () => {
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
    assert.deepEqual(readdirSync(path('conversations')), []);
  });

  it('delete a partial reply only once the whole one is on disk', async () => {
    const first = await createWith('one');
    value(await first.keepReply({ after: 1, text: 'Half' }));
    value(first.queue([{ role: 'assistant', content: 'Whole' }]));
    const writeAgain = blockTranscript();
    problem(await first.keepReply(undefined));
    assert.ok(existsSync(join(folder(), 'reply.json')));
    writeAgain();
    value(await first.keepReply(undefined));
    await first.close();
    const again = await reopen();
    assert.deepEqual([textsOf(again), again.stored.reply], [['one', 'Whole'], undefined]);
  });

  it('are opened whatever is in the file for a reply', async () => {
    await (await createWith('one')).close();
    const reply = join(folder(), 'reply.json');
    writeFileSync(reply, '{"after":1,"te');
    const half = await reopen();
    const told = (one: typeof half) => one.stored.problems.map(({ message }) => inEnglish(message)).join();
    assert.deepEqual(textsOf(half), ['one']);
    assert.match(told(half), /reply\.json cannot be read \(JSON\)\. The unfinished part of the last reply/);
    await half.close();
    rmSync(reply);
    mkdirSync(reply);
    const unread = await reopen();
    assert.deepEqual(textsOf(unread), ['one'], 'it cannot be read');
    assert.match(told(unread), /reply\.json cannot be read \(EISDIR\)/);
  });

  describe('in two windows', () => {
    it('the second opens read-only and may not write', async () => {
      await createWith('one');
      const second = value(await anotherWindow().open('c1'));
      assert.equal(second.access.kind, 'read-only');
      assert.deepEqual(textsOf(second), ['one']);
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

    it('after "take over" the new writer has what had come of a reply; the old one touches nothing and says so once', async () => {
      const first = await createWith('one');
      const told = toldBy(first);
      value(await first.keepReply({ after: 1, text: 'Half' }));
      const second = value(await anotherWindow().open('c1', { takeOver: true }));
      assert.deepEqual([second.access.kind, second.stored.reply], ['write', { after: 1, text: 'Half' }]);
      value(await second.append([say('two')]));
      for (const late of [
        first.append([say('lost race')]),
        first.save(NONE, []),
        first.keepReply({ after: 1, text: 'Half and more' }),
        first.keepReply(undefined),
      ])
        assert.equal(problem(await late).kind, 'lock-lost');
      assert.deepEqual(told, ['lock-lost']);
      await first.close();
      value(await second.append([say('three')]));
      await second.close();
      const again = await reopen();
      assert.deepEqual([textsOf(again), again.stored.reply], [['one', 'two', 'three'], { after: 1, text: 'Half' }]);
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
      assert.deepEqual(textsOf(await reopen()), ['one', 'theirs']);
    });

    for (const [whose, lock, access] of [
      ['of a dead process is taken without asking', { pid: 2 ** 22 + 1, host: hostname() }, { kind: 'write' }],
      [
        'of an earlier process with our own number is taken too',
        { pid: process.pid, host: hostname() },
        { kind: 'write' },
      ],
      [
        'of another machine is respected while it is fresh',
        { pid: 1, host: 'elsewhere' },
        { kind: 'read-only', holder: sentence('another window on {0}', 'elsewhere') },
      ],
      [
        'of another window of this machine is respected while it is fresh',
        { pid: process.ppid, host: hostname() },
        { kind: 'read-only', holder: sentence('another window') },
      ],
    ] as const)
      it(`the lock ${whose}`, async () => {
        await (await createWith('one')).close();
        writeFileSync(join(folder(), 'conversation.lock'), JSON.stringify({ ...lock, instance: 'x', token: 'y' }));
        const again = await reopen();
        assert.deepEqual([again.access, kinds(again)], [access, []]);
      });

    it('closing lets the other in', async () => {
      const first = await createWith('one');
      await first.close();
      assert.equal(value(await anotherWindow().open('c1')).access.kind, 'write');
      assert.equal(problem(await first.append([say('late')])).kind, 'closed');
    });
  });

  describe('as a list', () => {
    const createAt = async (id: string, at: number): Promise<ConversationFile> => {
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
      const titles = listed.map(({ id, title }) => `${id}: ${title}`);
      assert.deepEqual(titles, ['a: Renamed', 'b: Renamed while open']);
      value(await store.delete('a'));
      assert.deepEqual(readdirSync(path('conversations')), ['b']);
    });

    it('cannot be renamed or deleted from another window while they are open', async () => {
      await createAt('b', Date.now());
      assert.equal(problem(await anotherWindow().delete('b')).kind, 'locked');
      assert.equal(problem(await anotherWindow().rename('b', 'x')).kind, 'locked');
      assert.equal(value(await store.list())[0]?.title, 'Title b');
    });

    it('show one with files that are gone at once, and those with a summary that is damaged or cannot be read', async () => {
      for (const id of ['a', 'b', 'c']) await (await createAt(id, Date.now())).close();
      writeFileSync(path('conversations', 'c', 'session-summary.json'), 'x');
      fs.symlinkSync(path('nowhere'), path('conversations', 'a', 'conversation.json.tmp'));
      const unreadable = path('conversations', 'b', 'session-summary.json');
      rmSync(unreadable);
      mkdirSync(unreadable);
      const titles = value(await store.list()).map(({ title }) => title);
      assert.deepEqual(titles.sort(), ['Title a', 'Untitled conversation', 'Untitled conversation']);
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
      assert.deepEqual(readdirSync(path('conversations')).sort(), ['new', 'open-elsewhere']);
    });
  });
});
