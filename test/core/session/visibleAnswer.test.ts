import assert from 'node:assert/strict';
import type { AnswerChunk } from '../../../src/core/model/modelClient.ts';
import { VisibleAnswer } from '../../../src/core/session/relay/visibleAnswer.ts';

it('what a client may see of an answer has no call of Karl, and no tokens of a chunk that had one', async () => {
  const shown: AnswerChunk[] = [];
  const answer = new VisibleAnswer({ onChunk: (chunk) => void shown.push(chunk) }, 'karl_recall');
  const logprobs = { content: [{ token: 'karl_recall' }] };
  const say = (delta: object): AnswerChunk => ({ choices: [{ index: 0, delta, logprobs }] });
  answer.begin();
  answer.onChunk(say({ content: 'Let me look.' }));
  for (const [index, name] of ['karl_recall', 'look'].entries())
    answer.onDelta({ type: 'tool-call', index, name, arguments: '{}' });
  const calls = ['karl_recall', 'look'].map((name, index) => ({ index, id: name, function: { name } }));
  answer.onChunk(say({ content: ' Now.', tool_calls: calls }));
  await answer.end();
  const left = { content: ' Now.', tool_calls: [{ index: 0, id: 'look', function: { name: 'look' } }] };
  assert.deepEqual(shown, [say({ content: 'Let me look.' }), { choices: [{ index: 0, delta: left, logprobs: null }] }]);
});
