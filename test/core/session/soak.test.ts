import assert from 'node:assert/strict';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { callsReply, textReply } from '../../adapters/server/reply.ts';
import { makeTool, openHarness } from './sessionHarness.ts';

/** A window small enough that hundreds of rounds need it many times over, tokens. */
const WINDOW = 12_000;
const REQUESTS = 24;
const ROUNDS = 18;

/** Output of a tool: a kilobyte or more, different every time, with an error now and then. */
function toolOutput(step: number): string {
  const lines = Array.from({ length: 30 }, (_, line) => `line ${line} of step ${step}: value ${step * 31 + line}`);
  if (step % 7 === 0)
    lines.splice(12, 0, `src/module${step}.ts(${step},5): error TS2322: step ${step} is not assignable`);
  return lines.join('\n');
}

function ended(events: readonly KarlEvent[]) {
  return events.flatMap((event) => (event.type === 'compaction-ended' ? [event] : []));
}

describe('an agent that works for days', () => {
  for (const strategy of ['adaptive', 'heuristic'] as const) {
    it(`never meets an overflow and never thrashes inside a fixed window (${strategy})`, async function () {
      this.timeout(120_000);
      let step = 0;
      const harness = await openHarness({
        profile: { contextWindow: WINDOW },
        conversation: { strategy },
        session: { limits: { rounds: ROUNDS * 2 } },
        server: {
          window: WINDOW,
          respond: () => {
            step += 1;
            if (step % ROUNDS === 0) return textReply(`Request ${step / ROUNDS} is done.`);
            return callsReply([
              { id: `call_${step}`, name: 'work', arguments: JSON.stringify({ path: `src/module${step}.ts` }) },
            ]);
          },
        },
        tools: [makeTool('work', () => ({ text: toolOutput(step), failed: false }))],
      });
      for (let request = 1; request <= REQUESTS; request += 1) {
        const outcome = await harness.session.send(`Request ${request}: never touch src/generated${request}.ts.`);
        assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
      }
      const runs = ended(harness.events);
      assert.equal(harness.events.filter((event) => event.type === 'model-error').length, 0, 'no request was refused');
      assert.ok(runs.length > 5, 'the window was needed many times over');
      assert.ok(
        runs.every((run) => run.result.kind === 'compacted'),
        JSON.stringify(runs.map((run) => run.result.kind)),
      );
      assert.ok(
        runs.length < (REQUESTS * ROUNDS) / 5,
        `${runs.length} runs in ${REQUESTS * ROUNDS} rounds is thrashing`,
      );
      assert.equal(
        harness.conversation.transcript.messages.length,
        harness.store.flushed.length,
        'all of it is on disk',
      );
      if (strategy === 'adaptive') {
        const view = harness.conversation.request().map(contentText).join('\n');
        for (let request = 1; request <= REQUESTS; request += 1) {
          assert.ok(view.includes(`never touch src/generated${request}.ts`), `constraint ${request} is still there`);
        }
      }
      const {
        found: [first],
      } = await harness.conversation.recall({ query: 't3' });
      assert.match(first?.text ?? '', /line 29 of step 1/);
      await harness.close();
    });
  }
});
