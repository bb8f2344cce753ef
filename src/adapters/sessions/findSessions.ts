import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { splitUserText } from '../../core/chat/human.ts';
import { contentText } from '../../core/chat/parse.ts';
import { parseJson } from '../../core/chat/parseJson.ts';
import { type Fields, fieldsAt, isFields, listAt, tokensAt } from '../fields.ts';
import { errorCode } from '../node/storageError.ts';
import { projectsFolder } from './claudeCode.ts';
import { sessionsFolder as codexFolder } from './codex.ts';
import { geminiFolder } from './gemini.ts';
import { findInDatabases, OPENCODE } from './openCode.ts';
import { sessionsFolder as piFolder } from './pi.ts';
import { FORMATS } from './readSession.ts';
import { openRecords, readPiece } from './records.ts';
import type { SessionFile } from './session.ts';

/** A session on this machine, as far as the beginning and the end of its file tell. */
export interface FoundSession extends SessionFile {
  /** The name of its format, and the agent's own name. */
  readonly agent: string;
  readonly agentTitle: string;
  readonly id: string;
  /** The session's own title, or the beginning of the first request. */
  readonly title: string;
  readonly folder: string | undefined;
  readonly model: string | undefined;
  /** The tokens of the last request and its answer, where the file says so. */
  readonly tokens: number | undefined;
  /** The window that the agent believed in, where the file says so. */
  readonly window: number | undefined;
}

/** A folder that an agent keeps sessions in, and what their files are called. */
interface Place {
  readonly agent: string;
  readonly folder: string;
  readonly name: RegExp;
}

function places(): readonly Place[] {
  const home = homedir();
  return [
    { agent: 'claude', folder: projectsFolder(), name: /^[\da-f-]{36}\.jsonl$/ },
    { agent: 'codex', folder: codexFolder(), name: /^rollout-.*\.jsonl$/ },
    { agent: 'pi', folder: piFolder(), name: /\.jsonl$/ },
    { agent: 'qwen', folder: path.join(home, '.qwen', 'projects'), name: /\.jsonl$/ },
    { agent: 'gemini', folder: path.join(geminiFolder(), 'tmp'), name: /^session-.*\.jsonl?$/ },
    { agent: 'copilot', folder: path.join(home, '.copilot', 'session-state'), name: /^events\.jsonl$/ },
    { agent: 'continue', folder: path.join(home, '.continue', 'sessions'), name: /^[\da-f-]{36}\.json$/ },
    { agent: 'cline', folder: path.join(home, '.cline', 'data', 'sessions'), name: /\.messages\.json$/ },
  ];
}

/**
 * The files that look like sessions, or those of one agent, most recently changed first. Folders that do not exist have
 * none; those that cannot be read are added to `unread`.
 */
export async function findSessionFiles(agent?: string, unread: string[] = []): Promise<readonly SessionFile[]> {
  const isWanted = (name: string) => agent === undefined || agent === name;
  const wanted = places().filter((place) => isWanted(place.agent));
  const found = await Promise.all(wanted.map(({ folder, name }) => filesBelow(folder, name, unread)));
  const files = await Promise.all(
    found.flat().map(async (file) => {
      // What was deleted meanwhile is empty.
      const { mtimeMs = 0, size = 0 } = (await stat(file).catch(() => undefined)) ?? {};
      return { file, changedAt: mtimeMs, bytes: size };
    }),
  );
  const all = [...files, ...(isWanted(OPENCODE.name) ? await findInDatabases(unread) : [])];
  return all.filter(({ bytes }) => bytes > 0).sort((one, other) => other.changedAt - one.changedAt);
}

async function filesBelow(folder: string, name: RegExp, unread: string[]): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') unread.push(folder);
    return [];
  });
  const files = entries.flatMap((entry) =>
    entry.isFile() && name.test(entry.name) ? [path.join(folder, entry.name)] : [],
  );
  const folders = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(folders.map((entry) => filesBelow(path.join(folder, entry.name), name, unread)));
  return [...files, ...below.flat()];
}

/** The files that look like sessions and have this name and size: a view learns no more of a file that is dropped on it. */
export async function findSessionsNamed(name: string, size: number): Promise<readonly string[]> {
  const files = await findSessionFiles();
  return files.flatMap(({ file, bytes }) => (path.basename(file) === name && bytes === size ? [file] : []));
}

/**
 * The sessions on this machine, or of one agent, most recently changed first, up to a number of them; how many there
 * are in all; and the folders that could not be read.
 */
export async function listSessions(
  most: number,
  agent?: string,
): Promise<{ readonly sessions: readonly FoundSession[]; readonly all: number; readonly unread: readonly string[] }> {
  const unread: string[] = [];
  const files = await findSessionFiles(agent, unread);
  const sessions: FoundSession[] = [];
  for await (const session of glanceAtAll(files)) {
    sessions.push(session);
    if (sessions.length === most) break;
  }
  return { sessions, all: files.length, unread };
}

/** How many files are open at a time. */
const AT_ONCE = 16;

/** The sessions of these files, in their order; other files are left out. */
export async function* glanceAtAll(files: readonly SessionFile[]): AsyncIterable<FoundSession> {
  for (let at = 0; at < files.length; at += AT_ONCE)
    for (const session of await Promise.all(files.slice(at, at + AT_ONCE).map(glanceAt)))
      if (session !== undefined) yield session;
}

/** What a file's beginning and end tell about its session; undefined if it is not a session. */
async function glanceAt({ file, changedAt, bytes }: SessionFile): Promise<FoundSession | undefined> {
  const records = await openRecords(file).catch(() => undefined);
  const first = records?.first ?? [];
  const format = FORMATS.find((one) => one.recognizes(first));
  if (format === undefined) return undefined;
  const begun = await format.read(
    (async function* () {
      yield* first;
    })(),
    (value) => value,
  );
  const request = begun.messages.find(
    (message) => message.role === 'user' && splitUserText(message, contentText(message)).typed !== undefined,
  );
  const typed = request === undefined ? undefined : splitUserText(request, contentText(request)).typed;
  const answers = listAt(first[0], 'messages').map((entry) => fieldsAt(entry, 'info'));
  const usages = (format === OPENCODE ? answers : await lastRecords(file, bytes)).map(usageIn);
  const tokens = usages.findLast((usage) => usage.tokens !== undefined)?.tokens;
  const stated = usages.findLast((usage) => usage.window !== undefined)?.window ?? begun.window;
  return {
    file,
    agent: format.name,
    agentTitle: format.title,
    id: begun.id ?? path.basename(file).replace(/\..*$/, ''),
    title: (begun.title ?? typed ?? '').trim().split('\n', 1)[0]?.slice(0, 80) ?? '',
    folder: begun.folder,
    model: begun.model,
    changedAt,
    bytes,
    tokens,
    // A session that has outgrown the window stated at its beginning has a larger one.
    window: stated !== undefined && (tokens ?? 0) > stated ? undefined : stated,
  };
}

/** The same of a file whose size and age are not known; undefined also where it cannot be read. */
export async function glanceAtFile(file: string): Promise<FoundSession | undefined> {
  const known = await stat(file).catch(() => undefined);
  return known && (await glanceAt({ file, changedAt: known.mtimeMs, bytes: known.size }));
}

/** How much of the end of a file is read for the last usage, bytes. */
const TAIL = 256 * 1024;

async function lastRecords(file: string, size: number): Promise<readonly Fields[]> {
  const length = Math.min(TAIL, size);
  // The first line may be cut. No line of a document is JSON by itself.
  return (await readPiece(file, size - length, length)).split('\n').map(parseJson).filter(isFields);
}

/** The figures of a record: Claude Code and pi beside the answer, Codex in an event, Qwen and Gemini in fields of their own. */
function usageIn(record: Fields): Partial<Pick<FoundSession, 'tokens' | 'window'>> {
  const usage = [
    fieldsAt(record, 'message', 'usage'),
    fieldsAt(record, 'payload', 'info', 'last_token_usage'),
    fieldsAt(record, 'usageMetadata'),
    fieldsAt(record, 'tokens'),
  ].find((one) => Object.keys(one).length > 0);
  if (usage === undefined || record.isSidechain === true) return {};
  const sum = (...names: string[]) => names.reduce((total, name) => total + (Number(usage[name]) || 0), 0);
  const tokens =
    sum('totalTokens') ||
    sum('total_tokens') ||
    sum('totalTokenCount') ||
    sum('total') ||
    sum('input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens');
  return { tokens: tokens || undefined, window: tokensAt(record, 'payload', 'info', 'model_context_window') };
}
