import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, replaceFile } from '../adapters/node/durableWrite.ts';
import { FORMATS, tryReadSession } from '../adapters/sessions/readSession.ts';
import { openRecords } from '../adapters/sessions/records.ts';
import { SessionError, type SessionFormat, type StoredSession, shellWord } from '../adapters/sessions/session.ts';
import { StandIns } from '../adapters/sessions/standIns.ts';
import { readTypedWindow } from '../core/model/windows.ts';
import type { Phrase, Words } from '../core/phrase.ts';
import { err, ok, type Result, reasonOf } from '../core/result.ts';
import { inEnglish, sentence } from '../language/language.ts';
import { type Compressed, type CompressOptions, compress, WindowTooSmall } from './compress.ts';
import { maskMessages } from './maskMessages.ts';
import { prepareNoteModel } from './noteModel.ts';
import { openGiven, say } from './openGiven.ts';

/** The commands that add an MCP server to agents. */
const RECALLS: Readonly<Record<string, string>> = {
  claude: 'claude mcp add karl -- karl',
  codex: 'codex mcp add karl -- karl',
  gemini: 'gemini mcp add karl karl --',
};

/** A session that was written to within this time may still be open in its agent, milliseconds. */
const RECENT_MS = 60_000;

/** What a rescue made. */
export interface Rescued extends Pick<Compressed, 'before' | 'after' | 'window' | 'note'> {
  /** The agent that continues, by the name of its format. */
  readonly agent: string;
  readonly from: string;
  /** The new session. */
  readonly file: string;
  /** The folder in which to continue, and the command that does. */
  readonly folder: string;
  readonly resume: string;
  /** How many keys and tokens were masked. */
  readonly masked: number;
  /** What was skipped or repaired in the original, each a sentence. */
  readonly repairs: readonly Phrase[];
  /** How many messages the original has beyond those that the new session should begin with. */
  readonly newer: number;
  /** The original was written to a moment ago: its agent may still have it open. */
  readonly isRecent: boolean;
}

/** The agents that can continue a rescued session. */
export function listRescuers(): readonly Pick<SessionFormat, 'name' | 'title' | 'write'>[] {
  return FORMATS.filter(({ write }) => write !== undefined);
}

/**
 * Rescues the session in a file, for the editor. The error is one sentence. Rejects only with the reason of the signal.
 */
export async function tryRescue(file: string, options: RescueOptions): Promise<Result<Rescued, Words>> {
  const standIns = new StandIns();
  const read = await tryReadSession(file, { ...options, standIns });
  if (!read.ok) return read;
  try {
    return ok(await rescueSession({ file, session: read.value }, standIns, options));
  } catch (error) {
    options.signal?.throwIfAborted();
    return err(error instanceof SessionError ? error.words : reasonOf(error));
  }
}

export { usualWindow } from './compress.ts';

/** How a session is rescued. Default: for its own agent, the known or usual window of its model, and its own folder. */
export interface RescueOptions extends Omit<CompressOptions, 'agent'> {
  readonly for?: string | undefined;
  readonly folder?: string | undefined;
}

/**
 * Compresses a session into a new one, in the form and place of the agent that will continue it.
 * @throws Error with a sentence when that cannot be done; the reason of the signal, and then nothing was written
 */
async function rescueSession(
  { file, session }: Awaited<ReturnType<typeof openGiven>>,
  standIns: StandIns,
  options: RescueOptions,
): Promise<Rescued> {
  const writers = listRescuers();
  const name = options.for ?? session.agent;
  const format = writers.find((one) => one.name === name);
  if (format?.write === undefined)
    throw new Error(
      `sessions of ${name} cannot be written: --for markdown makes a prompt that hands its work over to any agent; --for also takes ${writers
        .map((one) => one.name)
        .filter((one) => one !== 'markdown')
        .join(', ')}.`,
    );
  const { made, signal } = options;
  const folder = path.resolve(options.folder ?? (await folderOf(session)));
  const { messages: view, conversation: _, ...figures } = await compress(session, { ...options, agent: format.name });
  const isOwn = format.name === session.agent;
  // Another agent may send the session to another provider.
  const { messages, masked } = isOwn ? { messages: view, masked: 0 } : maskMessages(view);
  const written = format.write({ messages, folder, origin: isOwn ? session : undefined, now: Date.now() });
  const text = await standIns.restore(written.text, async () => (await openRecords(file, { signal })).all());
  const place = await put(written.file, text, signal);
  return {
    agent: format.name,
    from: file,
    ...figures,
    file: place,
    folder,
    resume: written.resume,
    masked,
    repairs: session.repairs,
    newer: made === undefined ? 0 : Math.max(0, session.messages.length - made.messages.length),
    isRecent: Date.now() - (await stat(file.replace(/#[^/\\]*$/, ''))).mtimeMs < RECENT_MS,
  };
}

/** `karl rescue`: rescues a session and says how to continue. Resolves with a problem, or undefined. */
export async function rescue(words: readonly string[], signal: AbortSignal): Promise<string | undefined> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      window: { type: 'string' },
      keep: { type: 'string' },
      for: { type: 'string' },
      folder: { type: 'string' },
      upstream: { type: 'string' },
      model: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const window = values.window === undefined ? undefined : readTypedWindow(values.window);
  if (window?.ok === false) return `--window: ${inEnglish(window.error)}`;
  const { upstream, model: name } = values;
  if (upstream === undefined && name !== undefined) return '--model needs --upstream, the server of the model.';
  const key = process.env.KARL_UPSTREAM_KEY;
  const noteModel = upstream === undefined ? undefined : await prepareNoteModel(upstream, { name, key, signal });
  const standIns = new StandIns();
  const given = await openGiven(positionals[0], { signal, standIns });
  if (noteModel !== undefined && process.stderr.isTTY) console.error(`${noteModel.profile.id} writes a note…`);
  const {
    isRecent,
    folder,
    newer: _,
    ...rescued
  } = await rescueSession(given, standIns, {
    for: values.for,
    window: window?.value,
    keep: values.keep,
    folder: values.folder,
    noteModel,
    signal,
  }).catch((error: unknown) => {
    throw error instanceof WindowTooSmall ? new Error(`${error.message} Its option is --window.`) : error;
  });
  if (values.json === true) {
    console.log(JSON.stringify({ ...rescued, repairs: rescued.repairs.map(inEnglish) }));
    return undefined;
  }
  const { before, after, masked, from } = rescued;
  say(
    `${before.messages} messages, ${before.tokens} tokens → ${after.messages} messages, ${after.tokens} tokens, for a window of ${rescued.window}`,
  );
  const { note } = rescued;
  if (note !== undefined)
    say('model' in note ? `With a note by ${note.model}.` : `With quotations in place of a note: ${note.missing}`);
  if (masked > 0) say(`${masked} keys or tokens were masked.`);
  for (const repair of rescued.repairs) say(inEnglish(repair));
  if (isRecent)
    say(
      'The session was written to less than a minute ago: if its agent still has it open, what it adds from now on is not in the new one.',
    );
  say(
    `\nWritten: ${rescued.file}\nThe original was only read: ${from}\n\nContinue in ${folder} with:\n  ${rescued.resume}`,
  );
  const recalls = RECALLS[rescued.agent];
  if (recalls !== undefined) say(`\nTo let it open what was left out:\n  ${recalls} mcp --session ${shellWord(from)}`);
  return undefined;
}

/** Where the agent worked, if that is here: a session may come from another machine. */
async function folderOf({ folder }: StoredSession): Promise<string> {
  const found = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
  return folder !== undefined && found?.isDirectory() === true ? folder : process.cwd();
}

/**
 * Writes a new file, whole or not at all; a folder that is a link is followed first.
 * @throws Error with a sentence; the reason of the signal
 */
async function put(file: string, text: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    await makeFolder(path.dirname(file));
    const place = path.join(await realpath(path.dirname(file)), path.basename(file));
    if (existsSync(place)) throw new Error('a file of that name already exists');
    await replaceFile(place, text, async () => signal?.throwIfAborted());
    return place;
  } catch (error) {
    signal?.throwIfAborted();
    throw new SessionError(sentence('The new session could not be written to {0}: {1}.', file, reasonOf(error)));
  }
}
