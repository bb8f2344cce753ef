import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { contentText } from '../../core/chat/parse.ts';
import type { ChatMessage, ChatPart } from '../../core/chat/wire.ts';
import type { AgentCompaction } from '../../core/conversation/agentRecords.ts';
import { asText, groupBy } from '../../core/result.ts';
import { type Fields, fieldsAt, listAt, textAt } from '../fields.ts';
import {
  answer,
  piecesOf,
  type SessionDraft,
  type SessionFile,
  type SessionFormat,
  shellWord,
  timeAt,
  toCall,
  turnsOf,
  type WrittenSession,
} from './session.ts';

/** OpenCode: what `opencode export` writes, and what is in its database. */
export const OPENCODE: SessionFormat = {
  name: 'opencode',
  title: 'OpenCode',

  recognizes: ([first]) => /^ses_/.test(textAt(first, 'info', 'id') ?? ''),

  async read(records) {
    let document: Fields = {};
    for await (const record of records) document = record;
    const info = fieldsAt(document, 'info');
    const messages: ChatMessage[] = [];
    const compactions: AgentCompaction[] = [];
    for (const entry of listAt(document, 'messages')) {
      const parts = listAt(entry, 'parts');
      const about = fieldsAt(entry, 'info');
      const { role, summary } = about;
      if (role === 'assistant' && summary === true)
        compactions.push({ before: messages.length, summary: textOf(parts), at: timeAt(about, 'time', 'created') });
      else if (role === 'assistant') messages.push(...answerOf(parts));
      else if (!parts.some(({ type }) => type === 'compaction'))
        messages.push({ role: 'user', content: contentOf(parts) });
    }
    return {
      id: textAt(info, 'id'),
      title: textAt(info, 'title'),
      folder: textAt(info, 'directory'),
      model: textAt(info, 'model', 'id'),
      messages,
      compactions,
      head: info,
    };
  },

  write({ messages, folder, origin, now }: SessionDraft): WrittenSession {
    const id = makeId('ses', now);
    const { providerID = 'unknown', id: modelID = 'unknown' } = fieldsAt(origin?.head, 'model');
    const agent = textAt(origin?.head, 'agent') ?? 'build';
    const about = {
      slug: `rescued-${id.slice(-6).toLowerCase()}`,
      projectID: 'global',
      version: '1.18.33',
      path: '',
      agent,
      ...origin?.head,
      id,
      directory: folder,
      title: `${origin?.title ?? 'Session'} (rescued)`,
      time: { created: now, updated: now },
    };
    let parentID = '';
    const entries = turnsOf(messages).map(({ message, calls }, at) => {
      const time = now + at + 1;
      const messageID = makeId('msg', time);
      const own = { id: messageID, sessionID: id };
      const asPart = (part: object) => ({ ...part, id: makeId('prt', time), sessionID: id, messageID });
      const texts = piecesOf(message).map((piece) =>
        asPart(
          'text' in piece
            ? { type: 'text', ...piece }
            : {
                type: 'file',
                mime: piece.mimeType,
                url: `data:${piece.mimeType};base64,${piece.data}`,
                filename: 'image',
              },
        ),
      );
      if (message.role === 'user') {
        parentID = messageID;
        return {
          info: { ...own, role: 'user', time: { created: time }, agent, model: { providerID, modelID } },
          parts: texts,
        };
      }
      const tools = calls.map(({ id: callID, name, input, result }) => {
        const ended =
          result === undefined
            ? { status: 'error', error: 'cut off' }
            : { status: 'completed', output: contentText(result), title: '', metadata: {} };
        const state = { input, time: { start: time, end: time }, ...ended };
        return asPart({ type: 'tool', tool: name, callID, state });
      });
      const info = {
        ...own,
        parentID,
        role: 'assistant',
        mode: agent,
        agent,
        path: { cwd: folder, root: folder },
        cost: 0,
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        modelID,
        providerID,
        time: { created: time, completed: time },
        finish: calls.length > 0 ? 'tool-calls' : 'stop',
      };
      return { info, parts: [asPart({ type: 'step-start' }), ...texts, ...tools] };
    });
    // The file is only needed until it is imported into the database.
    const file = path.join(tmpdir(), `karl-rescue-${id}.json`);
    return {
      id,
      file,
      text: `${JSON.stringify({ info: about, messages: entries }, undefined, 1)}\n`,
      resume: `opencode import ${shellWord(file)} && opencode --session ${id}`,
    };
  },
};

function answerOf(parts: readonly Fields[]): readonly ChatMessage[] {
  const tools = parts.filter(({ type }) => type === 'tool');
  const thought = textOf(
    parts.filter(({ type }) => type === 'reasoning'),
    'reasoning',
  );
  const text = textOf(parts);
  const calls = tools.map((tool) => toCall(tool.callID, tool.tool, fieldsAt(tool, 'state').input));
  return [
    ...answer(text, thought, calls),
    ...tools.map((tool): ChatMessage => {
      const { output, error } = fieldsAt(tool, 'state');
      return { role: 'tool', tool_call_id: asText(tool.callID), content: asText(output ?? error ?? '') };
    }),
  ];
}

function contentOf(parts: readonly Fields[]): string | ChatPart[] {
  const files = parts.flatMap(({ type, mime, url }): ChatPart[] =>
    type === 'file' && asText(mime).startsWith('image/') ? [{ type: 'image_url', image_url: { url } }] : [],
  );
  return files.length === 0 ? textOf(parts) : [{ type: 'text', text: textOf(parts) }, ...files];
}

function textOf(parts: readonly Fields[], of = 'text'): string {
  return parts.flatMap(({ type, text }) => (type === of && typeof text === 'string' ? [text] : [])).join('\n');
}

/** OpenCode sorts by its ids: they begin with the time. */
function makeId(kind: 'ses' | 'msg' | 'prt', now: number): string {
  counter += 1;
  const time = (BigInt(now) * 4096n + BigInt(counter % 4096)) & 0xffffffffffffn;
  // Sessions are sorted the other way round.
  const sorted = kind === 'ses' ? ~time & 0xffffffffffffn : time;
  const random = randomBytes(14).toString('base64url').replaceAll(/[-_]/g, 'x').slice(0, 14);
  return `${kind}_${sorted.toString(16).padStart(12, '0')}${random}`;
}

let counter = 0;

/** A session in a database, written as a file: the database, `#` and the session's id. */
const IN_DATABASE = /^(.*\.db)#(ses_\w+)$/s;

/** The databases of OpenCode and of Kilo, which was made from it. */
async function databases(): Promise<readonly string[]> {
  const data = process.env.XDG_DATA_HOME ?? path.join(homedir(), '.local', 'share');
  const found = await Promise.all(
    ['opencode', 'kilo'].map(async (name) => {
      const files = await readdir(path.join(data, name)).catch(() => []);
      return files.filter((file) => file.endsWith('.db')).map((file) => path.join(data, name, file));
    }),
  );
  return found.flat();
}

/**
 * The sessions in these databases, without those of sub-agents. A database that cannot be read, e.g. by a Node without
 * SQLite, is added to `unread`.
 */
export async function findInDatabases(unread: string[]): Promise<readonly SessionFile[]> {
  const found: SessionFile[] = [];
  for (const file of await databases()) {
    const rows = await query(
      file,
      `select id, time_updated, (select sum(length(data)) from part where session_id = session.id) as bytes
       from session where parent_id is null`,
    ).catch(() => {
      unread.push(file);
      return [];
    });
    for (const { id, time_updated, bytes } of rows)
      found.push({ file: `${file}#${String(id)}`, changedAt: Number(time_updated), bytes: Number(bytes ?? 0) });
  }
  return found;
}

/** The session that such a name means, as `opencode export` writes it; undefined where the name is that of a file. */
export async function readFromDatabase(name: string): Promise<Fields | undefined> {
  const [, file, id] = IN_DATABASE.exec(name) ?? [];
  if (file === undefined || id === undefined) return undefined;
  const [session] = await query(file, 'select * from session where id = ?', id);
  const parts = groupBy(
    await query(file, 'select message_id, data from part where session_id = ? order by id', id),
    ({ message_id }) => message_id,
  );
  const messages = await query(file, 'select id, data from message where session_id = ? order by time_created, id', id);
  return {
    info: {
      id,
      title: session?.title,
      directory: session?.directory,
      agent: session?.agent,
      model: dataOf(session?.model),
    },
    messages: messages.map((message) => ({
      info: { ...dataOf(message.data), id: message.id },
      parts: (parts.get(message.id) ?? []).map(({ data }) => dataOf(data)),
    })),
  };
}

function dataOf(text: unknown): Fields {
  return fieldsAt(typeof text === 'string' ? JSON.parse(text) : text);
}

/** Reads from a database that another program may have open. SQLite is loaded only when needed: older Nodes lack it. */
async function query(file: string, text: string, ...values: string[]): Promise<readonly Fields[]> {
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(text).all(...values);
  } finally {
    database.close();
  }
}
