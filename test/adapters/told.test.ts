import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { acquireLock } from '../../src/adapters/node/conversationLock.ts';
import { LOCK_FILE, loadConversation, RAW_FILE } from '../../src/adapters/node/loadConversation.ts';
import { formatRecord } from '../../src/adapters/node/rawTranscript.ts';
import type { ReplyLimits } from '../../src/adapters/openai/exchange.ts';
import { inEnglish, sentence, speak, translate, type Words } from '../../src/core/language.ts';
import { type HookEnd, readHookEnd } from '../../src/core/session/hooks.ts';
import { parseSummary } from '../../src/core/session/parseSummary.ts';
import { describeEnd } from '../../src/host/present/receipt.ts';
import { user } from '../core/conversation/kit.ts';
import { useFolder } from './folder.ts';
import { askAt, useServer } from './openai/asking.ts';
import { chunk, type ScriptedReply } from './server/reply.ts';

const bundle = path.resolve(import.meta.dirname, '../../l10n/bundle.l10n.de.json');

/**
 * Every English sentence has at least one of these words. None of them is a German word, a field, a path or a command.
 */
const ENGLISH =
  /\b(?:the|its?|is|of|than|without|and|are|has|to|could|not|more|no|gave|messages|replaces|refers|malformed|lines?)\b/i;

function assertGerman(said: Words, ...paths: readonly string[]): void {
  const hide = (text: string) => paths.reduce((hidden, path) => hidden.replaceAll(path, 'X'), text);
  assert.match(hide(inEnglish(said)), ENGLISH, 'it is English in a log');
  assert.doesNotMatch(hide(translate(said)), ENGLISH, translate(said));
}

describe('what happened is told in English to a log and in German to its reader', () => {
  before(() => speak('de', JSON.parse(fs.readFileSync(bundle, 'utf8'))));
  after(() => speak('en', {}));

  describe('of a reply', () => {
    const server = useServer();

    async function fail(reply: ScriptedReply, limits: Partial<ReplyLimits> = {}): Promise<Words> {
      server().enqueue(reply);
      const result = await askAt(server().baseUrl, { options: { limits } });
      return result.ok ? assert.fail('it answered') : result.error.error.evidence;
    }

    const said = chunk({ content: 'y'.repeat(1_000) });
    const steps = [said, chunk({}, 'stop')];
    const deep = Array.from({ length: 300 }).reduce<unknown>((inner) => ({ inner }), 1);
    const TOO_LARGE: Readonly<Record<string, readonly [ScriptedReply, Partial<ReplyLimits>]>> = {
      bytes: [{ steps }, { bytes: 100 }],
      'bytes in a line': [{ steps: [{ raw: `data: ${'z'.repeat(1_000)}` }, { stall: true }] }, { lineBytes: 100 }],
      characters: [{ steps }, { characters: 100 }],
      values: [{ steps: [chunk({ some: [1, 2, 3] }), ...steps] }, { values: 2 }],
      entries: [{ steps: [chunk({ one: 1, two: 2, three: 3 }), ...steps] }, { entries: 0 }],
      levels: [{ steps: [chunk({ deep }), ...steps] }, {}],
    };
    for (const [what, [reply, limits]] of Object.entries(TOO_LARGE))
      it(`with too many ${what}`, async () => {
        const evidence = await fail(reply, limits);
        assert.match(inEnglish(evidence), /^The reply was stopped: /);
        assertGerman(evidence);
      });

    for (const location of ['http://elsewhere.example/v1', '/v2'])
      it(`that redirects to ${location}`, async () => {
        const evidence = await fail({ status: 307, headers: { location }, steps: [] });
        assert.match(inEnglish(evidence), /^The server redirects to /);
        assertGerman(evidence);
        assert.doesNotMatch(translate(evidence), /zu eine/);
      });
  });

  it('of compactions in a file that cannot be used', () => {
    const record = {
      ...{ id: 'c1', at: 0, strategy: 'manual', trigger: 'dropped', transcriptLength: 2, replacements: [] },
      receipt: { strategy: 'manual', tokensBefore: 9, tokensAfter: 8 },
    };
    const parse = (...compactions: unknown[]) =>
      parseSummary({ v: 1, title: 'T', createdAt: 0, compactions, pins: [7], undone: [7], profiles: [7] }, 2)?.dropped;
    assert.equal(parse(record)?.length, 3);
    const said = parse(
      7,
      { ...record, at: 'noon' },
      { ...record, transcriptLength: 3 },
      { ...record, edits: [{ id: 2, kind: 'whole' }] },
    );
    assert.equal(said?.length, 7);
    for (const one of said) assertGerman(sentence('{0}.', one));
  });

  describe('of damaged lines', () => {
    const inFolder = useFolder();

    it('and of missing messages', async () => {
      const first = formatRecord({ id: 0, at: 0, message: user('Hello') });
      const fourth = formatRecord({ id: 3, at: 0, message: user('Hello again') });
      fs.writeFileSync(inFolder(RAW_FILE), `${first}damaged\n${fourth}torn`);
      const lock = await acquireLock(inFolder(LOCK_FILE));
      assert.ok('state' in lock);
      const { problems } = (await loadConversation(inFolder(), lock)).stored;
      await lock.release();
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ['torn-line', 'corrupt-line', 'missing-messages', 'corrupt-summary'],
      );
      for (const { message } of problems) assertGerman(message, inFolder());
    });
  });

  it('of a hook that failed or gave no reason', () => {
    const ends: readonly HookEnd[] = [
      { kind: 'timed-out' },
      { kind: 'failed', reason: 'ENOENT' },
      { kind: 'ended', code: 3, text: '' },
      { kind: 'ended', code: 2, text: '' },
    ];
    for (const end of ends) {
      const verdict = readHookEnd('beforeCompact', end, 5000);
      assert.ok(verdict.kind !== 'go-on');
      assertGerman(verdict.kind === 'veto' ? verdict.reason : verdict.problem);
    }
    const message = readHookEnd('beforeCompact', { kind: 'ended', code: 2, text: '' }, 5000);
    assert.ok(message.kind === 'veto');
    const skipped = { kind: 'skipped', strategy: 'heuristic', reason: 'vetoed', message: message.reason } as const;
    assert.doesNotMatch(describeEnd(skipped), ENGLISH);
  });
});
