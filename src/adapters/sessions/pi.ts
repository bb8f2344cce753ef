import { randomBytes, randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ChatMessage, ChatPart } from '../../core/chat/wire.ts';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import { asText } from '../../core/result.ts';
import { type Fields, fieldsAt, listAt, textAt } from '../fields.ts';
import { contentOf } from '../gateway/dialects/translation.ts';
import {
  answer,
  Branches,
  imagePart,
  indices,
  jsonLines,
  piecesOf,
  type SessionDraft,
  type SessionFormat,
  shellWord,
  type Turn,
  timeAt,
  toCall,
  turnsOf,
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
    const ownIds = new Set<unknown>();
    for await (const record of records) {
      // A line that was written twice.
      if (ownIds.has(record.id)) continue;
      if (typeof record.id === 'string') ownIds.add(record.id);
      const message = fieldsAt(record, 'message');
      if (record.type === 'session') head = record;
      else if (record.type === 'message') entries.push({ ...record, message: keep(message, message.role === 'user') });
      else entries.push(record);
      if (record.type === 'model_change') model = textAt(record, 'modelId') ?? model;
      if (record.type === 'session_info') title = textAt(record, 'name') ?? title;
    }
    const branches = new Branches();
    // Before version 3 they have numbers, counted from the head.
    const ids = entries.map((entry, index) => entry.id ?? index + 1);
    for (const [at, { parentId }] of entries.entries()) branches.add(ids[at], parentId);
    const branch = branches.leadingTo(ids.at(-1));
    const messages: ChatMessage[] = [];
    const compactions: AgentCompaction[] = [];
    /** How many messages come before an entry. */
    const places = new Map<unknown, number>();
    for (const [at, entry] of entries.entries()) {
      if (!branch.has(ids[at])) continue;
      places.set(ids[at], messages.length);
      places.set(at + 1, messages.length);
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
      repairs: branches.repairs(
        (id) => branch.has(id),
        () => true,
      ),
      head,
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const timestamp = new Date(now).toISOString();
    let parentId: string | null = null;
    const entries = turnsOf(messages)
      .flatMap((turn) => fromTurn(turn, origin?.model ?? 'unknown'))
      .map((own) => {
        const entry = { type: 'message', id: randomBytes(4).toString('hex'), parentId, timestamp };
        parentId = entry.id;
        return { ...entry, message: { ...own, timestamp: now } };
      });
    const name = `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;
    const file = path.join(sessionsFolder(), `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`, name);
    return {
      id,
      file,
      text: jsonLines([{ type: 'session', version: 3, id, timestamp, cwd: folder }, ...entries]),
      resume: `pi --session ${shellWord(file)}`,
    };
  },
};

/** The folder that has a folder of sessions for each folder in which pi was used. */
export function sessionsFolder(): string {
  return path.join(process.env.PI_CODING_AGENT_DIR ?? path.join(homedir(), '.pi', 'agent'), 'sessions');
}

function toChat(message: Fields): readonly ChatMessage[] {
  const { role, content } = message;
  switch (role) {
    case 'user':
      return [{ role, content: toContent(content) }];
    case 'assistant': {
      const blocks = listAt(message, 'content');
      const texts = (type: string, field: string) =>
        blocks.flatMap((block) => (block.type === type ? [asText(block[field] ?? '')] : [])).join('');
      const [text, thought] = [texts('text', 'text'), texts('thinking', 'thinking')];
      const calls = blocks.filter(({ type }) => type === 'toolCall');
      return answer(
        text,
        thought,
        calls.map((call) => toCall(call.id, call.name, call.arguments)),
      );
    }
    case 'toolResult':
      return [{ role: 'tool', tool_call_id: asText(message.toolCallId), content: toContent(content) }];
    case 'bashExecution': {
      const code = message.exitCode === undefined ? '' : `\n(exit code ${asText(message.exitCode)})`;
      return [{ role: 'user', content: `Ran \`${asText(message.command)}\`\n${asText(message.output ?? '')}${code}` }];
    }
    default:
      return [];
  }
}

function toContent(content: unknown): string | ChatPart[] {
  if (typeof content === 'string') return content;
  return contentOf(
    listAt({ content }, 'content').map(({ type, text, data, mimeType }) =>
      type === 'image' ? imagePart(mimeType, data) : { type: 'text', text: asText(text ?? '') },
    ),
  );
}

/** The messages of a turn: results are messages of their own. */
function fromTurn({ message, calls }: Turn, model: string): readonly object[] {
  if (message.role !== 'assistant') return [{ role: 'user', content: fromContent(message) }];
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const said = {
    role: 'assistant',
    content: [
      ...fromContent(message),
      ...calls.map(({ id, name, input }) => ({ type: 'toolCall', id, name, arguments: input })),
    ],
    api: 'openai-completions',
    provider: 'unknown',
    model,
    usage: { ...nothing, totalTokens: 0, cost: { ...nothing, total: 0 } },
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
  };
  const results = calls.flatMap(({ id, name, result }) =>
    result === undefined
      ? []
      : [{ role: 'toolResult', toolCallId: id, toolName: name, content: fromContent(result), isError: false }],
  );
  return [said, ...results];
}

function fromContent(message: ChatMessage): readonly object[] {
  return piecesOf(message).map((piece) => ({ type: 'text' in piece ? 'text' : 'image', ...piece }));
}
