import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import type { TextCounter } from '../../../src/core/tokens/counter.ts';
import { converse, PROFILE } from './kit.ts';

/** A counter whose every figure is an estimate until the test corrects it. */
function correctable(): TextCounter & { correct(): void } {
  const exact: TextCounter = {
    encoding: 'o200k_base',
    count: (text) => ({ tokens: text.length + 1, source: 'counted' }),
  };
  let isLoaded = false;
  return {
    encoding: 'o200k_base',
    count: (text) => (isLoaded ? exact.count(text) : { tokens: text.length, source: 'estimated' }),
    exact: () => (isLoaded ? exact : undefined),
    correct: () => {
      isLoaded = true;
    },
  };
}

const ACTIONS = ['user', 'say', 'call', 'result', 'stray', 'compact', 'undo', 'pin'] as const;

describe('a view that grows', () => {
  it('is after every change what it would be if it were derived and summed afresh', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...ACTIONS), { minLength: 20, maxLength: 40 }), async (actions) => {
        const begun = Array.from({ length: 150 }, (_, index) => messageOf(index % 5 === 0 ? 'user' : 'say', index));
        const conversation = converse(begun);
        for (const [index, action] of actions.entries()) {
          const targetTokens = Math.floor(conversation.viewTokens() * 0.6);
          if (action === 'compact') await conversation.compact({ trigger: 'command', targetTokens });
          else if (action === 'undo') conversation.undo();
          else if (action === 'pin') conversation.pin(Math.floor((index / 40) * conversation.transcript.nextId));
          else conversation.append([messageOf(action, index)]);
          const again = converse([], { restore: conversation.snapshot() });
          assert.deepEqual(again.items(), conversation.items());
          assert.deepEqual(again.budget(), conversation.budget());
        }
      }),
      { numRuns: 8 },
    );
  });

  it('takes corrections of counts, in the messages that were estimated', () => {
    const counter = correctable();
    const conversation = converse([], { counter, profile: PROFILE });
    for (let index = 0; index < 300; index += 1) conversation.append([{ role: 'user', content: `message ${index}` }]);
    assert.equal(conversation.budget().used.source, 'estimated');
    counter.correct();
    const again = converse([], { counter, profile: PROFILE, restore: conversation.snapshot() });
    assert.deepEqual(conversation.budget(), again.budget());
    assert.equal(conversation.budget().used.source, 'counted');
  });
});

function messageOf(action: 'user' | 'say' | 'call' | 'result' | 'stray', index: number): ChatMessage {
  switch (action) {
    case 'user':
      return { role: 'user', content: `Do part ${index}.` };
    case 'say':
      return { role: 'assistant', content: `Part ${index} is done: src/part${index}.ts reads each line. `.repeat(3) };
    case 'call': {
      const calls = ['a', 'b'].map(
        (id) => ({ id, type: 'function', function: { name: 'bash', arguments: '{}' } }) as const,
      );
      return { role: 'assistant', content: null, tool_calls: calls };
    }
    case 'result':
      return { role: 'tool', tool_call_id: index % 2 === 0 ? 'a' : 'b', content: `output ${index}\n`.repeat(20) };
    case 'stray':
      return { role: 'tool', tool_call_id: 'none', content: `stray ${index}` };
  }
}
