import type { ChatMessage, ChatTool } from '../../../src/core/messages/chat.ts';
import { contentText } from '../../../src/core/messages/parse.ts';

/** How an agent of one API says the same. */
interface Api {
  /** After the base URL. */
  readonly path: string;
  /** A request for a stream, its fields in the order of a real agent. */
  readonly body: (messages: readonly ChatMessage[], tools: readonly ChatTool[]) => object;
  /** The events of an answer that says "ok". */
  readonly answer: readonly object[];
}

const chunk = (delta: object, finish_reason: string | null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason }],
});

const said = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] };

/** The APIs that the gateway serves. */
export const APIS: Readonly<Record<string, Api>> = {
  chat: {
    path: '/chat/completions',
    body: (messages, tools) => ({ model: 'bench', tools, stream: true, messages }),
    answer: [chunk({ content: 'ok' }, null), chunk({}, 'stop')],
  },
  messages: {
    path: '/messages',
    body: (messages, tools) => ({
      model: 'bench',
      messages: messages.slice(1).map(toMessage),
      system: [{ type: 'text', text: contentText(messages[0] as ChatMessage) }],
      tools: tools.map(({ function: { name, description, parameters } }) => ({
        name,
        description,
        input_schema: parameters,
      })),
      max_tokens: 8_192,
      stream: true,
    }),
    answer: [
      { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} },
      { type: 'message_stop' },
    ],
  },
  responses: {
    path: '/responses',
    body: (messages, tools) => ({
      model: 'bench',
      stream: true,
      input: messages.flatMap(toItems),
      tools: tools.map(({ function: called }) => ({ type: 'function', ...called })),
      store: false,
    }),
    answer: [
      { type: 'response.created', response: { id: 'r' } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'ok' },
      { type: 'response.output_item.done', output_index: 0, item: said },
      { type: 'response.completed', response: { id: 'r', status: 'completed', output: [said] } },
    ],
  },
  gemini: {
    path: '/models/bench:streamGenerateContent?alt=sse',
    body: (messages, tools) => ({
      contents: messages.slice(1).map(toContent),
      systemInstruction: { parts: [{ text: contentText(messages[0] as ChatMessage) }] },
      tools: [{ functionDeclarations: tools.map(({ function: called }) => called) }],
    }),
    answer: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] }],
  },
};

function toMessage(message: ChatMessage): object {
  const { role, tool_call_id, tool_calls = [] } = message;
  const text = contentText(message);
  if (role === 'tool')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: tool_call_id, content: text }] };
  const calls = tool_calls.map(({ id, function: called }) => ({
    type: 'tool_use',
    id,
    name: called.name,
    input: JSON.parse(called.arguments),
  }));
  return { role, content: [{ type: 'text', text }, ...calls] };
}

function toItems(message: ChatMessage): readonly object[] {
  const { role, tool_call_id: call_id, tool_calls = [] } = message;
  const text = contentText(message);
  if (role === 'tool') return [{ type: 'function_call_output', call_id, output: text }];
  const type = role === 'assistant' ? 'output_text' : 'input_text';
  const calls = tool_calls.map(({ id, function: called }) => ({ type: 'function_call', call_id: id, ...called }));
  return [{ type: 'message', role, content: [{ type, text }] }, ...calls];
}

function toContent(message: ChatMessage): object {
  const { role, tool_call_id: id, tool_calls = [] } = message;
  const text = contentText(message);
  if (role === 'tool')
    return { role: 'user', parts: [{ functionResponse: { id, name: 'run', response: { output: text } } }] };
  const calls = tool_calls.map(({ id: callId, function: called }) => ({
    functionCall: { id: callId, name: called.name, args: JSON.parse(called.arguments) },
  }));
  return { role: role === 'assistant' ? 'model' : 'user', parts: [{ text }, ...calls] };
}
