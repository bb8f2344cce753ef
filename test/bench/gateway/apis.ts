import { fromTool as fromToolG, TranslatedContents } from '../../../src/adapters/gateway/dialects/gemini/contents.ts';
import { ContentEvents } from '../../../src/adapters/gateway/dialects/gemini/gemini.ts';
import { fromTool as fromToolM, TranslatedMessages } from '../../../src/adapters/gateway/dialects/messages/blocks.ts';
import { MessageEvents } from '../../../src/adapters/gateway/dialects/messages/messages.ts';
import { fromTool as fromToolR, TranslatedItems } from '../../../src/adapters/gateway/dialects/responses/items.ts';
import { ItemEvents } from '../../../src/adapters/gateway/dialects/responses/responses.ts';
import type { ReplyEvents } from '../../../src/adapters/gateway/dialects/translation.ts';
import type { ChatMessage, ChatTool } from '../../../src/core/chat/wire.ts';

interface Api {
  /** After the base URL. */
  readonly path: string;
  /** The request of an agent, with its fields in the order of a real one; the first message is its prompt. */
  readonly ask: (messages: readonly ChatMessage[], tools: readonly ChatTool[]) => object;
  /** The events of an answer. */
  readonly answer: readonly object[];
}

const chunk = (delta: object, finish_reason: string | null) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] },
});

const answerOf = (reply: ReplyEvents) => {
  reply.take({ type: 'text', text: 'ok' });
  reply.end({ message: { role: 'assistant', content: 'ok' }, finishReason: 'stop' });
  return reply.events;
};

const promptOf = ([prompt]: readonly ChatMessage[]) => [{ type: 'text', text: prompt?.content }];

/** All APIs, by name. */
export const APIS: Readonly<Record<string, Api>> = {
  chat: {
    path: '/chat/completions',
    ask: (messages, tools) => ({ model: 'bench', tools, stream: true, messages }),
    answer: [chunk({ content: 'ok' }, null), chunk({}, 'stop')],
  },
  messages: {
    path: '/messages',
    ask: (messages, tools) => ({
      ...{ model: 'bench', messages: new TranslatedMessages('', []).fromChat(messages), system: promptOf(messages) },
      ...{ tools: tools.map(fromToolM), max_tokens: 8_192, stream: true },
    }),
    answer: answerOf(new MessageEvents('bench')),
  },
  responses: {
    path: '/responses',
    ask: (messages, tools) => ({
      ...{ model: 'bench', stream: true, input: new TranslatedItems('', []).toItems(messages) },
      ...{ tools: tools.map(fromToolR), store: false },
    }),
    answer: answerOf(new ItemEvents('bench', [])),
  },
  gemini: {
    path: '/models/bench:streamGenerateContent?alt=sse',
    ask: (messages, tools) => ({
      ...{ contents: new TranslatedContents('', []).fromChat(messages), systemInstruction: promptOf(messages) },
      ...{ tools: [{ functionDeclarations: tools.map(fromToolG) }] },
    }),
    answer: answerOf(new ContentEvents('bench')),
  },
};
