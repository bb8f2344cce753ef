import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { WorkPorts } from '../../../core/session/workPorts.ts';
import type { CommandState } from '../../../core/session/workResult.ts';
import { makeFolder } from '../durableWrite.ts';
import { startInShell } from '../shellCommand.ts';
import { errorCode } from '../storageError.ts';
import { linesOf } from '../workspaceTools/openTextFile.ts';

/** Characters kept in memory of the beginning and of the end of an output; the file has all of it. */
const KEPT = 200_000;

/** The most characters of an output that are written to its file, and shown in the terminal. */
const LONGEST_FILE = 100_000_000;
const LONGEST_SHOWN = 5_000_000;

/** The most characters that are read of a line, and of all requested lines. */
const LONGEST_LINE = 20_000;
const MOST_READ = 1_000_000;

/** Variables of the editor's own process that commands do not get. */
const OWN_VARIABLES = /^(?:ELECTRON_|VSCODE_|KARL_)/;

/** A command to run. */
interface CommandRun {
  readonly command: string;
  readonly folder: string;
  /** The command is ended after this time. Milliseconds. */
  readonly timeoutMs: number;
}

/** A command that was started, and what it has printed. */
export class RunningCommand {
  readonly id: string;
  /** Resolves when it has ended. */
  readonly ended: Promise<void>;
  readonly #begun = Date.now();
  readonly #shell: ReturnType<typeof startInShell>;
  #head = '';
  #tail = '';
  #left = 0;
  #printed = 0;
  #end: Exclude<CommandState, { kind: 'running' }> | undefined;
  #why: string | undefined;

  constructor(id: string, { command, folder, timeoutMs }: CommandRun, file: WriteStream, ports: WorkPorts) {
    this.id = id;
    const screen = ports.showCommand({ id, command, folder, stop: () => this.stop('stopped by the user') });
    const shell = startInShell(command, { folder, env: environment() });
    this.#shell = shell;
    const streams = [shell.stdout, shell.stderr];
    const take = (text: string): void => {
      const before = this.#printed;
      this.#printed += text.length;
      this.#take(text);
      if (before <= LONGEST_SHOWN) screen.print(this.#printed <= LONGEST_SHOWN ? text : '\n[…]\n');
      if (before > LONGEST_FILE || file.destroyed || file.writableEnded) return;
      // A program that prints faster than the disk writes has to wait.
      if (file.write(this.#printed <= LONGEST_FILE ? text : '\n[what follows is not kept]\n')) return;
      for (const stream of streams) stream.pause();
      file.once('drain', () => {
        for (const stream of streams) stream.resume();
      });
    };
    // The file closes on a full disk, or at the end while background processes still print: wait for it no longer.
    file.on('close', () => {
      for (const stream of streams) stream.resume();
    });
    for (const stream of streams) stream.on('data', take);
    const timer = setTimeout(() => this.stop(`its time limit of ${timeoutMs / 1000} s was reached`), timeoutMs);
    this.ended = shell.ended.then(async (how) => {
      clearTimeout(timer);
      const { seconds } = this;
      if ('code' in how) {
        this.#end = { kind: 'ended', code: how.code, seconds };
        screen.end(`exit ${how.code}`, how.code !== 0);
      } else {
        const why = this.#why ?? how.why;
        this.#end = { kind: 'killed', why, seconds };
        screen.end(why, true);
      }
      await new Promise<void>((resolve) => file.end(resolve));
    });
  }

  get seconds(): number {
    return (Date.now() - this.#begun) / 1000;
  }

  get state(): CommandState {
    return this.#end ?? { kind: 'running', seconds: this.seconds };
  }

  /** The output: all of it in `head` and `tail`, or `left` characters are missing between the two. */
  get output(): { readonly head: string; readonly left: number; readonly tail: string } {
    return { head: this.#head, left: this.#left, tail: this.#tail };
  }

  /** Ends it with everything that it started. */
  stop(why: string): void {
    if (this.#end !== undefined) return;
    this.#why ??= why;
    this.#shell.stop();
  }

  #take(text: string): void {
    const room = KEPT - this.#head.length;
    this.#head += text.slice(0, Math.max(0, room));
    this.#tail += text.slice(Math.max(0, room));
    if (this.#tail.length <= 2 * KEPT) return;
    this.#left += this.#tail.length - KEPT;
    this.#tail = this.#tail.slice(-KEPT);
  }
}

/** The commands of a conversation, each with a file for its output. */
export class Commands {
  readonly #folder: string;
  readonly #ports: WorkPorts;
  readonly #running = new Map<string, RunningCommand>();
  #last: number | undefined;

  /** `folder`: the conversation's folder, in which nothing is created before the first command. */
  constructor(folder: string, ports: WorkPorts) {
    this.#folder = join(folder, 'commands');
    this.#ports = ports;
  }

  /** Starts a command. Rejects with the file system's error when its output could not be kept. */
  async start(run: CommandRun): Promise<RunningCommand> {
    await makeFolder(this.#folder);
    this.#last ??= Math.max(
      0,
      ...(await readdir(this.#folder)).map((name) => Number(/^c(\d+)\.log$/.exec(name)?.[1] ?? 0)),
    );
    this.#last += 1;
    const id = `c${this.#last}`;
    const file = createWriteStream(this.#fileOf(id), { flags: 'wx', mode: 0o600 });
    await new Promise<void>((resolve, reject) => file.once('open', () => resolve()).once('error', reject));
    // On a full disk, what is in memory is still shown.
    file.on('error', () => undefined);
    const command = new RunningCommand(id, run, file, this.#ports);
    this.#running.set(id, command);
    return command;
  }

  /** A command of this window. */
  find(id: string): RunningCommand | undefined {
    return this.#running.get(id);
  }

  /** Lines of a command's output, counted from 1, or from the end if `from` is negative. Undefined: no such command. */
  async readLines(
    id: string,
    from: number,
    to: number,
  ): Promise<{ readonly lines: readonly string[]; readonly first: number; readonly total: number } | undefined> {
    if (!/^c\d{1,9}$/.test(id)) return undefined;
    const lines: string[] = [];
    let total = 0;
    try {
      const input = createReadStream(this.#fileOf(id), 'utf8');
      let read = 0;
      for await (const line of linesOf(input, LONGEST_LINE)) {
        total += 1;
        if (from > 0 && (total < from || total > to || read > MOST_READ)) continue;
        lines.push(line);
        read += line.length;
        while (from < 0 && (lines.length > -from || (read > MOST_READ && lines.length > 1)))
          read -= lines.shift()?.length ?? 0;
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
    return { lines: lines.map(cleanLine), first: from > 0 ? from : total - lines.length + 1, total };
  }

  /** Ends all running commands. */
  close(): void {
    for (const command of this.#running.values()) command.stop('the conversation was closed');
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}.log`);
  }
}

/** Output as a terminal shows it: without colours, each line as it was last drawn. */
export function cleanOutput(text: string): string {
  return text.split('\n').map(cleanLine).join('\n');
}

function cleanLine(line: string): string {
  const drawn = stripVTControlCharacters(line).split('\r');
  return drawn.findLast((part) => part !== '') ?? '';
}

/** The environment of commands, in which programs ask nothing, page nothing and draw nothing. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !OWN_VARIABLES.test(name));
  return { ...Object.fromEntries(own), TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', GIT_TERMINAL_PROMPT: '0' };
}
