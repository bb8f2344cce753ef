#!/usr/bin/env node
import { AGENTS } from './adapters/agents/agents.ts';
import { isWrongCall, runProgram } from './engine/commandLine.ts';
import { printSessions } from './rescue/listSessions.ts';
import { rescue } from './rescue/rescue.ts';
import { showSession } from './rescue/showSession.ts';
import { examine } from './wrap/doctor.ts';
import { wrap } from './wrap/wrap.ts';

const USAGE = `karl: keeps agents inside the context window of their model.

  karl wrap [--upstream URL [--dialect D]] [--window N] [--model M] AGENT [arguments of the agent…]
      runs an agent behind a gateway of its own: ${Object.keys(AGENTS).join(', ')}
      --upstream URL  base URL of the model's server, e.g. http://localhost:1234/v1; claude, codex and gemini have their own
      --dialect D     the only API that the server speaks: chat, messages, responses or gemini; default: found out with the first request
      --window N      the context window of its models, in tokens; default: what the server and model profiles state
      --model M       the model; default: the agent's own, or the first that the server lists
  karl gateway …      the gateway alone; karl gateway --help
  karl mcp FOLDER     recall from stored conversations over MCP; karl mcp --help
  karl doctor         says which agents are installed, and which of them do not start

  karl sessions [AGENT] [--all] [--json]
      lists the sessions of agents on this machine, most recently used first
  karl show [FILE|ID] [--json]
      says what fills the window of a session, and what its agent discarded
  karl rescue [FILE|ID] [--window N] [--keep "words"] [--for AGENT] [--folder DIR] [--upstream URL [--model M]] [--json]
      compresses a session that is too long into a new one, and prints the command that continues it; the original is
      only read. Default: the newest session of this folder
      --upstream URL  lets a model of this server write a note beside the quotations; the session is sent to it
      --model M       the model; default: the only one that the server lists

  KARL_UPSTREAM_KEY   the key of the server given with --upstream. Without --upstream, claude, codex and gemini use their own.`;

async function main(): Promise<string | undefined> {
  const [called, ...words] = process.argv.slice(2);
  // The gateway and the MCP server have a help of their own.
  const isHelp = words[0] === '--help' && called !== 'gateway' && called !== 'mcp';
  const command = isHelp ? '--help' : called;
  switch (command) {
    case 'wrap':
      process.exit(await wrap(words));
      break;
    case 'gateway':
      process.argv.splice(2, 1);
      await import('./gateway.ts');
      break;
    case 'mcp':
      process.argv.splice(2, 1);
      await import('./mcp.ts');
      break;
    case 'doctor':
      process.exitCode = await examine();
      break;
    case 'sessions':
      await onSessions(command, () => printSessions(words));
      break;
    case 'show':
      await onSessions(command, () => showSession(words));
      break;
    case 'rescue':
      await onSessions(command, () => rescue(words, interruption()));
      break;
    default:
      console.log(USAGE);
      process.exitCode = command === undefined || command === '--help' ? 0 : 1;
  }
  return undefined;
}

/** A shell's exit code for a program that Ctrl+C has ended. */
const INTERRUPTED = 130;

/** Aborts with Ctrl+C, so that nothing is left half written. */
function interruption(): AbortSignal {
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  return ending.signal;
}

/** Runs a command on stored sessions, which resolves with the problem that stopped it, if any. */
async function onSessions(command: string, work: () => Promise<string | undefined>): Promise<void> {
  const problem = await work().catch((error: unknown) => {
    if (error instanceof Error && error.name === 'AbortError') process.exit(INTERRUPTED);
    if (isWrongCall(error) || !(error instanceof Error)) throw error;
    return error.message;
  });
  if (problem === undefined) return;
  console.error(`karl ${command}: ${problem}`);
  process.exitCode = 1;
}

await runProgram('karl', USAGE, main);
