import assert from 'node:assert/strict';
import { changeByHand } from '../../../src/host/actions/changes.ts';
import { converse, system, user } from '../../core/conversation/kit.ts';

it('a change by hand that is refused is explained', async () => {
  const told: string[] = [];
  const conversation = converse([system('You are an agent.'), user('Move the exports.')]);
  const active = { conversation, readOnly: undefined, compressing: undefined };
  await changeByHand(active, { act: 'dropped', ids: [0] }, (text) => told.push(text));
  assert.match(told.join(), /^Nothing was changed\. /);
});
