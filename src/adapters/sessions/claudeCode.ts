import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { sentence } from '../../language/language.ts';
import { type Fields, fieldsAt, isFields, textAt, tokensAt } from '../fields.ts';
import {
  type Block,
  blocksOf,
  ORIGINS,
  type OwnMessage,
  TranslatedMessages,
} from '../gateway/dialects/messages/blocks.ts';
import { textOf } from '../gateway/dialects/translation.ts';
import {
  Branches,
  type FoundInFile,
  jsonLines,
  type SessionDraft,
  type SessionFormat,
  type StoredSession,
  timeAt,
  type WrittenSession,
  whereAny,
} from './session.ts';

/** A line with a message, or the mark of a compaction. */
interface Line {
  readonly uuid: string;
  readonly record: Fields;
}

/** Claude Code: one content block a line, chained by `uuid` and `parentUuid`, mixed with sub-agents and program notes. */
export const CLAUDE_CODE: SessionFormat = {
  name: 'claude',
  title: 'Claude Code',

  recognizes: (first) =>
    first.some((record) => typeof record.sessionId === 'string' && ('uuid' in record || 'operation' in record)),

  async read(records, keep) {
    const lines: Line[] = [];
    const branches = new Branches();
    const messages = new Map<string, Fields | undefined>();
    const head: Record<string, unknown> = {};
    let title: string | undefined;
    let repeated = 0;
    for await (const record of records) {
      if (record.type === 'summary' || record.type === 'custom-title' || record.type === 'ai-title')
        title = textAt(record, 'customTitle') ?? textAt(record, 'title') ?? textAt(record, 'summary') ?? title;
      for (const field of ['sessionId', 'cwd', 'gitBranch', 'version']) head[field] = record[field] ?? head[field];
      let uuid = textAt(record, 'uuid');
      if (uuid === undefined || record.isSidechain === true) continue;
      const isBoundary = record.subtype === 'compact_boundary';
      let parent: string | null | undefined = textAt(record, 'parentUuid') ?? textAt(record, 'logicalParentUuid');
      if (!isBoundary) parent ??= null;
      const { type, subtype, isCompactSummary, timestamp, compactMetadata } = record;
      const isMessage = (type === 'user' || type === 'assistant') && isFields(record.message);
      const own = fieldsAt(record, 'message');
      const isHuman = type === 'user' && !blocksOf(own.content).some(isResult);
      const message = isMessage ? keep(own, isHuman) : undefined;
      if (branches.has(uuid)) {
        if (JSON.stringify(messages.get(uuid)) === JSON.stringify(message)) {
          repeated += 1;
          continue;
        }
        [uuid, parent] = [randomUUID(), undefined];
      }
      messages.set(uuid, message);
      branches.add(uuid, parent);
      // The rest of a line is large: it has each result a second time.
      if (isBoundary || isMessage)
        lines.push({ uuid, record: { type, subtype, message, isCompactSummary, timestamp, compactMetadata } });
    }
    const branch = branches.leadingTo(lines.at(-1)?.uuid);
    const kept = onBranch(lines, branch);
    const keptIds = new Set<unknown>(kept.map(({ uuid }) => uuid));
    const messageIds = new Set<unknown>(lines.map(({ uuid }) => uuid));
    return build(kept, {
      title,
      head,
      repairs: [
        ...whereAny(sentence('Duplicate lines were read once: {0}.', repeated)),
        ...branches.repairs(
          (id) => branch.has(id) || keptIds.has(id),
          (id) => messageIds.has(id),
        ),
      ],
    });
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const sources = new TranslatedMessages('', (origin?.head[OWN_MESSAGES] ?? []) as readonly OwnMessage[]);
    // One by one: here, consecutive messages of the user are not merged.
    const own = messages.flatMap((message) => sources.fromChat([message]));
    const times = origin?.head[TIMES] as ReadonlyMap<unknown, string> | undefined;
    const common = {
      isSidechain: false,
      userType: 'external',
      cwd: folder,
      sessionId: id,
      version: origin?.head.version ?? '2.1.0',
      gitBranch: origin?.head.gitBranch ?? '',
    };
    let parentUuid: string | null = null;
    const lines: object[] = [];
    const add = (type: 'user' | 'assistant', message: object, time?: string) => {
      const uuid = randomUUID();
      const timestamp = time ?? new Date(now + lines.length).toISOString();
      lines.push({ parentUuid, ...common, type, message, uuid, timestamp });
      parentUuid = uuid;
    };
    for (const { role, content } of own) {
      const blocks = blocksOf(content);
      if (role !== 'assistant') {
        // From the time when a file was read, it knows whether the file has changed since.
        const time = blocks.map(({ tool_use_id }) => times?.get(tool_use_id)).find((one) => one !== undefined);
        add('user', { role: 'user', content: blocks.some(isResult) ? blocks.map(asWritten) : content }, time);
        continue;
      }
      const about = {
        id: `msg_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
        type: 'message',
        role,
        model: origin?.model ?? 'unknown',
        stop_reason: blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      };
      for (const block of blocks) add('assistant', { ...about, content: [block] });
    }
    return {
      id,
      file: path.join(projectsFolder(), folder.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`),
      text: jsonLines(lines),
      resume: `claude --resume ${id}`,
    };
  },
};

function isResult({ type }: Block): boolean {
  return type === 'tool_result';
}

/** A result of one text is written as a string, as in its own files: only there does it find what was read. */
function asWritten(block: Block): Block {
  const { content } = block;
  const [only, ...more] = Array.isArray(content) ? (content as readonly Block[]) : [];
  return isResult(block) && more.length === 0 && typeof only?.text === 'string'
    ? { ...block, content: only.text }
    : block;
}

/** The folder that has a folder of sessions for each folder in which Claude Code was used. */
export function projectsFolder(): string {
  return path.join(process.env.CLAUDE_CONFIG_DIR ?? path.join(homedir(), '.claude'), 'projects');
}

/** The fields of a session's head with its messages in the form of Anthropic's API, and the times of results by call. */
const OWN_MESSAGES = 'messages';
const TIMES = 'times';

/**
 * The lines that count, given the branch that leads to the last one; what was rewound is left out. Only one line of an
 * answer with several calls leads on, so all blocks of that answer and all their results count.
 */
function onBranch(lines: readonly Line[], branch: ReadonlySet<unknown>): readonly Line[] {
  const messageId = ({ record }: Line) => textAt(record, 'message', 'id');
  const blocks = ({ record }: Line) => blocksOf(fieldsAt(record, 'message').content);
  const answers = new Set(lines.filter(({ uuid }) => branch.has(uuid)).map(messageId));
  answers.delete(undefined);
  const ofAnswers = lines.filter((line) => answers.has(messageId(line)));
  const calls = new Set(ofAnswers.flatMap(blocks).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])));
  return lines.filter(
    (line) =>
      branch.has(line.uuid) ||
      answers.has(messageId(line)) ||
      blocks(line).some(({ type, tool_use_id }) => type === 'tool_result' && calls.has(tool_use_id)),
  );
}

function build(
  lines: readonly Line[],
  about: Pick<StoredSession, 'title' | 'repairs'> & { readonly head: Record<string, unknown> },
): FoundInFile {
  const own: OwnMessage[] = [];
  const answers = new Map<string, Block[]>();
  const boundaries: { readonly before: number; readonly record: Fields; summary: string | undefined }[] = [];
  /** Where each line's message is. */
  const places = new Map<unknown, number>();
  let model: string | undefined;
  let used = 0;
  for (const { uuid, record } of lines) {
    const message = fieldsAt(record, 'message');
    places.set(uuid, own.length);
    if (record.subtype === 'compact_boundary') boundaries.push({ before: own.length, record, summary: undefined });
    else if (record.isCompactSummary === true) {
      const boundary = boundaries.at(-1);
      if (boundary !== undefined) boundary.summary = textOf(blocksOf(message.content), '\n');
    } else if (record.type === 'user') own.push({ role: 'user', content: message.content as OwnMessage['content'] });
    // The program's own report of an error is not an answer of the model.
    else if (message.model !== '<synthetic>') {
      model = textAt(message, 'model') ?? model;
      used = Math.max(used, promptTokens(fieldsAt(message, 'usage')));
      const id = textAt(message, 'id') ?? String(own.length);
      const known = answers.get(id);
      if (known !== undefined) {
        known.push(...blocksOf(message.content));
        places.delete(uuid);
      } else {
        const blocks = [...blocksOf(message.content)];
        answers.set(id, blocks);
        own.push({ role: 'assistant', content: blocks });
      }
    }
  }
  const { messages } = new TranslatedMessages('', own);
  // A message of its own may make several: results, and what was said with them.
  const ownPlaces = new Map(own.map((one, at) => [one, at]));
  const madeOf = messages.map((message) => ownPlaces.get(ORIGINS.of(message) as OwnMessage) ?? -1);
  const firstFrom = (place: number): number => {
    const first = madeOf.findIndex((made) => made >= place);
    return first < 0 ? messages.length : first;
  };
  const { sessionId, cwd } = about.head;
  return {
    id: typeof sessionId === 'string' ? sessionId : undefined,
    title: about.title,
    folder: typeof cwd === 'string' ? cwd : undefined,
    model,
    // Its windows: the larger one is an option.
    window: used > 200_000 ? 1_000_000 : 200_000,
    messages,
    compactions: boundaries.map(({ before, record, summary }) => {
      const { uuids } = fieldsAt(record, 'compactMetadata', 'preservedMessages');
      const kept = new Set(Array.isArray(uuids) ? uuids.map((uuid) => places.get(uuid)) : []);
      return {
        before: firstFrom(before),
        summary,
        kept: madeOf.flatMap((place, at) => (place < before && kept.has(place) ? [at] : [])),
        at: timeAt(record, 'timestamp'),
      };
    }),
    repairs: about.repairs,
    head: { ...about.head, [OWN_MESSAGES]: own, [TIMES]: timesOf(lines) },
  };
}

function timesOf(lines: readonly Line[]): ReadonlyMap<unknown, string> {
  const times = new Map<unknown, string>();
  for (const { record } of lines)
    for (const { tool_use_id } of blocksOf(fieldsAt(record, 'message').content))
      if (tool_use_id !== undefined && typeof record.timestamp === 'string') times.set(tool_use_id, record.timestamp);
  return times;
}

function promptTokens(usage: Fields): number {
  const names = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];
  return names.reduce((sum, name) => sum + (tokensAt(usage, name) ?? 0), 0);
}
