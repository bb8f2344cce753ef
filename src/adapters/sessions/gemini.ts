import type { ChatMessage, ChatPart } from '../../core/messages/chat.ts';
import { type Fields, isFields } from '../openai/mergeFields.ts';
import {
  type AgentSession,
  fieldsAt,
  indices,
  listOf,
  type SessionCompaction,
  type SessionFormat,
  textAt,
  timeAt,
} from './session.ts';

/** Gemini CLI: messages by id, of which the newest with an id counts; `$set` replaces the list. Older versions: one document. */
export const GEMINI: SessionFormat = {
  name: 'gemini',
  title: 'Gemini CLI',

  recognizes: (first) =>
    first.some(({ projectHash, sessionId }) => projectHash !== undefined && sessionId !== undefined),

  async read(records) {
    let head: Fields = {};
    let entries = new Map<unknown, Fields>();
    for await (const record of records) {
      const set = fieldsAt(record, '$set');
      const list = record.projectHash === undefined ? listOf(set, 'messages') : listOf(record, 'messages');
      if (record.projectHash !== undefined) head = record;
      if (list.length > 0) entries = new Map(list.map((entry) => [entry.id, entry]));
      if (record.type !== undefined && record.id !== undefined) entries.set(keyOf(record, entries), record);
    }
    const messages: ChatMessage[] = [];
    const answered = new Set<unknown>();
    let model: string | undefined;
    for (const entry of entries.values()) {
      model = textAt(entry, 'model') ?? model;
      if (entry.type === 'user') {
        const parts = Array.isArray(entry.content) ? entry.content.filter(isFields) : [];
        // Results stand with their calls, too.
        const others = parts.filter((part) => !answered.has(fieldsAt(part, 'functionResponse').id));
        if (parts.length === 0) messages.push({ role: 'user', content: String(entry.content ?? '') });
        else messages.push(...fromParts('user', others));
      } else if (entry.type === 'gemini') {
        const calls = listOf(entry, 'toolCalls');
        const thoughts = listOf(entry, 'thoughts').map((thought) => textAt(thought, 'description') ?? '');
        const text = typeof entry.content === 'string' ? entry.content : textOf(listOf(entry, 'content'));
        if (text === '' && calls.length === 0) continue;
        messages.push({
          role: 'assistant',
          content: text === '' ? null : text,
          ...(thoughts.some((thought) => thought !== '') && { reasoning_content: thoughts.join('\n') }),
          ...(calls.length > 0 && { tool_calls: calls.map(({ id, name, args }) => toCall({ id, name, args })) }),
        });
        for (const call of calls) {
          const results = listOf(call, 'result').filter((part) => 'functionResponse' in part);
          if (results.length > 0) answered.add(call.id);
          for (const part of results) messages.push(...fromParts('user', [part]));
        }
      }
    }
    return sessionOf(GEMINI.name, { id: textAt(head, 'sessionId'), folder: undefined, model, messages });
  },
};

/** An entry that is written again has its place; two that only share an id have each their own. */
function keyOf(record: Fields, entries: ReadonlyMap<unknown, Fields>): unknown {
  const known = entries.get(record.id);
  return known === undefined || known.type === record.type ? record.id : `${String(record.id)} ${entries.size}`;
}

/** Qwen Code: one message a line, in Gemini's parts. */
export const QWEN: SessionFormat = {
  name: 'qwen',
  title: 'Qwen Code',

  recognizes: (first) => first.some((record) => Array.isArray(fieldsAt(record, 'message').parts) && 'uuid' in record),

  async read(records) {
    const messages: ChatMessage[] = [];
    const compactions: SessionCompaction[] = [];
    /** How many messages come before each content. */
    const starts: number[] = [];
    let [id, folder, model]: (string | undefined)[] = [];
    for await (const record of records) {
      id = textAt(record, 'sessionId') ?? id;
      folder = textAt(record, 'cwd') ?? folder;
      model = textAt(record, 'model') ?? model;
      const { role, parts } = fieldsAt(record, 'message');
      if (record.subtype === 'chat_compression') {
        // Its summary, an answer to that, and the newest contents as they were.
        const [summary, , ...rest] = listOf(fieldsAt(record, 'systemPayload'), 'compressedHistory');
        const before = messages.length;
        compactions.push({
          before,
          summary: summary && textOf(listOf(summary, 'parts')),
          kept: indices(starts.at(-rest.length) ?? before, rest.length === 0 ? 0 : before),
          at: timeAt(record, 'timestamp'),
        });
      }
      if (Array.isArray(parts)) starts.push(messages.length);
      if (Array.isArray(parts))
        messages.push(...fromParts(role === 'model' ? 'assistant' : 'user', parts.filter(isFields)));
    }
    return { ...sessionOf(QWEN.name, { id, folder, model, messages }), compactions };
  },
};

function sessionOf(agent: string, about: Pick<AgentSession, 'id' | 'folder' | 'model' | 'messages'>): AgentSession {
  return { agent, title: undefined, compactions: [], repairs: [], head: {}, ...about };
}

/** The messages that parts of Gemini's API make: a result for each response, and one message for all else. */
function fromParts(role: 'user' | 'assistant', parts: readonly Fields[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  const calls = parts
    .filter((part) => isFields(part.functionCall))
    .map((part) => toCall(fieldsAt(part, 'functionCall')));
  const said = parts.filter((part) => part.thought !== true);
  const texts = textOf(said);
  if (role === 'assistant') {
    const thought = textOf(parts.filter((part) => part.thought === true));
    if (texts === '' && calls.length === 0) return [];
    return [
      {
        role,
        content: texts === '' ? null : texts,
        ...(thought !== '' && { reasoning_content: thought }),
        ...(calls.length > 0 && { tool_calls: calls }),
      },
    ];
  }
  for (const part of parts) {
    if (!isFields(part.functionResponse)) continue;
    const { id, name, response } = part.functionResponse;
    const output = isFields(response) ? (response.output ?? response.error ?? response) : response;
    const content = typeof output === 'string' ? output : JSON.stringify(output ?? '');
    messages.push({ role: 'tool', tool_call_id: String(id ?? name), content });
  }
  const images = parts.flatMap((part): ChatPart[] => {
    const { mimeType, data } = fieldsAt(part, 'inlineData');
    const url = `data:${String(mimeType)};base64,${String(data)}`;
    return data === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
  });
  if (images.length > 0) messages.push({ role, content: [{ type: 'text', text: texts }, ...images] });
  else if (texts !== '') messages.push({ role, content: texts });
  return messages;
}

function toCall({ id, name, args }: Fields) {
  const called = { name: String(name), arguments: JSON.stringify(args ?? {}) };
  return { id: String(id ?? name), type: 'function', function: called };
}

function textOf(parts: readonly Fields[]): string {
  return parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n');
}
