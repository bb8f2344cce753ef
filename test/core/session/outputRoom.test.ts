import assert from 'node:assert/strict';
import { countTokens, type RecordedRequest } from '../../adapters/server/providerServer.ts';
import { callsReply, errorReply, type ScriptedReply, textReply } from '../../adapters/server/reply.ts';
import { filler, type Harness, makeTool, openHarness } from './sessionHarness.ts';

const WINDOW = 32_000;

describe('an output limit that a refusal lowered', () => {
  let harness: Harness;

  afterEach(() => harness.close());

  type Refuse = (input: number, output: number) => ScriptedReply | undefined;

  /** A turn of this many rounds, each with 1,000 tokens of output; returns `max_tokens` of every request. */
  async function run(rounds: number, refuse: Refuse, asked = 30_000) {
    let round = 0;
    const taken: number[] = [];
    const refused: number[] = [];
    const respond = ({ body }: RecordedRequest) => {
      const output = Number(body.max_tokens);
      const refusal = refuse(countTokens(body), output);
      (refusal === undefined ? taken : refused).push(output);
      if (refusal !== undefined) return refusal;
      round += 1;
      return round >= rounds ? textReply('Done.') : callsReply([{ id: `c${round}`, name: 'work', arguments: {} }]);
    };
    harness = await openHarness({
      tools: [makeTool('work', () => ({ text: filler(1_000, `round ${round}`), failed: false }))],
      profile: { contextWindow: WINDOW, completionReserve: 8_000, extra: { max_tokens: asked } },
      server: { respond },
    });
    const outcome = await harness.session.send('Work through all parts.');
    assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
    return { taken, refused };
  }

  it('on suspicion holds for the whole turn: there is no new refusal and no lower limit', async () => {
    const { taken, refused } = await run(14, (_, output) =>
      output > 10_000
        ? errorReply(400, { error: { message: `This model's maximum context length is ${WINDOW} tokens.` } })
        : undefined,
    );
    assert.equal(refused.length, 1);
    assert.deepEqual([...new Set(taken)], [8_000]);
  });

  const words = (output: number, input: number) =>
    `'max_tokens' or 'max_completion_tokens' is too large: ${output}. This model's maximum context length is ${WINDOW} tokens and your request has ${input} input tokens.`;

  const refuse = (input: number, output: number) =>
    input + output > WINDOW ? errorReply(400, { error: { message: words(output, input) } }) : undefined;

  it('to the room in the window follows the input in both directions', async () => {
    const { taken, refused } = await run(40, refuse);
    assert.ok(refused.length <= 2, `${refused}`);
    const least = Math.min(...taken);
    const rises = taken.slice(taken.indexOf(least)).some((output) => output > least * 1.5);
    assert.ok(rises, `${taken}`);
  });

  it('from the size of the window becomes the reserve, which fits beside every input', async () => {
    const { taken, refused } = await run(40, refuse, WINDOW);
    assert.deepEqual([refused.length, ...new Set(taken)], [1, 8_000]);
  });

  it('still holds in the next turn', async () => {
    const { refused } = await run(3, refuse);
    await harness.session.send('And now?');
    assert.equal(refused.length, 1);
  });
});
