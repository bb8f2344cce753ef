import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { HandAct, StrategyId } from '../../../src/core/compaction/compaction.ts';
import type { Conversation } from '../../../src/core/conversation/conversation.ts';
import { cases, SEED } from '../../attack/seed.ts';
import { Random } from '../../laws/random.ts';
import { assertSound, assistant, converse, reads, reopened, system, user } from './kit.ts';

const ACTS: readonly HandAct[] = ['dropped', 'shortened', 'restored'];
const STRATEGIES: readonly StrategyId[] = ['adaptive', 'heuristic', 'extractive', 'action-trace'];
const ROUNDS = cases(12, 3);
const STEPS = 24;

/** A call with two results, and the reply to them. */
function work(from: number): ChatMessage[] {
  const ids = [`a${from}`, `b${from}`];
  const calls = ids.map((id) => {
    return { id, type: 'function', function: { name: 'read_file', arguments: `{"path":"${id}"}` } };
  });
  const results = ids.map((id): ChatMessage => {
    return { role: 'tool', tool_call_id: id, content: `${id} has this line.\n`.repeat(50) };
  });
  return [{ role: 'assistant', content: '', tool_calls: calls }, ...results, assistant(`Done with ${from}.`)];
}

/** True if it was an act by hand that changed something. */
async function takeStep(conversation: Conversation, random: Random): Promise<boolean> {
  const length = conversation.transcript.nextId;
  const history = conversation.history();
  const some = () => history[random.integer(0, history.length - 1)]?.compaction.id;
  switch (random.integer(0, 6)) {
    case 0:
      conversation.append([...work(length), ...reads(random.integer(1, 4), 30, length), user(`Request ${length}.`)]);
      return false;
    case 1:
      await conversation.compact({
        trigger: 'command',
        strategy: random.pick(STRATEGIES),
        targetTokens: random.integer(500, 4000),
      });
      return false;
    case 2:
      conversation.undo(random.integer(0, 1) === 0 ? undefined : some());
      return false;
    case 3:
      conversation.redo(random.integer(0, 1) === 0 ? undefined : some());
      return false;
    default: {
      const ids = Array.from({ length: random.integer(1, 4) }, () => random.integer(0, length - 1));
      return (await conversation.changeByHand(random.pick(ACTS), ids)).ok;
    }
  }
}

describe('what the user does by hand, among runs, undos and redos', function () {
  this.timeout(120_000);
  it(`keeps the laws, survives the file, and is all taken back by undos (seed ${SEED})`, async () => {
    let done = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const random = new Random(SEED + round);
      const begun = [system('You are an agent.'), user('Begin.'), ...work(2), ...reads(6), user('Go on.')];
      const conversation = converse(begun);
      for (let step = 0; step < STEPS; step += 1) {
        if (await takeStep(conversation, random)) done += 1;
        assertSound(conversation, `round ${round}, step ${step}`);
      }
      const state = conversation.snapshot();
      const reloaded = JSON.stringify(reopened(conversation).request());
      assert.equal(reloaded, JSON.stringify(conversation.request()), `round ${round}: reload`);
      while (conversation.undo()) assertSound(conversation, `round ${round}, undone`);
      assert.equal(JSON.stringify(conversation.request()), JSON.stringify(state.messages), `round ${round}: raw again`);
    }
    assert.ok(done > ROUNDS * 2, `only ${done} acts changed something`);
  });
});
