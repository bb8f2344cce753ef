import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { assistant, converse, reads, stillPorts, system, tool, user } from '../conversation/kit.ts';

/** The characters of a note are estimated: its text has as many in each token as usual. */
const OUTPUT = 'every rule of the list holds for this part\n'.repeat(7);

/** Turns of work in which much was said and done. */
function busyTurns(turns: number): ChatMessage[] {
  return Array.from({ length: turns }, (_, turn) => [
    user(`Please look at part ${turn}.`),
    ...reads(3, 12, turn * 10),
    ...Array.from({ length: 6 }, (_, run) =>
      tool(`c${turn}-${run}`, 'bash', { command: `make check-${turn}-${run}` }, `Check ${turn}-${run}: ${OUTPUT}`),
    ).flat(),
    ...tool(`w${turn}`, 'write_file', { path: `src/area${turn}.ts`, content: `handleArea${turn}() {}` }, 'Saved.'),
    assistant(`Part ${turn} is in place and the checks are green.`),
  ]).flat();
}

/** Marks as long as real ones: their length is part of what has to fit. */
const REAL = { ...stillPorts(), newId: () => 'a10b20c30d41' };

describe('the room of the target', () => {
  const messages = [system('You are an agent.'), ...busyTurns(24), user('And now?')];

  it('is used at every size, and never exceeded', async () => {
    const whole = converse(messages).viewTokens();
    for (const share of [0.7, 0.5, 0.35, 0.25, 0.15]) {
      const targetTokens = Math.floor(whole * share);
      const result = await converse(messages, { ports: REAL }).compact({ trigger: 'command', targetTokens });
      assert.ok(result.kind === 'compacted' && result.reachedTarget, `${share}`);
      const fill = result.receipt.tokensAfter / targetTokens;
      assert.ok(fill >= 0.95, `${share}: ${fill.toFixed(3)}, ${result.receipt.rungs}`);
    }
  });

  it('is met by every larger target where a smaller one is met, whatever the state in the end adds', async () => {
    const todos = ['Port the mailer', 'Trim the fixtures'].map((content) => ({ content, status: 'pending' }));
    const plan = [user('Never edit `vendor/`.'), ...tool('plan', 'TodoWrite', { todos }, 'Saved.')];
    const more = [system('You are an agent.'), ...plan, ...busyTurns(10), user('And now?')];
    let met = false;
    for (let targetTokens = 700; targetTokens < 4600; targetTokens += 150) {
      const result = await converse(more).compact({ trigger: 'command', targetTokens });
      assert.equal(result.kind, 'compacted');
      const reached = result.kind === 'compacted' && result.reachedTarget;
      assert.ok(reached || !met, `${targetTokens} is not met`);
      met ||= reached;
    }
    assert.ok(met);
  });

  it('is not made by cutting what the human wrote while anything else can go', async () => {
    const plan = user(`My plan: ${'first this, then that, and never the other. '.repeat(120)}`);
    const conversation = converse([plan, ...busyTurns(24), user('And now?')]);
    await conversation.compact({ trigger: 'command', targetTokens: 5000 });
    assert.ok(conversation.request().includes(conversation.transcript.messages[0]?.wire as ChatMessage));
    await conversation.compact({ trigger: 'command', targetTokens: 1900 });
    assert.match(String(conversation.request()[0]?.content), /^My plan: first this[\s\S]+karl_recall\("t0"\)/);
  });
});
