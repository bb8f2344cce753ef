import assert from 'node:assert/strict';
import { CONVERSATION_PORTS as engine } from '../../../src/adapters/node/slices.ts';
import { PLANNED_MARK } from '../../../src/core/messages/fence.ts';
import { CONVERSATION_PORTS as host } from '../../../src/host/conversations/conversationPorts.ts';

describe('the ids of compactions', () => {
  for (const [where, { newId }] of Object.entries({ host, engine }))
    it(`have the form that a plan counts with: a longer one would take the view over its target (${where})`, () => {
      const ids = Array.from({ length: 20 }, newId);
      for (const id of ids) assert.match(id, new RegExp(`^[0-9a-f]{${PLANNED_MARK.length}}$`));
      assert.equal(new Set(ids).size, ids.length);
    });
});
