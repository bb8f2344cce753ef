import path from 'node:path';
import { contentText } from '../../core/chat/parse.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import { asText } from '../../core/result.ts';
import { type Fields, fieldsAt, isFields, listAt, textAt } from '../fields.ts';
import { TranslatedMessages } from '../gateway/dialects/messages/blocks.ts';
import { TEXT_LINE } from './records.ts';
import { answer, indices, type SessionFormat, timeAt, toCall } from './session.ts';

/** GitHub Copilot CLI: events. */
export const COPILOT: SessionFormat = {
  name: 'copilot',
  title: 'Copilot CLI',

  recognizes: ([first]) => first?.type === 'session.start' && isFields(first.data),

  async read(records, keep) {
    const messages: ChatMessage[] = [];
    const compactions: AgentCompaction[] = [];
    let start: Fields = {};
    /** How many messages the running compaction covers: the agent goes on meanwhile. */
    let compacting = 0;
    for await (const record of records) {
      const { type } = record;
      if (!isFields(record.data)) continue;
      const data = keep(record.data, type === 'user.message');
      if (type === 'session.start') start = data;
      else if (type === 'session.compaction_start') compacting = messages.length;
      else if (type === 'session.compaction_complete' && data.success === true)
        compactions.push({
          before: messages.length,
          summary: textAt(data, 'summaryContent'),
          kept: indices(compacting, messages.length),
          at: timeAt(record, 'timestamp'),
        });
      else if (type === 'user.message') messages.push({ role: 'user', content: textAt(data, 'content') ?? '' });
      else if (type === 'assistant.message') {
        const calls = listAt(data, 'toolRequests').map((call) => toCall(call.toolCallId, call.name, call.arguments));
        messages.push(...answer(textAt(data, 'content') ?? '', textAt(data, 'reasoningText') ?? '', calls));
      } else if (type === 'tool.execution_complete') {
        const { content = '' } = fieldsAt(data, 'result');
        const failed = textAt(data, 'error', 'message');
        messages.push({ role: 'tool', tool_call_id: asText(data.toolCallId), content: failed ?? asText(content) });
      }
    }
    return {
      id: textAt(start, 'sessionId'),
      folder: textAt(start, 'context', 'cwd'),
      model: textAt(start, 'selectedModel'),
      messages,
      compactions,
      head: start,
    };
  },
};

/** Cline: messages of Anthropic's API in one document; of the extension's tasks the list alone. */
export const CLINE: SessionFormat = {
  name: 'cline',
  title: 'Cline',

  recognizes: ([first = {}]) =>
    (first.sessionId !== undefined || isMessage(first)) &&
    (isMessage(first) ? [first] : listAt(first, 'messages')).some(({ content }) => isBlocks(content)),

  async read(records) {
    let document: Fields = {};
    const own: Fields[] = [];
    for await (const record of records) {
      if (isMessage(record)) own.push(record);
      else {
        document = record;
        own.push(...listAt(record, 'messages'));
      }
    }
    const messages = own.map(({ role, content }) => ({
      role,
      content: isBlocks(content) ? content.filter(isFields).map(toBlock) : content,
    }));
    return {
      id: textAt(document, 'sessionId'),
      model: own.map((message) => textAt(message, 'modelInfo', 'id')).findLast((id) => id !== undefined),
      messages: new TranslatedMessages('', messages).messages,
    };
  },
};

function isMessage({ role, content }: Fields): boolean {
  return typeof role === 'string' && content !== undefined;
}

function isBlocks(content: unknown): content is readonly Fields[] {
  return listAt({ content }, 'content').some(({ type }) => /^(?:text|tool_use|tool_result)$/.test(asText(type)));
}

/** The results of Cline's tools are objects in a list, and files have a form of their own. */
function toBlock(block: Fields): Fields {
  if (block.type === 'file')
    return {
      type: 'text',
      text: `<file_content path="${asText(block.path)}">\n${asText(block.content)}\n</file_content>`,
    };
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
  const content = block.content.map((one) => {
    if (!isFields(one) || typeof one.type === 'string') return one;
    return { type: 'text', text: typeof one.result === 'string' ? one.result : JSON.stringify(one) };
  });
  return { ...block, content };
}

/** Continue's `cn`: chat messages, with the results beside their calls. Its own summaries replace what they cover. */
export const CONTINUE: SessionFormat = {
  name: 'continue',
  title: 'Continue',

  recognizes: ([first = {}]) => Array.isArray(first.history) && first.sessionId !== undefined,

  async read(records) {
    let document: Fields = {};
    for await (const record of records) document = record;
    const messages: ChatMessage[] = [];
    for (const entry of listAt(document, 'history')) {
      const { role, content, toolCalls } = fieldsAt(entry, 'message');
      const calls = Array.isArray(toolCalls) ? toolCalls : [];
      const message = { role, content: content ?? null, ...(calls.length > 0 && { tool_calls: calls }) };
      messages.push(message as ChatMessage);
      for (const state of listAt(entry, 'toolCallStates')) {
        const output = listAt(state, 'output').map(({ content: text }) => asText(text ?? ''));
        if (state.output !== undefined)
          messages.push({ role: 'tool', tool_call_id: asText(state.toolCallId), content: output.join('\n') });
      }
    }
    return {
      id: textAt(document, 'sessionId'),
      title: textAt(document, 'title'),
      folder: textAt(document, 'workspaceDirectory'),
      messages,
    };
  },
};

/** aider: Markdown. The user's lines begin with `####`, the program's with `>`; all others are the model's. */
export const AIDER: SessionFormat = {
  name: 'aider',
  title: 'aider',

  recognizes: (first) => first.some((record) => asText(record[TEXT_LINE] ?? '').startsWith('# aider chat started at ')),

  async read(records) {
    const messages: ChatMessage[] = [];
    let lines: string[] = [];
    let kind: AiderLine = 'program';
    const end = () => {
      const content = lines.join('\n').trim();
      lines = [];
      if (content !== '' && kind !== 'program') messages.push({ role: kind, content });
    };
    for await (const record of records) {
      const line = asText(record[TEXT_LINE] ?? '');
      const now: AiderLine = line.trim() === '' ? kind : kindOf(line);
      if (now !== kind) end();
      kind = now;
      lines.push(now === 'user' ? line.replace(/^#### /, '') : line);
    }
    end();
    return { messages };
  },
};

type AiderLine = 'user' | 'assistant' | 'program';

function kindOf(line: string): AiderLine {
  if (line.startsWith('#### ')) return 'user';
  return /^(?:>|# aider chat started at )/.test(line) ? 'program' : 'assistant';
}

/** Messages of OpenAI's chat completions: one a line, a list, or the field `messages` of one document. */
export const OPENAI_MESSAGES: SessionFormat = {
  name: 'openai',
  title: 'chat completions messages',

  recognizes: ([first = {}]) =>
    isMessage(first) || listAt(first, 'messages').some(({ role }) => typeof role === 'string'),

  async read(records, keep) {
    const messages: ChatMessage[] = [];
    let model: string | undefined;
    for await (const record of records) {
      model = textAt(record, 'model') ?? model;
      const own = isMessage(record) ? [record] : listAt(record, 'messages');
      messages.push(...(own.map((one) => keep(one, one.role === 'user')) as unknown as ChatMessage[]));
    }
    return { model, messages };
  },

  write({ messages, folder, now }) {
    const id = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
    const file = path.join(folder, `karl-rescue-${id}.json`);
    return {
      id,
      file,
      text: `${JSON.stringify(messages, undefined, 1)}\n`,
      resume: `give your client the messages of ${file}`,
    };
  },
};

/** Markdown for another agent to go on from; it is never read as a session. */
export const MARKDOWN: SessionFormat = {
  name: 'markdown',
  title: 'Markdown',

  recognizes: () => false,

  read: () => Promise.reject(new Error('Markdown is only written.')),

  write({ messages, folder, now }) {
    const id = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
    const file = path.join(folder, `karl-rescue-${id}.md`);
    const parts = messages.map((message) => {
      const calls = (message.tool_calls ?? []).map(
        ({ function: called }) => `\n\n    ${called.name} ${called.arguments}`,
      );
      const who = message.role === 'tool' ? 'Result' : message.role === 'assistant' ? 'Agent' : 'User';
      return `## ${who}\n\n${contentText(message)}${calls.join('')}`;
    });
    const task = 'What follows is the history of your work so far, shortened. Go on with it where it ends.';
    return {
      id,
      file,
      text: `${task}\n\n${parts.join('\n\n')}\n`,
      resume: `give ${file} to your agent as its first message`,
    };
  },
};
