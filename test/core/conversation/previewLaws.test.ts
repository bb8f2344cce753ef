import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { infoOf } from '../../../src/engine/report.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { cases } from '../../attack/seed.ts';
import { checkView } from '../../laws/checkView.ts';
import { stretch, transcript } from '../../laws/generate.ts';
import { converse, PROFILE, scripted } from './kit.ts';

const RUNS = cases(60, 2);
const SEED = Number(process.env.KARL_SEED ?? 42);

/** Evenly spread: of doubles most are next to 0 or 1. */
const share = fc.integer({ min: 0, max: 999 }).map((part) => part / 1000);

/** What a user might do with a preview. */
const choices = fc.record({
  strategy: fc.constantFrom('adaptive', 'heuristic', 'karl', 'sandwich', 'extractive', 'action-trace'),
  keep: fc.array(share, { maxLength: 4 }),
  aside: fc.option(fc.tuple(share, share), { nil: [0, 0] as const }),
  upTo: fc.option(share, { nil: undefined }),
  text: fc.option(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', '</karl-history id="x">', '[t0-99] all')),
    {
      nil: undefined,
    },
  ),
  later: fc.option(stretch, { nil: undefined }),
});

function shown(conversation: Conversation) {
  return {
    messages: conversation.snapshot().messages,
    view: conversation.items().flatMap((item) => item.messages),
    compactions: conversation.compactions().map(infoOf),
  };
}

describe('the laws of compaction, over previews of generated conversations', () => {
  it('hold for whatever the user keeps, sets aside, writes and appends before it is applied', async function () {
    this.timeout(600_000);
    let applied = 0;
    let asides = 0;
    await fc.assert(
      fc.asyncProperty(
        transcript,
        fc.integer({ min: 5, max: 80 }).map((percent) => percent / 100),
        choices,
        async (messages, aim, user) => {
          const conversation = converse(messages, {
            profile: { ...PROFILE, contextWindow: 200_000 },
            summarizer: scripted('- Lorem was run in src/app.ts.'),
          });
          const at = (part: number): number => Math.floor(part * messages.length);
          const { strategy, upTo } = user;
          const request = {
            trigger: 'command',
            strategy,
            targetTokens: Math.floor(conversation.viewTokens() * aim),
            keep: user.keep.map(at),
            ...(upTo !== undefined && { upTo: at(upTo) }),
          } as const;
          const [start, end] = user.aside;
          const aside = messages.flatMap((_, id) => (at(start) <= id && id < at(end) ? [id] : []));
          const first = await conversation.preview({ ...request, aside });
          if (first.kind !== 'previewed') return;
          let { preview } = first;
          const [note] = preview.shown.notes;
          if (user.text !== undefined && note !== undefined) {
            const edits = [{ range: note.range, text: user.text }];
            const second = await conversation.preview({ ...request, aside, edits, earlier: preview });
            assert.ok(second.kind === 'previewed');
            preview = second.preview;
            const own = preview.shown.notes.find(({ range }) => range.from === note.range.from)?.body ?? '';
            for (const word of user.text.split(/\s+/))
              if (!/history/i.test(word)) assert.ok(own.includes(word.toWellFormed()), `${word} is in ${own}`);
          }
          assert.doesNotMatch(inEnglish(preview.shown.problem ?? ''), /^(?:complete|frozen|paired|untrusted|audited):/);
          const before = conversation.request();
          assert.equal(conversation.compactions().length, 0);
          if (user.later !== undefined) conversation.append(user.later);
          const raw = conversation.viewTokens();
          const result = await conversation.compact({ ...preview.request, preview });
          if (result.kind !== 'compacted') {
            assert.ok(result.kind === 'failed' && result.error.kind === 'stale-preview', JSON.stringify(result));
            if (user.later === undefined) assert.deepEqual(conversation.request(), before);
            return;
          }
          applied += 1;
          assert.deepEqual(checkView(shown(conversation)), []);
          assert.ok(conversation.viewTokens() < raw);
          const view = conversation.items().flatMap((item) => (item.kind === 'whole' ? [item.range] : []));
          const isWhole = (id: number): boolean => view.some(({ from, to }) => from <= id && id <= to);
          for (const { range, fate } of preview.shown.rows) {
            if (fate !== 'aside') continue;
            asides += 1;
            assert.ok(!isWhole(range.from), `t${range.from} is set aside`);
          }
          for (const id of request.keep) assert.ok(isWhole(id), `t${id} is kept`);
          for (let id = request.upTo ?? messages.length; id < messages.length; id += 1)
            assert.ok(isWhole(id), `t${id} is later`);
        },
      ),
      { numRuns: RUNS, seed: SEED },
    );
    assert.ok(applied >= RUNS * 0.1, `only ${applied} of ${RUNS} were applied`);
    assert.ok(asides >= RUNS * 0.1, `only ${asides} messages were set aside`);
  });
});
