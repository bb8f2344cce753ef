import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { useFolder } from '../adapters/folder.ts';
import { root } from '../vscode/setup/root.ts';

export const ID = '11111111-2222-3333-4444-555555555555';
export const KEY = `sk-ant-${'a1'.repeat(20)}`;

type Running = ChildProcessByStdio<null, Readable, Readable>;

/** What `karl` said, and how it ended. */
export interface Ended {
  readonly said: string;
  readonly complaint: string;
  readonly code: number;
}

/** A line of Claude Code's; `more`: what it has beside its message. */
export type ClaudeLine = readonly [type: 'user' | 'assistant' | 'system', message: object | undefined, more?: object];

/** Lines of Claude Code's, each after the one before. */
export function claudeLines(folder: string, lines: readonly ClaudeLine[]): readonly string[] {
  return lines.map(([type, message, more], at) => {
    const about = { sessionId: ID, cwd: folder, isSidechain: false, uuid: `u${at}` };
    return JSON.stringify({ ...about, parentUuid: at === 0 ? null : `u${at - 1}`, type, message, ...more });
  });
}

/** A round of some 1,000 tokens: a call and its result. */
export function round(part: number, id = `toolu_${part}`) {
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: `print ${part}` } };
  const rows = Array.from({ length: 80 }, (_, row) => `part ${part} row ${row} has the value ${part * row}`);
  const answer = { id: `msg_${part}`, role: 'assistant', model: 'claude-opus-4-6', content: [use] };
  const content = [{ type: 'tool_result', tool_use_id: id, content: rows.join('\n') }];
  return [
    ['assistant', answer],
    ['user', { role: 'user', content }],
  ] as const;
}

/** How a session begins. */
export const ASKED = [
  'user',
  { role: 'user', content: `Check all parts; never touch part 7. The key is ${KEY}` },
] as const;

/** A session of Claude Code with 60 rounds. */
export function longSession(folder: string): string {
  const rounds = Array.from({ length: 60 }, (_, part) => round(part));
  return `${claudeLines(folder, [ASKED, ...rounds.flat()]).join('\n')}\n`;
}

/** A home with a long session of Claude Code, in which `karl` is run from the folder that the session worked in. */
export function useKarl() {
  const places = { home: '', work: '', original: '' };
  const inFolder = useFolder();
  beforeEach(() => {
    const home = inFolder();
    const work = path.join(home, 'work');
    const project = path.join(home, '.claude', 'projects', work.replace(/[^A-Za-z0-9]/g, '-'));
    for (const folder of [work, project]) mkdirSync(folder, { recursive: true });
    Object.assign(places, { home, work, original: path.join(project, `${ID}.jsonl`) });
    writeFileSync(places.original, longSession(work));
  });

  const start = (
    words: readonly string[],
    { variables = {}, before = [] }: { readonly variables?: object; readonly before?: readonly string[] } = {},
  ): Running => {
    const { CLAUDE_CONFIG_DIR: _, CODEX_HOME: __, PI_CODING_AGENT_DIR: ___, ...environment } = process.env;
    const { home, work } = places;
    const [program = '', ...rest] = [...before, process.execPath, path.join(root, 'src', 'karl.ts'), ...words];
    return spawn(program, rest, {
      cwd: work,
      env: { ...environment, HOME: home, USERPROFILE: home, PWD: work, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  const ended = async (child: Running): Promise<Ended> => {
    const [said, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { said, complaint, code: code as number };
  };
  const karl = (...words: readonly string[]) => ended(start(words));
  return { places, start, ended, karl };
}
