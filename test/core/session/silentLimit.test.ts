import assert from 'node:assert/strict';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { countTokens } from '../../adapters/server/providerServer.ts';
import { callsReply, errorReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { appendTurns, filler, type Harness, type HarnessOptions, makeTool, openHarness } from './sessionHarness.ts';

/** The most that the server accepts, by its own count. It never states it. */
const LIMIT = 12_000;

const message = 'Your input exceeds the context window of this model.';
const SILENT = errorReply(400, { error: { message, code: 'context_length_exceeded' } });

interface RunOptions extends HarnessOptions {
  readonly limitOf?: (round: number) => number;
  /** The server's count for each of Karl's tokens. */
  readonly factor?: number;
}

describe('a server that refuses what is too long and states no limit', () => {
  let harness: Harness;
  let refused: number;

  afterEach(() => harness.close());

  /** A turn of this many rounds; `outputs` are the sizes of the tool's results in turn, tokens. */
  async function run(
    rounds: number,
    outputs: readonly number[],
    reports: boolean,
    { limitOf = () => LIMIT, factor = 1, ...options }: RunOptions = {},
  ) {
    let round = 0;
    refused = 0;
    const output = () => filler(outputs[round % outputs.length] ?? 0, `round ${round}`);
    const tool = makeTool('work', () => ({ text: output(), failed: false }));
    harness = await openHarness({
      tools: [tool],
      profile: { contextWindow: 64_000 },
      session: { limits: { rounds: rounds + 1 } },
      server: {
        respond: ({ body }): ScriptedReply => {
          const size = Math.round(countTokens(body) * factor);
          if (size > limitOf(round)) {
            refused += 1;
            return SILENT;
          }
          round += 1;
          const extras = reports ? { usage: { prompt_tokens: size, completion_tokens: 9 } } : {};
          if (round === rounds) return textReply('Done.', extras);
          return callsReply([{ id: `c${round}`, name: 'work', arguments: { file: `src/part${round}.ts` } }], extras);
        },
      },
      ...options,
    });
    return await harness.session.send('Work through all parts.');
  }

  for (const [strategy, reports] of [
    ['adaptive', false],
    ['heuristic', true],
  ] as const) {
    it(`is refused twice at most in 100 rounds (${strategy}, usage ${reports ? '' : 'not '}reported)`, async () => {
      const outcome = await run(100, [300, 900, 100, 2_500], reports, { conversation: { strategy } });
      assert.deepEqual(outcome, { kind: 'answered', rounds: 100, cutOff: false });
      assert.ok(refused >= 1 && refused <= 2, `${refused} refusals`);
      const { window, windowSource } = harness.conversation.budget();
      assert.equal(windowSource, 'error');
      assert.ok(window < LIMIT * 1.1 && window > LIMIT * 0.5, `${window}`);
    });
  }

  it('is cured by its own count where it counts more than Karl', async () => {
    const outcome = await run(60, [600, 600, 600, 600, 600, 600, 600, 600, 5_000], true, { factor: 1.6 });
    assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    assert.ok(refused >= 1 && refused <= 2, `${refused} refusals`);
  });

  it('gets as much as it accepted before when one result is many times its limit', async () => {
    const outcome = await run(20, [2_000, 2_000, 2_000, 30_000], true);
    assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    assert.ok(refused <= 3, `${refused} refusals`);
  });

  it('teaches nothing before the shorter request is accepted, and the user is shown no invented figure', async () => {
    harness = await openHarness({ profile: { contextWindow: 64_000 } });
    const { conversation, server, session } = harness;
    appendTurns(conversation, 10, 900);
    server.enqueue(SILENT, SILENT);
    const outcome = await session.send('And now?');
    assert.ok(outcome.kind === 'failed' && outcome.problem.kind === 'overflow');
    assert.equal(server.requests.length, 2, 'one compaction, one retry');
    assert.equal(conversation.learnedWindow(), undefined);
    assert.doesNotMatch(describeProblem(outcome.problem).what, /the model takes|64,000|63,000/);
    assert.deepEqual(await session.resume(), { kind: 'answered', rounds: 1, cutOff: false });
    assert.equal(server.requests.length, 3);
  });

  it('is cured in each request that meets it, also after the server was restarted with a smaller window', async () => {
    const limits = [12_000, 6_000, 3_000];
    const outcome = await run(60, [500], true, { limitOf: (round) => limits[Math.floor(round / 25)] ?? 0 });
    assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    const cures = harness.conversation.compactions().filter(({ trigger }) => trigger === 'overflow');
    assert.equal(cures.length, refused);
    assert.equal(refused, 3);
  });
});
