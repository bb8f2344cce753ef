import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ChatMessage, ChatPart } from '../../core/messages/chat.ts';
import { contentText } from '../../core/messages/parse.ts';
import { readInput } from '../../core/messages/parseJson.ts';
import type { Fields } from '../openai/mergeFields.ts';
import {
  answer,
  besides,
  counted,
  fieldsAt,
  imageIn,
  imagePart,
  indices,
  listOf,
  type SessionCompaction,
  type SessionDraft,
  type SessionFormat,
  shellWord,
  textAt,
  timeAt,
  toCall,
  type WrittenSession,
} from './session.ts';

/** pi: entries that form a tree by `id` and `parentId`; before version 3 a list. */
export const PI: SessionFormat = {
  name: 'pi',
  title: 'pi',

  recognizes: ([first]) => first?.type === 'session' && typeof first.cwd === 'string',

  async read(records, keep) {
    let head: Fields = {};
    let [model, title]: (string | undefined)[] = [];
    const entries: Fields[] = [];
    for await (const record of records) {
      const message = fieldsAt(record, 'message');
      if (record.type === 'session') head = record;
      else if (record.type === 'message') entries.push({ ...record, message: keep(message, message.role === 'user') });
      else entries.push(record);
      if (record.type === 'model_change') model = textAt(record, 'modelId') ?? model;
      if (record.type === 'session_info') title = textAt(record, 'name') ?? title;
    }
    const { branch, lost } = onBranch(entries);
    const ids = new Set(branch.map(({ id }) => id));
    const messages: ChatMessage[] = [];
    const compactions: SessionCompaction[] = [];
    /** How many messages come before an entry, by its id, and by its number among all, the head included. */
    const places = new Map<unknown, number>();
    const numbers = new Map(entries.map((entry, index) => [entry, index + 1]));
    for (const entry of branch) {
      places.set(entry.id, messages.length);
      places.set(numbers.get(entry), messages.length);
      if (entry.type === 'compaction') {
        const before = messages.length;
        const first = places.get(entry.firstKeptEntryId ?? entry.firstKeptEntryIndex) ?? before;
        const at = timeAt(entry, 'timestamp');
        compactions.push({ before, summary: textAt(entry, 'summary'), kept: indices(first, before), at });
      } else if (entry.type === 'message') messages.push(...toChat(fieldsAt(entry, 'message')));
    }
    return {
      id: textAt(head, 'id'),
      title,
      folder: textAt(head, 'cwd'),
      model: model ?? textAt(head, 'modelId'),
      messages,
      compactions,
      repairs: [
        ...besides(
          new Map(entries.map(({ id, parentId }) => [id, parentId])),
          (id) => ids.has(id),
          () => true,
        ),
        ...counted([
          lost,
          'An entry whose predecessor is missing was put after the one before it.',
          'entries whose predecessors are missing were put after those before them.',
        ]),
      ],
      head,
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const timestamp = new Date(now).toISOString();
    const lines: object[] = [{ type: 'session', version: 3, id, timestamp, cwd: folder }];
    let parentId: string | null = null;
    const names = new Map(
      messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name])),
    );
    // pi has a prompt of its own.
    for (const message of messages.filter(({ role }) => role !== 'system' && role !== 'developer')) {
      const entry = randomBytes(4).toString('hex');
      const own = { ...fromChat(message, names, origin?.model), timestamp: now };
      lines.push({ type: 'message', id: entry, parentId, timestamp, message: own });
      parentId = entry;
    }
    const name = `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;
    const file = path.join(sessionsFolder(), `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`, name);
    return {
      id,
      file,
      text: `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`,
      resume: `pi --session ${shellWord(file)}`,
    };
  },
};

/** The folder that has a folder of sessions for each folder in which pi was used. */
export function sessionsFolder(): string {
  return path.join(process.env.PI_CODING_AGENT_DIR ?? path.join(homedir(), '.pi', 'agent'), 'sessions');
}

/** The entries that lead to the last one, and how many of all have a predecessor that is missing. */
function onBranch(entries: readonly Fields[]): { readonly branch: readonly Fields[]; readonly lost: number } {
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  let lost = 0;
  const branch: Fields[] = [];
  for (let at = entries.length - 1; at >= 0; ) {
    const entry = entries[at] as Fields;
    branch.unshift(entry);
    if (entry.parentId === null) break;
    const parent = entry.parentId === undefined ? at - 1 : places.get(entry.parentId);
    if (parent === undefined) lost += 1;
    at = parent === undefined || parent >= at ? at - 1 : parent;
  }
  return { branch, lost };
}

function toChat(message: Fields): readonly ChatMessage[] {
  const { role, content } = message;
  switch (role) {
    case 'user':
      return [{ role, content: toContent(content) }];
    case 'assistant': {
      const blocks = listOf(message, 'content');
      const texts = (type: string, field: string) =>
        blocks.flatMap((block) => (block.type === type ? [String(block[field] ?? '')] : [])).join('');
      const [text, thought] = [texts('text', 'text'), texts('thinking', 'thinking')];
      const calls = blocks.filter(({ type }) => type === 'toolCall');
      return answer(
        text,
        thought,
        calls.map((call) => toCall(call.id, call.name, call.arguments)),
      );
    }
    case 'toolResult':
      return [{ role: 'tool', tool_call_id: String(message.toolCallId), content: toContent(content) }];
    case 'bashExecution': {
      const code = message.exitCode === undefined ? '' : `\n(exit code ${String(message.exitCode)})`;
      return [{ role: 'user', content: `Ran \`${String(message.command)}\`\n${String(message.output ?? '')}${code}` }];
    }
    default:
      return [];
  }
}

function toContent(content: unknown): string | ChatPart[] {
  if (typeof content === 'string') return content;
  const blocks = listOf({ content }, 'content');
  const [only] = blocks;
  if (only === undefined) return '';
  if (blocks.length === 1 && typeof only.text === 'string') return only.text;
  return blocks.map(({ type, text, data, mimeType }) =>
    type === 'image' ? imagePart(mimeType, data) : { type: 'text', text: String(text ?? '') },
  );
}

function fromChat(message: ChatMessage, names: ReadonlyMap<string, string>, model: string | undefined): object {
  const { role, tool_call_id = '', tool_calls = [] } = message;
  if (role === 'tool')
    return {
      role: 'toolResult',
      toolCallId: tool_call_id,
      toolName: names.get(tool_call_id) ?? '',
      content: fromContent(message),
      isError: false,
    };
  if (role !== 'assistant') return { role: 'user', content: fromContent(message) };
  const calls = tool_calls.map(({ id, function: called }) => ({
    type: 'toolCall',
    id,
    name: called.name,
    arguments: readInput(called.arguments),
  }));
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role,
    content: [...fromContent(message), ...calls],
    api: 'openai-completions',
    provider: 'unknown',
    model: model ?? 'unknown',
    usage: { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
  };
}

function fromContent(message: ChatMessage): readonly object[] {
  const { content } = message;
  if (typeof content !== 'object' || content === null) {
    const text = contentText(message);
    return text === '' ? [] : [{ type: 'text', text }];
  }
  return content.map((part) => {
    const image = imageIn(part);
    return image === undefined ? { type: 'text', text: String(part.text ?? '') } : { type: 'image', ...image };
  });
}
