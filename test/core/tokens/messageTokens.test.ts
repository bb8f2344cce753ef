import assert from 'node:assert/strict';
import type { ChatMessage, ChatTool } from '../../../src/core/chat/wire.ts';
import type { TextCounter } from '../../../src/core/tokens/counter.ts';
import { MessageCounter, UNKNOWN_PART_TOKENS } from '../../../src/core/tokens/messageTokens.ts';
import { exactCounter } from '../../adapters/tiktoken/reference.ts';

const exact = exactCounter();
const tokens = (text: string): number => exact.countTokens(text);
const counter = (): MessageCounter => new MessageCounter(exact);

describe('the tokens of a message', () => {
  it('are those of the OpenAI cookbook for its example: 124 with o200k_base, 129 with cl100k_base', () => {
    const system = (name: string, content: string): ChatMessage => ({ role: 'system', name, content });
    const prompt =
      'You are a helpful, pattern-following assistant that translates corporate jargon into plain English.';
    const asked = "This late pivot means we don't have time to boil the ocean for the client deliverable.";
    const messages: ChatMessage[] = [
      { role: 'system', content: prompt },
      system('example_user', 'New synergies will help drive top-line growth.'),
      system('example_assistant', 'Things working well together will increase revenue.'),
      system(
        'example_user',
        "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
      ),
      system('example_assistant', "Let's talk later when we're less busy about how to do better."),
      { role: 'user', content: asked },
    ];
    assert.deepEqual(counter().countMessages(messages), { tokens: 124, source: 'counted' });
    const cl100k = new MessageCounter(exactCounter('cl100k_base'));
    assert.deepEqual(cl100k.countMessages(messages), { tokens: 129, source: 'counted' });
  });

  it('count the role, the content, every text part and the marks', () => {
    const parts = ['one two', 'three'].map((text) => ({ type: 'text', text }));
    for (const [content, tokens] of [
      ['hello world', 3 + 1 + 2],
      [parts, 3 + 1 + 2 + 1],
    ] as const)
      assert.deepEqual(counter().countMessage({ role: 'user', content }), { tokens, source: 'counted' });
  });

  it('count name and arguments of each tool call, and an absent content as nothing', () => {
    const args = '{"path":"src/core/tokens/estimate.ts","from":1,"to":40}';
    const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: args } };
    const one = counter().countMessage({ role: 'assistant', content: null, tool_calls: [call] }).tokens;
    const two = counter().countMessage({ role: 'assistant', tool_calls: [call, { ...call, id: 'call_2' }] }).tokens;
    assert.equal(two - one, 8 + tokens('read_file') + tokens(args));
  });

  it('say that an image, an unknown part or reasoning text makes them an estimate', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.org/a.png' } };
    const ofImage = counter().countMessage({ role: 'user', content: [image] });
    assert.deepEqual(ofImage, { tokens: 3 + 1 + 85 + 8 * 170, source: 'estimated' });
    const sound = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } };
    assert.equal(counter().countMessage({ role: 'user', content: [sound] }).tokens, 4 + UNKNOWN_PART_TOKENS);
    const thinking = counter().countMessage({ role: 'assistant', content: 'x', reasoning_content: 'one two three' });
    assert.deepEqual(thinking, { tokens: 3 + 1 + 1 + 3, source: 'estimated' });
  });
});

describe('a message', () => {
  it('is counted once, however often it is asked for', () => {
    const asked: string[] = [];
    const spy: TextCounter = {
      encoding: 'o200k_base',
      count(text) {
        asked.push(text);
        return exact.count(text);
      },
    };
    const messages = new MessageCounter(spy);
    const wire: ChatMessage = { role: 'user', content: 'hello' };
    messages.countMessages([wire, wire]);
    messages.countMessage(wire);
    assert.deepEqual(asked, ['user', 'hello']);
  });

  it('whose text was estimated is counted once the tables are loaded', () => {
    let [asked, isLoaded] = [0, false];
    const exact: TextCounter = {
      encoding: 'o200k_base',
      count: (text) => ({ tokens: text === 'user' ? 1 : 40, source: 'counted' }),
    };
    const late: TextCounter = {
      encoding: 'o200k_base',
      count(text) {
        asked++;
        if (isLoaded || text === 'user') return exact.count(text);
        return { tokens: 50, source: 'estimated' };
      },
      exact: () => (isLoaded ? exact : undefined),
    };
    const messages = new MessageCounter(late);
    const wire: ChatMessage = { role: 'user', content: 'a long text' };
    const image: ChatMessage = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] };
    const count = () => [messages.countMessage(wire), messages.countMessage(image)].map(({ tokens }) => tokens);
    const isFinal = () => [messages.isFinal(wire), messages.isFinal(image)];
    const [estimated, ofImage] = count();
    assert.deepEqual([estimated, isFinal()], [54, [false, true]]);
    isLoaded = true;
    assert.deepEqual(count(), [44, ofImage]);
    assert.deepEqual(isFinal(), [true, true]);
    const after = asked;
    assert.deepEqual([count(), asked], [[44, ofImage], after]);
  });
});

describe('the tokens of tool definitions', () => {
  it('are those of the OpenAI cookbook for its example: 101 with the messages, 105 with cl100k_base', () => {
    const tools: ChatTool[] = [
      {
        type: 'function',
        function: {
          name: 'get_current_weather',
          description: 'Get the current weather in a given location',
          parameters: {
            type: 'object',
            properties: {
              location: { type: 'string', description: 'The city and state, e.g. San Francisco, CA' },
              unit: {
                type: 'string',
                description: 'The unit of temperature to return',
                enum: ['celsius', 'fahrenheit'],
              },
            },
            required: ['location'],
          },
        },
      },
    ];
    const messages: ChatMessage[] = [
      { role: 'system', content: 'You are a helpful assistant that can answer to questions about the weather.' },
      { role: 'user', content: "What's the weather like in San Francisco?" },
    ];
    const all = (count: MessageCounter): number =>
      count.countTools(tools).tokens + count.countMessages(messages).tokens;
    assert.equal(all(counter()), 101);
    assert.equal(all(new MessageCounter(exactCounter('cl100k_base'))), 105);
  });

  it('include what the rule does not name: nested schemas and definitions', () => {
    const tool = (parameters: Record<string, unknown>): ChatTool[] => [
      { type: 'function', function: { name: 'f', parameters } },
    ];
    const flat = counter().countTools(tool({ properties: { a: { type: 'array' } } })).tokens;
    const items = { type: 'object', properties: { b: { type: 'string' } } };
    const nested = counter().countTools(tool({ properties: { a: { type: 'array', items } } })).tokens;
    assert.equal(nested - flat, tokens(JSON.stringify({ items })));
    const defined = counter().countTools(tool({ properties: { a: { type: 'array' } }, $defs: { items } })).tokens;
    assert.equal(defined - flat, tokens(JSON.stringify({ $defs: { items } })));
  });

  it('of a long text are estimated once, since tools are not counted in slices', () => {
    const estimated: string[] = [];
    const long: TextCounter = {
      encoding: 'o200k_base',
      count(text) {
        estimated.push(text);
        return { tokens: 9, source: 'estimated' };
      },
      exact: () => ({ ...long, count: () => assert.fail('this would block') }),
    };
    const messages = new MessageCounter(long);
    const tools: ChatTool[] = [{ type: 'function', function: { name: 'f', description: 'long' } }];
    assert.deepEqual(messages.countTools(tools), messages.countTools(tools));
    assert.deepEqual(estimated, ['f:long']);
  });

  it('are 0 without tools', () => {
    assert.deepEqual(counter().countTools([]), { tokens: 0, source: 'counted' });
  });
});
