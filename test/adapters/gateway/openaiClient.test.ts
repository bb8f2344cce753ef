import assert from 'node:assert/strict';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { callsReply, type ScriptedReply, textReply } from '../server/reply.ts';
import { useGateway } from './openGateway.ts';

const WINDOW = 8_192;
/** Some 1,300 tokens each, so that the history passes the window more than four times. */
const FILES = 30;

const TOOLS = [
  {
    type: 'function',
    function: { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  },
] as const;

/** The agent reads one file after the other, and then its task is done. */
function script(): () => ScriptedReply {
  let asked = 0;
  return () => {
    asked += 1;
    return asked > FILES
      ? textReply('All files are read.')
      : callsReply([{ id: `call_${asked}`, name: 'read_file', arguments: { path: `src/part${asked}.ts` } }]);
  };
}

function contentOf(path: string): string {
  const lines = Array.from({ length: 90 }, (_, line) => `export const value${line} = compute('${path}', ${line * 7});`);
  return lines.join('\n');
}

describe('the openai SDK on the gateway', () => {
  const opened = useGateway();

  for (const stream of [true, false]) {
    it(`finishes a task whose history passes the window four times, ${stream ? 'streaming' : 'not streaming'}`, async () => {
      await opened.reopen({ window: WINDOW, respond: script() });
      const { client, done } = opened();
      const messages: ChatCompletionMessageParam[] = [
        { role: 'system', content: 'You are a careful agent.' },
        { role: 'user', content: 'Read all files of src, then say so.' },
      ];
      for (;;) {
        const body = { model: 'scripted', messages, tools: [...TOOLS] };
        const reply = stream
          ? await client.chat.completions.stream(body).finalMessage()
          : (await client.chat.completions.create(body)).choices[0]?.message;
        assert.ok(reply);
        messages.push(reply);
        if (reply.tool_calls === undefined) break;
        for (const call of reply.tool_calls) {
          assert.equal(call.type, 'function');
          const content = contentOf(JSON.parse(call.function.arguments).path);
          messages.push({ role: 'tool', tool_call_id: call.id, content });
        }
      }
      assert.equal(messages.at(-1)?.content, 'All files are read.');
      assert.equal(messages.length, 2 + FILES * 2 + 1);
      const sizes = opened()
        .requests()
        .map(({ body }) => JSON.stringify(body.messages).length / 4);
      assert.ok(JSON.stringify(messages).length / 4 > WINDOW * 4);
      assert.ok(sizes.filter((size) => size > WINDOW).length <= 1, `${sizes}`);
      assert.ok(done.filter((one) => one.startsWith('compacted')).length >= 3, done.join('\n'));
    });
  }
});
