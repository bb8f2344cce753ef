import assert from 'node:assert/strict';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import type { ModelClient } from '../../../src/core/model/modelClient.ts';
import { ok } from '../../../src/core/result.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { useFolder } from '../../adapters/folder.ts';
import { wiresOf } from '../../adapters/node/kit.ts';
import { assistant } from '../conversation/kit.ts';
import { openHarness } from './sessionHarness.ts';

const DEEP = JSON.parse('['.repeat(6_000) + ']'.repeat(6_000));
const toJSON = () => {
  throw new RangeError('Maximum call stack size exceeded');
};

/** Replies that a client could return but that cannot be kept. */
const UNUSABLE: readonly (readonly [what: string, fields: Record<string, unknown>, says: RegExp])[] = [
  ['with a field that is no JSON', { count: 1n }, /count must be made of values that JSON has/],
  ['with a field that throws', { trace: Object.create({ toJSON }) }, /could not be written.*call stack/s],
  ['with a part that is null', { content: [null] }, /content\[0\] must be an object/],
  ['nested too deep', { trace: DEEP }, /trace must be nested at most 100 levels/],
];

describe('memory and disk', () => {
  const folder = useFolder();

  for (const [what, fields, says] of UNUSABLE) {
    it(`hold the same after a reply ${what}, and the next turn is answered`, async () => {
      const files = new ConversationFiles({ root: folder(), now: () => 0 });
      const created = await files.create({ id: 'c1', title: 'test' });
      assert.ok(created.ok);
      const file = created.value;
      const replies = [{ ...assistant('bad'), ...fields }, assistant('good')];
      const complete: ModelClient['complete'] = async () =>
        ok({ message: replies.shift() ?? assert.fail('asked too often'), finishReason: 'stop' });
      const store = Object.assign(file, { saveState: async () => ok(undefined) });
      const harness = await openHarness({ session: { client: { complete }, store } });
      const outcome = await harness.session.send('first');
      assert.ok(outcome.kind === 'failed');
      assert.match(describeProblem(outcome.problem).what, says);
      assert.equal((await harness.session.send('second')).kind, 'answered');
      await file.close();
      await harness.close();
      const again = await files.open('c1');
      assert.ok(again.ok);
      assert.deepEqual(wiresOf(again.value.stored), harness.conversation.snapshot().messages);
      const contents = wiresOf(again.value.stored).map(({ content }) => content);
      assert.deepEqual(contents, ['You are a test.', 'first', 'second', 'good']);
      await again.value.close();
    });
  }
});
