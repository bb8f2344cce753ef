import { contentText, readInput } from '../../core/chat/parse.ts';
import type { ChatMessage, ChatPart, ChatToolCall } from '../../core/chat/wire.ts';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import type { Phrase, Words } from '../../core/phrase.ts';
import { asText, groupBy } from '../../core/result.ts';
import { inEnglish, sentence } from '../../language/language.ts';
import { at, type Fields, textAt } from '../fields.ts';
import { modelMessage } from '../gateway/dialects/translation.ts';

/** A session that an agent has stored, as Karl's messages. */
export interface StoredSession {
  /** The agent that wrote it, by the name of its format, and its own name. */
  readonly agent: string;
  readonly agentTitle: string;
  readonly id: string | undefined;
  readonly title: string | undefined;
  /** The folder that the agent worked in. */
  readonly folder: string | undefined;
  readonly model: string | undefined;
  /** The window that the agent worked with, tokens, where the file tells it. */
  readonly window?: number | undefined;
  /** Everything that was said, oldest first, also what the agent itself has compacted away. */
  readonly messages: readonly ChatMessage[];
  /** Where the agent itself compacted, oldest first. */
  readonly compactions: readonly AgentCompaction[];
  /** What was skipped or repaired, each a sentence. */
  readonly repairs: readonly Phrase[];
  /** What a writer of the same format takes over. */
  readonly head: Fields;
}

/** Why a session cannot be read or rescued: a sentence. */
export class SessionError extends Error {
  readonly words: Words;

  constructor(words: Words) {
    super(inEnglish(words));
    this.words = words;
  }
}

/** What the reader of a format finds; the files of its agent lack what it leaves out. */
export type FoundInFile = Pick<StoredSession, 'messages'> & Partial<Omit<StoredSession, 'agent' | 'agentTitle'>>;

/** Where a session is stored. */
export interface SessionFile {
  /** A path; of a session in a database its path, `#` and the session's id. */
  readonly file: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  readonly bytes: number;
}

/** The contents of a new session. */
export interface SessionDraft {
  readonly messages: readonly ChatMessage[];
  readonly folder: string;
  /** The session that it was made from, if that has the same format. */
  readonly origin: StoredSession | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A session in its agent's own form. */
export interface WrittenSession {
  readonly id: string;
  /** Where the agent looks for it: an absolute path. */
  readonly file: string;
  readonly text: string;
  /** The command that continues it. */
  readonly resume: string;
}

/** A format in which an agent stores its sessions. */
export interface SessionFormat {
  /** The name that commands take. */
  readonly name: string;
  /** The agent's own name. */
  readonly title: string;
  /** Whether a file that begins with these records is of this format. */
  recognizes(first: readonly Fields[]): boolean;
  /** `keep` returns the part of a record that stays in memory; formats that are one document do not call it. */
  read(records: AsyncIterable<Fields>, keep: (value: Fields, isHuman: boolean) => Fields): Promise<FoundInFile>;
  /** Absent: no session of this format can be made. */
  write?(draft: SessionDraft): WrittenSession;
}

/** A message of the model, or none where it says nothing and calls nothing. */
export function answer(text: string, thought: string, calls: readonly ChatToolCall[]): readonly ChatMessage[] {
  return text === '' && calls.length === 0 ? [] : [modelMessage({ text, thought, calls, others: [] })];
}

/** A call as chat completions have it. */
export function toCall(id: unknown, name: unknown, input: unknown): ChatToolCall {
  const called = { name: asText(name), arguments: JSON.stringify(input ?? {}) };
  return { id: asText(id), type: 'function', function: called };
}

/** A text or an image of a message. */
export type Piece = { readonly text: string } | { readonly mimeType: string; readonly data: string };

/** The texts and images of a message, and a placeholder for anything else; empty if the message is. */
export function piecesOf(message: ChatMessage): readonly Piece[] {
  const parts = Array.isArray(message.content) ? (message.content as readonly ChatPart[]) : [];
  if (parts.length === 0) return [{ text: contentText(message) }].filter(({ text }) => text !== '');
  return parts.map((part): Piece => {
    const [, mimeType = '', data] = /^data:([^;,]+);base64,(.*)$/s.exec(textAt(part, 'image_url', 'url') ?? '') ?? [];
    return data === undefined ? { text: contentText({ role: message.role, content: [part] }) } : { mimeType, data };
  });
}

/** A message of the user, or one of the model with its calls and their results. */
export interface Turn {
  readonly message: ChatMessage;
  /** The result is missing where a call was cut off. */
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: object;
    readonly result: ChatMessage | undefined;
  }[];
}

/** The turns in messages, without prompts: an agent adds its own. */
export function turnsOf(messages: readonly ChatMessage[]): readonly Turn[] {
  // Ids may be repeated: each call takes the first result that is left.
  const results = groupBy(messages, (message) => message.tool_call_id);
  return messages.flatMap((message) => {
    const { role, tool_calls = [] } = message;
    if (role === 'system' || role === 'developer' || role === 'tool') return [];
    const calls = tool_calls.map(({ id, function: { name, arguments: given } }) => {
      const result = results.get(id)?.shift();
      return { id, name, input: readInput(given), result };
    });
    return [{ message, calls }];
  });
}

/** Records as lines of JSON. */
export function jsonLines(records: readonly object[]): string {
  return `${records.map((record) => JSON.stringify(record)).join('\n')}\n`;
}

/** An image of base64 as a part of a message. */
export function imagePart(mimeType: unknown, data: unknown): ChatPart {
  return { type: 'image_url', image_url: { url: `data:${asText(mimeType)};base64,${asText(data)}` } };
}

/** The indices from one to before another. */
export function indices(from: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - from) }, (_, at) => from + at);
}

/**
 * The indices of messages before a compaction that the agent kept. It states them again without their ids, so they are
 * searched for from the newest on, by their calls or else their text.
 */
export function keptIn(
  messages: readonly ChatMessage[],
  before: number,
  stated: readonly ChatMessage[],
): readonly number[] {
  const kept: number[] = [];
  for (const one of stated.toReversed()) {
    const [limit = before] = kept;
    const at = messages.findLastIndex((message, place) => place < limit && isSame(message, one));
    if (at < 0) continue;
    let end = at + 1;
    // Results may be stated with the next request.
    while (end < limit && messages[end]?.role === 'tool') end += 1;
    kept.unshift(...indices(at, end));
  }
  return kept;
}

function isSame(one: ChatMessage, other: ChatMessage): boolean {
  if (one.role !== other.role) return false;
  const [call, stated] = [one.tool_calls?.[0], other.tool_calls?.[0]];
  if (call !== undefined || stated !== undefined) return call?.id === stated?.id;
  return one.tool_call_id === other.tool_call_id && (one.role === 'tool' || contentText(one) === contentText(other));
}

/** The time at a path, as milliseconds since 1970; undefined where there is none. */
export function timeAt(record: Fields, ...path: readonly string[]): number | undefined {
  const value = at(record, ...path);
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) ? time : undefined;
}

/** Quotes a word of a shell command: paths come from sessions, which anybody may have written. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Lines that name their predecessors. Those that lead to the last one count; what was rewound does not. */
export class Branches {
  /** By id, in the order of the file. */
  readonly #parents = new Map<unknown, unknown>();
  #last: unknown;
  #lost = 0;

  /** Adds a line. `parent`: null at a beginning; undefined: the line before it, as when the parent is missing. */
  add(id: unknown, parent: unknown): void {
    const isLost = parent !== null && parent !== undefined && !this.#parents.has(parent);
    if (isLost) this.#lost += 1;
    this.#parents.set(id, parent === undefined || isLost ? this.#last : parent);
    this.#last = id;
  }

  has(id: unknown): boolean {
    return this.#parents.has(id);
  }

  /** The ids of the lines that lead to one. */
  leadingTo(id: unknown): Set<unknown> {
    const branch = new Set<unknown>();
    for (let at = id; at !== undefined && at !== null && !branch.has(at); at = this.#parents.get(at)) branch.add(at);
    return branch;
  }

  /**
   * Sentences about missing lines, and about messages of a second window that wrote into the same session: these leave
   * the branch where it had already continued, whereas rewound messages were there before it continued.
   */
  repairs(isOnBranch: (id: unknown) => boolean, isMessage: (id: unknown) => boolean): readonly Phrase[] {
    const wentOn = new Set<unknown>();
    const leftAt = new Map<unknown, unknown>();
    let count = 0;
    for (const [id, parent] of this.#parents) {
      if (isOnBranch(id)) {
        wentOn.add(parent);
        continue;
      }
      const from = isOnBranch(parent) ? parent : leftAt.get(parent);
      leftAt.set(id, from);
      if (wentOn.has(from) && isMessage(id)) count += 1;
    }
    return whereAny(
      sentence(
        'Messages of a second window, which wrote into the same session at the same time, were left out: {0}.',
        count,
      ),
      sentence('Lines whose predecessors are missing were put after those before them: {0}.', this.#lost),
    );
  }
}

/** Those sentences whose value, a count, is not 0. */
export function whereAny(...counts: readonly Phrase[]): readonly Phrase[] {
  return counts.filter(({ values: [count] }) => count !== 0);
}
