import type { ToolCall } from '../chat/message.ts';
import type { ChatMessage, ChatTool } from '../chat/wire.ts';
import { readOutcome } from '../ledger/outcome.ts';
import { isRecord, reasonOf } from '../result.ts';
import { orAborted } from '../steps.ts';
import { MALFORMED_CALL } from './envelope/envelope.ts';

/** The result of a tool. `text` goes to the model as data; a failed tool explains its failure there. */
export interface ToolOutcome {
  readonly text: string;
  readonly failed: boolean;
}

/** A tool of the agent session. `run` checks its arguments, never rejects and stops when `signal` aborts. */
export interface Tool {
  readonly definition: ChatTool;
  /** It changes something, so it runs alone, after the calls before it and before the calls after it. */
  readonly changes?: boolean;
  run(args: unknown, signal: AbortSignal): Promise<ToolOutcome>;
}

const CANCELLED: ToolOutcome = { text: 'cancelled by the user before it finished', failed: true };

/** Tool calls to run. */
export interface ToolRun {
  readonly calls: readonly ToolCall[];
  readonly tools: readonly Tool[];
  /** The reply was cut off at the output limit, so arguments that do not parse are incomplete, not wrong. */
  readonly cutOff: boolean;
  readonly signal: AbortSignal;
}

/** Calls that run at once. A reply may hold thousands; each uses file handles, a search also a thread. */
const MOST_AT_ONCE = 8;

/**
 * Runs the calls of one reply: reading ones a few at a time, changing ones one after another. Returns the results in the order
 * of the calls. Every call gets one: an unknown tool, unreadable arguments and a tool that throws are explained to the
 * model. After an abort it settles at once, and unfinished calls are answered "cancelled".
 */
export async function runTools(run: ToolRun): Promise<readonly ChatMessage[]> {
  const { signal, tools } = run;
  const changing = new Set(tools.filter(({ changes }) => changes).map(({ definition }) => definition.function.name));
  const begin = (call: ToolCall) => (signal.aborted ? CANCELLED : orAborted(runCall(call, run), CANCELLED, signal));
  const results: ToolOutcome[] = [];
  for (let at = 0; at < run.calls.length; ) {
    const next = run.calls.findIndex(({ name }, index) => index >= at && changing.has(name));
    const end = Math.min(next < 0 ? run.calls.length : Math.max(next, at + 1), at + MOST_AT_ONCE);
    results.push(...(await Promise.all(run.calls.slice(at, end).map(begin))));
    at = end;
  }
  return run.calls.map((call, index) => ({
    role: 'tool',
    tool_call_id: call.id,
    content: saidOf(results[index] ?? CANCELLED),
  }));
}

/** Only the text of an outcome is kept, so it must tell model, view and notes if the tool failed. */
function saidOf({ text, failed }: ToolOutcome): string {
  return failed && !readOutcome(text, {}).failed ? `Error: ${text}` : text;
}

async function runCall(call: ToolCall, { tools, cutOff, signal }: ToolRun): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.definition.function.name === call.name);
  const names = tools.map((candidate) => candidate.definition.function.name).join(', ');
  if (call.name === MALFORMED_CALL) {
    return failed(
      'Error: this tool call could not be read. Write it again in exactly the form that the system prompt describes.',
    );
  }
  if (tool === undefined)
    return failed(`Error: there is no tool ${JSON.stringify(call.name)}. Tools: ${names === '' ? 'none' : names}.`);
  const args = parseArguments(call.arguments);
  if (typeof args === 'string') {
    const cut = cutOff ? ' The reply was cut off at the output limit: call it again with shorter arguments.' : '';
    return failed(`Error: the arguments are not a JSON object (${args}).${cut} Call the tool again with valid JSON.`);
  }
  try {
    const outcome = await tool.run(args, signal);
    // Some servers refuse a tool result without text.
    return outcome.text === '' ? { ...outcome, text: '(no output)' } : outcome;
  } catch (error) {
    return failed(`Error: the tool failed: ${reasonOf(error)}`);
  }
}

/** The arguments of a call, or what is wrong with their text. */
function parseArguments(text: string): object | string {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    if (isRecord(value)) return value;
    return Array.isArray(value) ? 'they are an array' : `they are ${JSON.stringify(value).slice(0, 40)}`;
  } catch (error) {
    return reasonOf(error);
  }
}

/** The outcome of a failed tool. */
export function failed(text: string): ToolOutcome {
  return { text, failed: true };
}
