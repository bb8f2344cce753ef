import { homedir } from 'node:os';
import { parseArgs } from 'node:util';
import { type FoundSession, listSessions } from '../adapters/sessions/findSessions.ts';
import { resolveProfile } from '../engine.ts';
import { say } from './openGiven.ts';

/** How many sessions are listed unless told otherwise. */
const USUAL_COUNT = 20;

/** `karl sessions`: the sessions of agents on this machine, most recently used first. Resolves with a problem, or undefined. */
export async function printSessions(words: readonly string[]): Promise<string | undefined> {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { json: { type: 'boolean' }, all: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [agent] = positionals;
  const { sessions, unread } = await listSessions(values.all === true ? Number.POSITIVE_INFINITY : USUAL_COUNT, agent);
  if (values.json === true) for (const session of sessions) console.log(JSON.stringify(session));
  else if (sessions.length === 0)
    return `no sessions${agent === undefined ? '' : ` of ${agent}`} were found on this machine.`;
  else for (const session of sessions) say(describe(session));
  for (const folder of unread) console.error(`${folder} cannot be read: its sessions are not listed.`);
  return undefined;
}

function describe(session: FoundSession): string {
  const { agent, id, title, folder, changedAt, bytes, tokens, model } = session;
  const window = session.window ?? (model === undefined ? undefined : resolveProfile(model).contextWindow);
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const used =
    tokens === undefined
      ? ''
      : window === undefined
        ? `${inThousands(tokens)} tokens`
        : `${inThousands(tokens)} of ${inThousands(window)} tokens, ${Math.round((100 * tokens) / window)} %`;
  const when = new Date(changedAt).toLocaleString('sv').slice(0, 16);
  const where = folder?.startsWith(homedir()) === true ? `~${folder.slice(homedir().length)}` : (folder ?? '');
  const figures = [used, size].filter((part) => part !== '').join(', ');
  return `${agent.padEnd(8)} ${when}  ${figures}\n  ${title}\n  ${where}  ${id}`;
}

function inThousands(tokens: number): string {
  return tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)}k`;
}
