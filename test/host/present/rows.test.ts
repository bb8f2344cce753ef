import assert from 'node:assert/strict';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { outcomeOf } from '../../../src/host/present/rows.ts';

describe('the row of a call', () => {
  for (const [count, told] of [
    [1, '1 line'],
    [999, '999 lines'],
    [1_000, '1,000 lines'],
    [1_234_567, '1,234,567 lines'],
  ] as const)
    it(`says how much came back: ${told}`, () => {
      const result = parseMessage({ role: 'tool', tool_call_id: 'a', content: 'x\n'.repeat(count) }, 0);
      assert.ok(result.role === 'tool');
      assert.equal(outcomeOf(result).detail, told);
    });
});
