import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { contentText } from '../../core/chat/parse.ts';
import type { ChatMessage } from '../../core/chat/wire.ts';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import { type Fields, fieldsAt, isFields, listAt, textAt } from '../fields.ts';
import { TranslatedContents } from '../gateway/dialects/gemini/contents.ts';
import { textOf } from '../gateway/dialects/translation.ts';
import {
  jsonLines,
  keptIn,
  piecesOf,
  type SessionDraft,
  type SessionFormat,
  timeAt,
  turnsOf,
  type WrittenSession,
} from './session.ts';

/**
 * Gemini CLI: messages by id; the last line with an id counts. `$set` states the whole list, `$rewindTo` takes messages
 * back. Older versions write one document.
 */
export const GEMINI: SessionFormat = {
  name: 'gemini',
  title: 'Gemini CLI',

  recognizes: (first) =>
    first.some(({ projectHash, sessionId }) => projectHash !== undefined && sessionId !== undefined),

  async read(records, keep) {
    let head: Fields = {};
    let title: string | undefined;
    const entries = new Map<unknown, Fields>();
    const seen = new Set<unknown>();
    const points: { readonly entry: number; readonly stated: readonly Fields[]; readonly at: number | undefined }[] =
      [];
    for await (const record of records) {
      const isHead = record.projectHash !== undefined;
      const set = isHead ? record : fieldsAt(record, '$set');
      if (isHead) head = record;
      title = textAt(set, 'summary') ?? title;
      const stated = takeList(listAt(set, 'messages'), entries, seen);
      if (stated.length > 0) points.push({ entry: entries.size, stated, at: timeAt(set, 'lastUpdated') });
      const { type, id, $rewindTo: back } = record;
      if (type !== undefined && id !== undefined) {
        entries.set(
          keyOf(record, entries),
          keep(record, type === 'user' && !listAt(record, 'content').some(isResponse)),
        );
        seen.add(id);
      }
      const keys = entries.has(back) ? [...entries.keys()] : [];
      for (const key of keys.slice(keys.indexOf(back))) entries.delete(key);
    }
    const messages: ChatMessage[] = [];
    const starts: number[] = [];
    const answered = new Set<unknown>();
    let model: string | undefined;
    for (const entry of entries.values()) {
      model = textAt(entry, 'model') ?? model;
      starts.push(messages.length);
      messages.push(...messagesOf(entry, answered));
    }
    return {
      id: textAt(head, 'sessionId'),
      title,
      folder: folderOf(head.projectHash),
      model,
      messages,
      compactions: points.map(({ entry, stated: [summary = {}, , ...rest], at }) => {
        const before = starts[entry] ?? messages.length;
        const kept = rest.flatMap((one) => messagesOf(one, new Set()));
        return { before, summary: textIn(summary), kept: keptIn(messages, before, kept), at };
      }),
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const timestamp = new Date(now).toISOString();
    const projectHash = hashOf(folder);
    const entries = turnsOf(messages).map(({ message, calls }) => {
      const about = { id: randomUUID(), timestamp };
      if (message.role !== 'assistant') {
        const [text, ...images] = toParts(message);
        return { ...about, type: 'user', content: [{ text: typed(text.text) }, ...images] };
      }
      const toolCalls = calls.map(({ id: callId, name, input, result }) => {
        const [output, ...images] = result === undefined ? [{ text: undefined }] : toParts(result);
        const response = output.text === undefined ? { error: 'cut off' } : { output: output.text };
        const answered = [{ functionResponse: { id: callId, name, response } }, ...images];
        return { id: callId, name, args: input, status: 'success', timestamp, result: answered };
      });
      // Gemini CLI joins consecutive messages of the model, since the API takes no call after one.
      const said = { type: 'gemini', content: contentText(message), thoughts: [], model: origin?.model ?? 'unknown' };
      return { ...about, ...said, ...(toolCalls.length > 0 && { toolCalls }) };
    });
    const minute = timestamp.slice(0, 16).replaceAll(':', '-');
    // For a folder without a name yet: Gemini CLI takes over sessions from the place where older versions kept them.
    const project = projects()[folder] ?? projectHash;
    return {
      id,
      file: path.join(geminiFolder(), 'tmp', project, 'chats', `session-${minute}-${id.slice(0, 8)}.jsonl`),
      text: jsonLines([
        { sessionId: id, projectHash, startTime: timestamp, lastUpdated: timestamp, kind: 'main' },
        ...entries,
      ]),
      resume: `gemini --resume ${id}`,
    };
  },
};

/** The folder in which Gemini CLI keeps everything. */
export function geminiFolder(): string {
  return path.join(process.env.GEMINI_CLI_HOME ?? homedir(), '.gemini');
}

/** The names that Gemini CLI gave to the folders it was used in, by path; empty where older versions gave none. */
function projects(): Readonly<Record<string, string>> {
  try {
    const known: unknown = JSON.parse(readFileSync(path.join(geminiFolder(), 'projects.json'), 'utf8'));
    return fieldsAt(known, 'projects') as Record<string, string>;
  } catch {
    return {};
  }
}

function hashOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex');
}

/** The folder of a session, which states only its hash. */
function folderOf(hash: unknown): string | undefined {
  return [process.cwd(), ...Object.keys(projects())].find((folder) => hashOf(folder) === hash);
}

/**
 * Takes a list that Gemini CLI states anew, at a start or after a compaction. Messages that it lacks were said all the
 * same. Returns the list of a compaction: its summary, an answer to that, and earlier messages under other ids.
 */
function takeList(list: readonly Fields[], entries: Map<unknown, Fields>, seen: Set<unknown>): readonly Fields[] {
  const ids = new Set(list.map(({ id }) => id));
  const isShorter = [...entries].some(([id, { type }]) => type === 'gemini' && !ids.has(id));
  const said = entries.size === 0 ? list : list.filter((entry) => !textIn(entry).startsWith('<session_context>'));
  const [first] = said;
  const isCompaction = isShorter && first?.type === 'user' && !seen.has(first.id);
  if (!isCompaction) for (const entry of said) if (!seen.has(entry.id)) entries.set(entry.id, entry);
  for (const id of ids) seen.add(id);
  return isCompaction ? said : [];
}

function textIn(entry: Fields): string {
  return typeof entry.content === 'string' ? entry.content : textOf(listAt(entry, 'content'), '\n');
}

/** The messages of an entry. `answered`: the calls whose results came already, since results are in two places. */
function messagesOf(entry: Fields, answered: Set<unknown>): readonly ChatMessage[] {
  const { type, content } = entry;
  const parts = typeof content === 'string' ? [{ text: content }] : listAt(entry, 'content');
  if (type === 'user') {
    const isKnown = parts.some((part) => answered.has(fieldsAt(part, 'functionResponse').id));
    return isKnown ? [] : messagesIn({ role: 'user', parts });
  }
  if (type !== 'gemini') return [];
  const calls = listAt(entry, 'toolCalls');
  const results = calls.map((call) => listAt(call, 'result'));
  for (const [at, { id }] of calls.entries()) if (results[at]?.some(isResponse)) answered.add(id);
  const thought = listAt(entry, 'thoughts').flatMap((one) => textAt(one, 'description') ?? []);
  return messagesIn(
    {
      role: 'model',
      parts: [
        { thought: true, text: thought.join('\n') },
        ...parts,
        ...calls.map((functionCall) => ({ functionCall })),
      ],
    },
    ...results.map((result) => ({ role: 'user', parts: result })),
  );
}

/** Gemini CLI drops a message that begins like a command: this invisible character is put before it. */
const UNSEEN = '\u200B';

function typed(text: string): string {
  return /^\s*[/?]/.test(text) ? `${UNSEEN}${text}` : text;
}

/** The text of a message, then its images, as parts of Gemini's API. */
function toParts(message: ChatMessage): readonly [{ readonly text: string }, ...object[]] {
  const pieces = piecesOf(message);
  const images = pieces.flatMap((piece) => ('data' in piece ? [{ inlineData: piece }] : []));
  return [{ text: pieces.flatMap((piece) => ('text' in piece ? [piece.text] : [])).join('\n') }, ...images];
}

/** An entry that is written again keeps its place; two entries of different types that share an id have one each. */
function keyOf(record: Fields, entries: ReadonlyMap<unknown, Fields>): unknown {
  const known = entries.get(record.id);
  return known === undefined || known.type === record.type ? record.id : `${String(record.id)} ${entries.size}`;
}

/** Qwen Code: one message a line, in Gemini's parts. */
export const QWEN: SessionFormat = {
  name: 'qwen',
  title: 'Qwen Code',

  recognizes: (first) => first.some((record) => Array.isArray(fieldsAt(record, 'message').parts) && 'uuid' in record),

  async read(records, keep) {
    const messages: ChatMessage[] = [];
    const compactions: AgentCompaction[] = [];
    let [id, folder, model]: (string | undefined)[] = [];
    for await (const record of records) {
      id = textAt(record, 'sessionId') ?? id;
      folder = textAt(record, 'cwd') ?? folder;
      model = textAt(record, 'model') ?? model;
      if (record.subtype === 'chat_compression') {
        // Its summary, an answer to that, perhaps a list of files, and the newest contents as they were.
        const [summary, ...rest] = listAt(record, 'systemPayload', 'compressedHistory');
        const before = messages.length;
        compactions.push({
          before,
          summary: summary && textOf(listAt(summary, 'parts'), '\n'),
          kept: keptIn(messages, before, messagesIn(...rest)),
          at: timeAt(record, 'timestamp'),
        });
      }
      const message = fieldsAt(record, 'message');
      messages.push(
        ...messagesIn(keep(message, message.role === 'user' && !listAt(message, 'parts').some(isResponse))),
      );
    }
    return { id, folder, model, messages, compactions };
  },
};

function isResponse(part: Fields): boolean {
  return isFields(part.functionResponse);
}

/** The messages of contents of Gemini's API, without empty ones. */
function messagesIn(...contents: readonly Fields[]): readonly ChatMessage[] {
  const own = contents.map((content) => {
    const parts = listAt(content, 'parts').map((part) =>
      typeof part.text === 'string' ? { ...part, text: part.text.replace(UNSEEN, '') } : part,
    );
    const last = parts.findLast(isResponse);
    if (last === undefined) return { ...content, parts };
    // In files, an image that is part of a result stands beside it.
    const images = parts.filter(({ inlineData }) => inlineData !== undefined);
    const whole = { ...last, functionResponse: { ...fieldsAt(last, 'functionResponse'), parts: images } };
    const rest = parts.filter((part) => !images.includes(part));
    return { ...content, parts: rest.map((part) => (part === last ? whole : part)) };
  });
  const { messages } = new TranslatedContents(undefined, own);
  return messages.filter(
    ({ role, content, tool_calls }) => role === 'tool' || tool_calls !== undefined || Boolean(content),
  );
}
