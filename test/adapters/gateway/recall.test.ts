import assert from 'node:assert/strict';
import type OpenAI from 'openai';
import { MOST_RECALLS } from '../../../src/core/session/relay/relay.ts';
import type { RecordedRequest } from '../server/providerServer.ts';
import { callsReply, jsonReply, type ScriptedCall, type ScriptedReply, textReply } from '../server/reply.ts';
import { useGateway } from './openGateway.ts';

type Message = OpenAI.ChatCompletionMessageParam;

const RECALL: ScriptedCall = { id: 'call_karl', name: 'karl_recall', arguments: { query: 't2' } };
const LOOK: ScriptedCall = { id: 'call_look', name: 'look', arguments: { at: 'here' } };
const TOOLS: OpenAI.ChatCompletionFunctionTool[] = [
  { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } },
];
const HISTORY: Message[] = [
  { role: 'system', content: 'You are an agent.' },
  { role: 'user', content: 'Remember the number.' },
  { role: 'assistant', content: 'The number is 4711.' },
  { role: 'user', content: 'What is the number?' },
];

describe("Karl's own tool in the requests of others", () => {
  const opened = useGateway();

  async function ask(stream: boolean, messages: Message[], body: object = { tools: TOOLS }) {
    const request = { model: 'scripted', messages, ...body };
    const { client } = opened();
    if (!stream) return (await client.chat.completions.create(request)).choices[0] ?? assert.fail();
    const finished = await client.chat.completions.stream(request).finalChatCompletion();
    return finished.choices[0] ?? assert.fail();
  }

  const rolesOf = ({ body }: RecordedRequest) => body.messages?.map(({ role }) => role).join(' ');
  const toolsOf = ({ body }: RecordedRequest) =>
    body.tools?.map((tool) => (tool as OpenAI.ChatCompletionFunctionTool).function.name).join(' ');
  /** A server that streams only when it is asked to cannot be played by a script: one reply serves both here. */
  const enqueue = (...replies: ScriptedReply[]) => opened().server.enqueue(...replies);

  for (const stream of [true, false])
    describe(stream ? 'streaming' : 'not streaming', () => {
      it('is answered by the gateway: the client sees one answer and never the call', async () => {
        const replies = ['It is 4711.', 'You are welcome.'].map((text) => textReply(text));
        enqueue(callsReply([RECALL], { text: 'Let me look. ' }), ...replies);
        const choice = await ask(stream, HISTORY);
        assert.equal(choice.message.content, 'Let me look. It is 4711.');
        assert.equal(choice.message.tool_calls, undefined);
        assert.equal(choice.finish_reason, 'stop');
        const [first, second] = opened().requests();
        assert.equal(toolsOf(first ?? assert.fail()), 'look karl_recall');
        assert.match(JSON.stringify(second?.body.messages?.at(-1)), /The number is 4711/);

        // Its place in the history stays, though the client does not know about it.
        await ask(stream, [...HISTORY, choice.message, { role: 'user', content: 'Thank you.' }]);
        const third = opened().requests()[2] ?? assert.fail();
        assert.equal(rolesOf(third), 'system user assistant user assistant tool assistant user');
        assert.deepEqual(third.body.messages?.slice(0, 6), second?.body.messages);
        assert.equal(third.body.messages?.at(-2)?.content, 'Let me look. It is 4711.');
        // Karl's own marks on its messages stay here.
        assert.doesNotMatch(
          JSON.stringify(
            opened()
              .requests()
              .map(({ body }) => body.messages),
          ),
          /"karl_(?!recall")/,
        );
      });

      it("beside the client's own: the client's goes out, Karl's result joins the next request", async () => {
        enqueue(callsReply([RECALL, LOOK]), textReply('Done.'));
        const choice = await ask(stream, HISTORY);
        assert.equal(choice.finish_reason, 'tool_calls');
        const shown = choice.message.tool_calls?.map(({ id }) => id);
        assert.deepEqual(shown, ['call_look']);
        assert.equal(opened().requests().length, 1);
        const result: Message = { role: 'tool', tool_call_id: 'call_look', content: 'nothing here' };
        await ask(stream, [...HISTORY, choice.message, result]);
        const second = opened().requests()[1] ?? assert.fail();
        assert.equal(rolesOf(second), 'system user assistant user assistant tool tool');
        const said = second.body.messages?.[4]?.tool_calls as ScriptedCall[];
        const ids = said.map(({ id }) => id);
        assert.deepEqual(ids, ['call_karl', 'call_look']);
        const results = second.body.messages?.slice(5).map(({ tool_call_id }) => tool_call_id);
        assert.deepEqual(new Set(results), new Set(['call_karl', 'call_look']));
        assert.match(JSON.stringify(second.body.messages), /The number is 4711.*The number is 4711/s);
      });

      it('is answered a limited number of times', async () => {
        const again = Array.from({ length: MOST_RECALLS }, () => callsReply([RECALL]));
        enqueue(...again, textReply('Enough.'));
        const choice = await ask(stream, HISTORY);
        assert.equal(choice.message.content, 'Enough.');
        const { messages = [] } = opened().requests().at(-1)?.body ?? {};
        const results = messages.filter(({ role }) => role === 'tool');
        assert.equal(results.filter(({ content }) => String(content).includes('4711')).length, MOST_RECALLS);
        const offered = opened()
          .requests()
          .map(({ body }) => /karl_recall/.test(JSON.stringify(body.tools ?? [])));
        assert.deepEqual(offered, [...Array.from({ length: MOST_RECALLS }, () => true), false]);
      });

      it('ends a request that only looks things up', async () => {
        await opened.reopen({ respond: () => callsReply([RECALL]) });
        await assert.rejects(ask(stream, HISTORY), /without finishing/);
        assert.ok(opened().requests().length < 12);
      });
    });

  it('is answered without streaming too', async () => {
    const call = { id: 'call_karl', type: 'function', function: { name: 'karl_recall', arguments: '{"query":"t2"}' } };
    const asked = { role: 'assistant', content: 'Let me look. ', tool_calls: [call] };
    const said = { role: 'assistant', content: 'It is 4711.', annotations: [] };
    const whole = (message: object, finish_reason: string): ScriptedReply => {
      const choices = [{ index: 0, message, logprobs: { content: [{ token: 'It' }] }, finish_reason }];
      const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices };
      return jsonReply(answer);
    };
    enqueue(whole(asked, 'tool_calls'), whole(said, 'stop'));
    const choice = await ask(false, HISTORY);
    const message = { ...said, content: 'Let me look. It is 4711.' };
    // Log probabilities would cover only a part of the content.
    assert.deepEqual(choice, { index: 0, message, logprobs: null, finish_reason: 'stop' });
  });

  it('leads to one answer with one id and one end, however many requests it took', async () => {
    const second = JSON.parse(JSON.stringify(textReply('It is 4711.')).replaceAll('chatcmpl-1', 'chatcmpl-2'));
    enqueue(callsReply([RECALL], { text: 'Let me look. ' }), second);
    const ids = new Set<string>();
    const stream = await opened().client.chat.completions.create({
      model: 'scripted',
      messages: HISTORY,
      stream: true,
    });
    const ends: unknown[] = [];
    for await (const { id, choices } of stream) {
      ids.add(id);
      ends.push(choices[0]?.finish_reason);
    }
    assert.deepEqual([...ids], ['chatcmpl-1']);
    const reasons = ends.filter((end) => end !== null);
    assert.deepEqual(reasons, ['stop']);
  });

  it('is left out where the client has a tool of that name: the call goes out', async () => {
    enqueue(callsReply([RECALL]));
    const own: OpenAI.ChatCompletionFunctionTool = { type: 'function', function: { name: 'karl_recall' } };
    const choice = await ask(true, HISTORY, { tools: [own] });
    assert.deepEqual(opened().requests()[0]?.body.tools, [own]);
    assert.equal(choice.message.tool_calls?.[0]?.id, 'call_karl');
  });

  it('is not offered where the client has no tools and nothing was taken out; a call is still answered', async () => {
    enqueue(callsReply([RECALL]), textReply('It is 4711.'));
    const choice = await ask(true, HISTORY, {});
    assert.equal(opened().requests()[0]?.body.tools, undefined);
    assert.equal(choice.message.content, 'It is 4711.');
  });

  it('is not offered in a request that is no conversation, such as for a title', async () => {
    enqueue(textReply('Understood.'), textReply('A title'));
    await ask(true, HISTORY);
    const title: Message[] = [
      { role: 'system', content: 'Write a title of three words.' },
      { role: 'user', content: 'What is the number?' },
    ];
    await ask(true, title, { max_tokens: 20 });
    const [conversation, aside] = opened().done;
    assert.match(conversation ?? '', /thread=/);
    assert.doesNotMatch(aside ?? '', /thread=/);
    assert.deepEqual(opened().requests()[1]?.body.messages, title);
    assert.equal(opened().requests()[1]?.body.tools, undefined);
  });
});
