import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeFolder, replaceFile } from '../adapters/node/durableWrite.ts';
import { FORMATS } from '../adapters/sessions/readSession.ts';
import { type AgentSession, shellWord } from '../adapters/sessions/session.ts';
import { readTypedWindow } from '../core/model/windows.ts';
import { compress } from './compress.ts';
import { maskSecrets } from './maskSecrets.ts';
import { openGiven } from './openGiven.ts';
import { say } from './say.ts';

/** How agents are given an MCP server. */
const RECALLS: Readonly<Record<string, string>> = {
  claude: 'claude mcp add karl --',
  codex: 'codex mcp add karl --',
};

/** A session that was written to within this time may still be open in its agent, milliseconds. */
const RECENT_MS = 60_000;

/** `karl rescue`: compresses a session into a new one that its agent, or another, goes on with. */
export async function rescue(words: readonly string[]): Promise<string | undefined> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: {
      window: { type: 'string' },
      keep: { type: 'string' },
      for: { type: 'string' },
      folder: { type: 'string' },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  const window = values.window === undefined ? undefined : readTypedWindow(values.window);
  if (window?.ok === false) return `--window: ${window.error}`;
  const writers = FORMATS.filter(({ write }) => write !== undefined);
  const { file, session } = await openGiven(positionals[0]);
  const name = values.for ?? session.agent;
  const format = writers.find((one) => one.name === name);
  if (format?.write === undefined)
    return `no session of ${name} can be written; --for takes ${writers.map((one) => one.name).join(', ')}.`;
  const folder = path.resolve(values.folder ?? (await folderOf(session)));
  const compressed = await compress(session, {
    agent: format.name,
    ...(window?.value !== undefined && { window: window.value }),
    ...(values.keep !== undefined && { keep: values.keep }),
  });
  const isOwn = format.name === session.agent;
  // What goes to another agent goes to another provider.
  const { messages, masked } = isOwn ? { messages: compressed.messages, masked: 0 } : maskSecrets(compressed.messages);
  const written = format.write({ messages, folder, origin: isOwn ? session : undefined, now: Date.now() });
  const place = await put(written.file, written.text);
  const isRecent = Date.now() - (await stat(file.replace(/#[^/\\]*$/, ''))).mtimeMs < RECENT_MS;
  if (values.json === true) {
    const { before, after } = compressed;
    console.log(
      JSON.stringify({
        agent: format.name,
        from: file,
        before,
        after,
        window: compressed.window,
        file: place,
        resume: written.resume,
        masked,
        repairs: session.repairs,
      }),
    );
    return undefined;
  }
  const { before, after } = compressed;
  say(
    `${before.messages} messages, ${before.tokens} tokens → ${after.messages} messages, ${after.tokens} tokens, for a window of ${compressed.window}`,
  );
  if (masked > 0) say(`${masked} keys or tokens were masked.`);
  for (const repair of session.repairs) say(repair);
  if (isRecent)
    say(
      'The session was written to less than a minute ago: if its agent still has it open, what comes from now on is not in the new one.',
    );
  say(`\nWritten: ${place}\nThe original was only read: ${file}\n\nGo on in ${folder} with:\n  ${written.resume}`);
  const recalls = RECALLS[format.name];
  if (recalls !== undefined)
    say(`\nSo that it can open what was left out:\n  ${recalls} karl mcp --session ${shellWord(file)}`);
  return undefined;
}

/** Where the agent worked, if that is here: a session may come from another machine. */
async function folderOf({ folder }: AgentSession): Promise<string> {
  const found = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
  return folder !== undefined && found?.isDirectory() === true ? folder : process.cwd();
}

/** Writes a new file, whole or not at all; a folder that is a link is followed first. @throws Error with a sentence */
async function put(file: string, text: string): Promise<string> {
  try {
    await makeFolder(path.dirname(file));
    const place = path.join(await realpath(path.dirname(file)), path.basename(file));
    if (existsSync(place)) throw new Error('there is a file of that name already');
    await replaceFile(place, text);
    return place;
  } catch (error) {
    throw new Error(
      `The new session could not be written to ${file}: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
