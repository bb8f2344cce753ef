import { existsSync } from 'node:fs';
import path from 'node:path';
import { findSessionFiles, glanceAtAll } from '../adapters/sessions/findSessions.ts';
import { tryReadSession } from '../adapters/sessions/readSession.ts';
import type { ReadOptions } from '../adapters/sessions/records.ts';
import type { StoredSession } from '../adapters/sessions/session.ts';
import { inEnglish } from '../language/language.ts';

/**
 * Opens the session that the user names: a file, an id or its beginning, or without a name the newest of this folder.
 * @throws Error with a sentence when there is none, or more than one
 */
export async function openGiven(
  name: string | undefined,
  options: ReadOptions = {},
): Promise<{ readonly file: string; readonly session: StoredSession }> {
  const file = name !== undefined && existsSync(name) ? path.resolve(name) : await find(name);
  try {
    const read = await tryReadSession(file, { ...options, onProgress: showProgress() });
    if (!read.ok) throw new Error(inEnglish(read.error));
    return { file, session: read.value };
  } finally {
    // Also when reading was given up.
    if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
  }
}

/** Says on a terminal how much of a long file was read. */
function showProgress(): ReadOptions['onProgress'] {
  let shown = 0;
  return (share) => {
    const percent = Math.floor(share * 100);
    if (!process.stderr.isTTY || percent === shown || percent === 100) return;
    shown = percent;
    process.stderr.write(`\r${percent} % read`);
  };
}

async function find(name: string | undefined): Promise<string> {
  const files = await findSessionFiles();
  if (name === undefined) {
    for await (const found of glanceAtAll(files)) if (found.folder === process.cwd()) return found.file;
    throw new Error(
      'No session of an agent was found for this folder: name a file or an id; karl sessions lists them.',
    );
  }
  if (/[/\\]/.test(name)) throw new Error(`There is no file ${name}.`);
  // Ids stand in the names of files or of their folders.
  const named = files.filter(({ file }) => file.includes(name)).map(({ file }) => file);
  const [only, second] = named;
  if (only === undefined)
    throw new Error(`There is no file and no session ${JSON.stringify(name)}; karl sessions lists them.`);
  if (second !== undefined)
    throw new Error(`${named.length} sessions have ${JSON.stringify(name)} in their names: give more of the id.`);
  return only;
}

/** Control characters, and those that turn the direction of a text, but not the end of a line. */
const STEERING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Prints text that may come from a session, which anybody may have written: nothing in it can control the terminal. */
export function say(text: string): void {
  console.log(text.replace(STEERING, (character) => (character === '\n' ? character : ' ')));
}
