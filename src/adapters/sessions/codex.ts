import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import { type Fields, fieldsAt, listAt, textAt, tokensAt } from '../fields.ts';
import { TranslatedItems } from '../gateway/dialects/responses/items.ts';
import { jsonLines, keptIn, type SessionDraft, type SessionFormat, timeAt, type WrittenSession } from './session.ts';

/** The field of a session's head with its items in the form of OpenAI's Responses. */
const SOURCES = 'sources';

/** Codex writes this after each answer. It separates consecutive messages of the model. */
const ANSWERED = { type: 'event_msg', payload: { type: 'token_count', info: null, rate_limits: null } };

/** Codex: what the model sees as `response_item`, beside what the terminal showed. */
export const CODEX: SessionFormat = {
  name: 'codex',
  title: 'Codex',

  recognizes: (first) => first.some(({ type, payload }) => type === 'session_meta' && payload !== undefined),

  async read(records, keep) {
    const sources = new TranslatedItems(undefined, []);
    let answer: Fields[] = [];
    const endAnswer = () => {
      sources.add(answer);
      answer = [];
    };
    const points: { readonly before: number; readonly record: Fields }[] = [];
    let meta: Fields | undefined;
    let model: string | undefined;
    let window: number | undefined;
    for await (const record of records) {
      const payload = fieldsAt(record, 'payload');
      if (record.type === 'response_item') answer.push(keep(payload, payload.role === 'user'));
      // A session that was forked begins with the lines of the one before it.
      else if (record.type === 'session_meta') meta ??= payload;
      else if (record.type === 'turn_context') model = textAt(payload, 'model') ?? model;
      else if (payload.type === 'token_count') {
        window = tokensAt(payload, 'info', 'model_context_window') ?? window;
        // Thoughts belong to what is said next.
        if (answer.at(-1)?.type !== 'reasoning') endAnswer();
      } else if (record.type === 'compacted') {
        endAnswer();
        points.push({ before: sources.messages.length, record });
      }
    }
    endAnswer();
    const { messages } = sources;
    const compactions = points.map(({ before, record }): AgentCompaction => {
      const payload = fieldsAt(record, 'payload');
      // What it keeps: messages of the user, and its summary.
      const history = new TranslatedItems(undefined, listAt(payload, 'replacement_history')).messages;
      const kept = keptIn(messages, before, history);
      return { before, summary: textAt(payload, 'message'), kept, at: timeAt(record, 'timestamp') };
    });
    return {
      id: textAt(meta, 'id'),
      folder: textAt(meta, 'cwd'),
      model,
      window,
      messages,
      compactions,
      head: { meta: meta ?? {}, [SOURCES]: sources },
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = randomUUID();
    const sources = (origin?.head[SOURCES] ?? new TranslatedItems(undefined, [])) as TranslatedItems;
    // Codex puts its own instructions into what it resumes.
    const said = messages.filter(({ role }) => role !== 'developer' && role !== 'system');
    const items = said.flatMap((message, at) => {
      const own = sources.toItems([message]).map((payload) => ({ type: 'response_item', payload }));
      return message.role === 'assistant' && said[at + 1]?.role === 'assistant' ? [...own, ANSWERED] : own;
    });
    const timestamp = new Date(now).toISOString();
    const meta = {
      cli_version: '0.171.0',
      originator: 'codex_exec',
      source: 'exec',
      ...fieldsAt(origin?.head, 'meta'),
      id,
      session_id: id,
      timestamp,
      cwd: folder,
    };
    const records = [{ type: 'session_meta', payload: meta }, ...items];
    const day = timestamp.slice(0, 10).split('-');
    const name = `rollout-${timestamp.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`;
    return {
      id,
      file: path.join(sessionsFolder(), ...day, name),
      text: jsonLines(records.map((record, ordinal) => ({ timestamp, ordinal, ...record }))),
      resume: `codex resume ${id}`,
    };
  },
};

/** The folder with a folder for each day. */
export function sessionsFolder(): string {
  return path.join(process.env.CODEX_HOME ?? path.join(homedir(), '.codex'), 'sessions');
}
