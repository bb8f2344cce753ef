import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import { contentText } from '../../core/messages/parse.ts';
import { TranslatedItems } from '../gateway/dialects/responses/items.ts';
import type { Fields } from '../openai/mergeFields.ts';
import {
  fieldsAt,
  indices,
  listOf,
  type SessionCompaction,
  type SessionDraft,
  type SessionFormat,
  textAt,
  timeAt,
  type WrittenSession,
} from './session.ts';

/** The field of a session's head with its items in the form of OpenAI's Responses. */
const ITEMS = 'items';

/** Codex: what the model sees as `response_item`, beside what the terminal showed. */
export const CODEX: SessionFormat = {
  name: 'codex',
  title: 'Codex',

  recognizes: (first) => first.some(({ type, payload }) => type === 'session_meta' && payload !== undefined),

  async read(records) {
    const items: Fields[] = [];
    const points: { readonly before: number; readonly record: Fields }[] = [];
    let meta: Fields | undefined;
    let model: string | undefined;
    let window: number | undefined;
    for await (const record of records) {
      const payload = fieldsAt(record, 'payload');
      if (record.type === 'response_item') items.push(payload);
      // A session that was forked begins with the lines of the one before it.
      else if (record.type === 'session_meta') meta ??= payload;
      else if (record.type === 'turn_context') model = textAt(payload, 'model') ?? model;
      else if (payload.type === 'token_count')
        window = Number(fieldsAt(payload, 'info').model_context_window) || window;
      else if (record.type === 'compacted') points.push({ before: items.length, record });
    }
    const { messages } = new TranslatedItems(undefined, items);
    // The messages before a compaction are those that its items make by themselves.
    const compactions = points.map((point): SessionCompaction => {
      const payload = fieldsAt(point.record, 'payload');
      const before = new TranslatedItems(undefined, items.slice(0, point.before)).messages.length;
      // What it goes on with: messages of the user, and its summary.
      const history = new TranslatedItems(undefined, listOf(payload, 'replacement_history')).messages;
      const said = new Set(history.filter(({ role }) => role === 'user').map(contentText));
      const isKept = (at: number) => messages[at]?.role === 'user' && said.has(contentText(messages[at]));
      const kept = indices(0, before).filter(isKept);
      return { before, summary: textAt(payload, 'message'), kept, at: timeAt(point.record, 'timestamp') };
    });
    return {
      agent: CODEX.name,
      id: meta === undefined ? undefined : textAt(meta, 'id'),
      title: undefined,
      folder: meta === undefined ? undefined : textAt(meta, 'cwd'),
      model,
      window,
      messages,
      compactions,
      repairs: [],
      head: { meta: meta ?? {}, [ITEMS]: items },
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const sources = new TranslatedItems(undefined, (origin?.head[ITEMS] ?? []) as readonly Fields[]);
    // Codex puts its own instructions into what it resumes.
    const items = sources.toItems(messages.filter(({ role }) => role !== 'developer' && role !== 'system'));
    const timestamp = new Date(now).toISOString();
    const meta = {
      cli_version: '0.171.0',
      originator: 'codex_exec',
      source: 'exec',
      ...fieldsAt(origin?.head ?? {}, 'meta'),
      id,
      session_id: id,
      timestamp,
      cwd: folder,
    };
    const records = [
      { type: 'session_meta', payload: meta },
      ...items.map((payload) => ({ type: 'response_item', payload })),
    ];
    const lines = records.map((record, ordinal) => JSON.stringify({ timestamp, ordinal, ...record }));
    const day = timestamp.slice(0, 10).split('-');
    const name = `rollout-${timestamp.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`;
    return {
      id,
      file: path.join(sessionsFolder(), ...day, name),
      text: `${lines.join('\n')}\n`,
      resume: `codex resume ${id}`,
    };
  },
};

/** The folder with a folder for each day. */
export function sessionsFolder(): string {
  return path.join(process.env.CODEX_HOME ?? path.join(homedir(), '.codex'), 'sessions');
}
