import assert from 'node:assert/strict';
import type OpenAI from 'openai';
import { jsonReply, type ScriptedReply, textReply } from '../server/reply.ts';
import { useGateway } from './openGateway.ts';

const TOOLS: OpenAI.ChatCompletionFunctionTool[] = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
];
const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Look around.' }];
const USAGE = { prompt_tokens: 90, completion_tokens: 9, total_tokens: 99 };
const SAID = 'I shall `look`.\n\n```tool_call\n{"name": "look", "arguments": {"at": "here"}}\n```';

/** Log probabilities may spell the calls out. */
const logprobs = { content: [{ token: '```tool_call' }] };

/** A stream in small pieces, each with log probabilities. */
function spelled(text: string): ScriptedReply {
  const { steps } = textReply(text, { pieces: 60, usage: USAGE });
  return JSON.parse(
    JSON.stringify({ steps }).replaceAll('"index":0,', `"index":0,"logprobs":${JSON.stringify(logprobs)},`),
  );
}

function whole(content: string): ScriptedReply {
  const choices = [{ index: 0, message: { role: 'assistant', content }, logprobs, finish_reason: 'stop' }];
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'plain', choices, usage: USAGE };
  return jsonReply(answer);
}

describe('a model that takes no tools, behind the gateway', () => {
  const layers = [{ source: 'test', entries: [{ id: 'plain', tools: false, contextWindow: 16_384 }] }];
  const opened = useGateway({}, { layers });

  for (const [how, stream, reply] of [
    ['streaming', true, spelled(SAID)],
    ['streaming, by a server that does not', true, whole(SAID)],
    ['not streaming', false, whole(SAID)],
    ['not streaming, by a server that does', false, textReply(SAID, { usage: USAGE })],
  ] as const)
    it(`still calls them in the form that a client expects: ${how}`, async () => {
      opened().server.enqueue(reply, reply);
      const { completions } = opened().client.chat;
      const request = { model: 'plain', messages: MESSAGES, tools: TOOLS, tool_choice: 'auto' as const };
      const include = { stream_options: { include_usage: true } };
      const answer = stream
        ? await completions.stream({ ...request, ...include }).finalChatCompletion()
        : await completions.create(request);
      const [choice] = answer.choices;
      assert.equal(choice?.message.content?.trim(), 'I shall `look`.');
      assert.equal(choice.finish_reason, 'tool_calls');
      assert.equal(choice.logprobs ?? null, null);
      const [call] = choice.message.tool_calls ?? [];
      assert.ok(call?.type === 'function');
      assert.deepEqual([call.function.name, JSON.parse(call.function.arguments)], ['look', { at: 'here' }]);
      if (!stream) assert.equal(answer.usage?.total_tokens, 99);
      const sent = opened().requests()[0] ?? assert.fail();
      assert.equal(sent.body.tools, undefined);
      assert.equal(sent.body.tool_choice, undefined);
      assert.ok(JSON.stringify(sent.body.messages).includes('look'));
      assert.ok(!JSON.stringify(sent.body.messages).includes('karl_recall'));

      const result = { role: 'tool' as const, tool_call_id: call.id, content: 'nothing here' };
      await completions.create({ ...request, messages: [...MESSAGES, choice.message, result] });
      const last = JSON.stringify(opened().requests().at(-1)?.body.messages);
      assert.ok(last.includes('nothing here') && last.includes('tool_call') && !last.includes('"role":"tool"'), last);
    });
});
