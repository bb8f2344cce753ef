import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Asked, type OfferedTool, type Reply, WIRES, type Wire } from './wires.ts';

/** What every client in this folder tells its model first. */
export const TASK = 'Print every part of the table, one after the other, then say that you are done.';

/** What the agent says when its task is done. */
export const DONE = 'The task is done.';

/** The tools for commands, as the agents call them. */
const SHELL = /^(?:bash|shell|shell_command|exec_command|run_shell_command|run_commands|execute_command)$/i;

/** How agents ask for a summary of their conversation. */
const COMPACTION =
  /Respond with TEXT ONLY|CONTEXT CHECKPOINT COMPACTION|being continued from a previous|(?:summary|summari[sz]e)[^.]{0,60}conversation|state_snapshot/i;

/** How the model works through its task. */
export interface Task {
  /** Tokens. */
  readonly window: number;
  /** Tool calls before it is done. */
  readonly steps: number;
  /** Lines that a call prints, some 14 tokens each. */
  readonly lines: number;
  /** The API that the server speaks. */
  readonly api?: keyof typeof WIRES;
}

/** A model on 127.0.0.1 that refuses what is longer than its window, and what was wrong with what it was sent. */
export interface ScriptedModel {
  /** Base URL. */
  readonly url: string;
  /** Requests of the agent at its task, also those refused. */
  readonly asked: number;
  /** Requests that were refused as too long. */
  readonly refused: number;
  /** Requests that do not begin with all that the one before had. */
  readonly rewritten: number;
  /** Whatever must not be, as sentences. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/**
 * Starts a model that prints part after part with the agent's tool for commands, and then says that it is done; it answers
 * a request without such a tool with a title.
 */
export async function startModel({ window, steps, lines, api = 'chat' }: Task): Promise<ScriptedModel> {
  const wire: Wire = WIRES[api];
  const faults: string[] = [];
  let [asked, refused, rewritten, step] = [0, 0, 0, 0];
  let known: { readonly parts: readonly string[]; readonly tokens: number } = { parts: [], tokens: 0 };

  /** What the model says to the agent at its task. */
  const work = (request: Asked, shell: OfferedTool, tokens: number): Reply => {
    const fault = (what: string) => faults.push(`request ${asked}: ${what}`);
    findFaults(request, wire, step).forEach(fault);
    const result = request.said.findLast(({ kind }) => kind === 'result');
    const isNext = step > 0 && result?.kind === 'result' && result.id === `call_${step}`;
    if (step > 0 && !isNext) fault(`the result of call ${step} is not the last one`);
    else if (isNext && ![1, lines].every((line) => result.text.includes(valueOf(line, step))))
      fault(`the result of call ${step} is not whole: ${result.text.slice(0, 300)}`);
    const isPrefix = known.parts.every((part, index) => part === request.parts[index]);
    if (!isPrefix) rewritten += 1;
    if (!isPrefix && tokens >= known.tokens) fault(`it has another beginning, and is not shorter: ${differenceOf(known.parts, request.parts)}`);
    known = { parts: request.parts, tokens };
    step += 1;
    const thought = thoughtOf(step);
    if (step > steps) return { text: DONE, thought, tokens };
    const call = { id: `call_${step}`, name: shell.name, input: inputOf(shell, commandOf(step, lines)) };
    return { text: `Part ${step}.`, call, thought, tokens };
  };

  let dbg = 0;
  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    const send = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url?.endsWith('/models') === true)
      return void send(200, { object: 'list', data: [{ id: 'scripted', object: 'model', max_model_len: window }] });
    if (request.url?.split('?')[0] !== `/v1${wire.path}`) return void send(404, { error: { message: 'Not found' } });
    const fields = JSON.parse(body) as Record<string, unknown>;
    const said = wire.read(fields);
    const tokens = Math.ceil(said.parts.join('').length / 4);
    if (process.env.KARL_DEBUG) console.log(request.method, request.url, request.headers['user-agent'], tokens, said.parts.map((p) => Math.ceil(p.length/4)).join(' '), said.tools.length, 'out', said.output);
    if (process.env.KARL_DEBUG) (await import('node:fs')).writeFileSync(process.env.KARL_DEBUG + '.' + (++dbg) + '.json', body);
    const shell = said.tools.find(({ name }) => SHELL.test(name));
    if (shell !== undefined) asked += 1;
    if (tokens + (wire.countsOutput ? said.output : 0) > window) {
      refused += 1;
      return void send(400, wire.overflow(tokens, said.output, window));
    }
    const question = said.said.at(-1);
    if (question?.kind === 'text' && question.role === 'user' && COMPACTION.test(question.text))
      faults.push(`the agent compacts by itself: ${question.text.slice(0, 300)}`);
    const reply = shell === undefined ? { text: 'A title', thought: '', tokens } : work(said, shell, tokens);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(wire.write(reply, String(fields.model)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return asked;
    },
    get refused() {
      return refused;
    },
    get rewritten() {
      return rewritten;
    },
    faults,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What is wrong with a conversation: its task, its calls and their results. `step`: the number of the last call. */
function findFaults({ said }: Asked, wire: Wire, step: number): string[] {
  const faults: string[] = [];
  const calls = new Set<string>();
  const open = new Set<string>();
  for (const one of said)
    if (one.kind === 'call') {
      if (calls.has(one.id)) faults.push(`${one.id} is there twice`);
      calls.add(one.id);
      open.add(one.id);
      const expected = thoughtOf(Number(one.id.slice('call_'.length)));
      if (wire.thinks && one.thought !== expected) faults.push(`${one.id} has the thought ${one.thought}`);
    } else if (one.kind === 'result') {
      if (!open.delete(one.id)) faults.push(`the result of ${one.id} has no call`);
    } else if (open.size > 0 && !wire.isLoose) faults.push(`a message stands before the result of ${[...open][0]}`);
  if (open.size > 0) faults.push(`${[...open].join(' and ')} of ${step} have no result`);
  if (!said.some((one) => one.kind === 'text' && one.role === 'user' && one.text.includes(TASK)))
    faults.push('the task is not there');
  return faults;
}

/** Where two requests differ first. */
function differenceOf(before: readonly string[], now: readonly string[]): string {
  const index = before.findIndex((part, at) => part !== now[at]);
  const [one = '', other = ''] = [before[index], now[index]];
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const [from, to] = [Math.max(0, at - 50), at + 150];
  return `part ${index} of ${before.length}: ${one.slice(from, to)} | ${other.slice(from, to)}`;
}

const thoughtOf = (step: number): string => `signed-${step}==`;

const valueOf = (line: number | '%g', part: number): string =>
  `value ${line} of part ${part} is computed from the table of sums`;

/**
 * A command that prints a part, and notes that it ran. Qwen Code 0.24.4 loses what a command prints just before its end,
 * so there is a pause after it.
 */
function commandOf(part: number, lines: number): string {
  return `seq -f '${valueOf('%g', part)}' 1 ${lines}; echo ${part} >> parts.txt; sleep 0.2`;
}

/** The arguments of a call of the agent's tool for commands, by its schema. */
function inputOf({ schema: { properties = {}, required = [] } }: OfferedTool, command: string): object {
  const entries = Object.entries(properties).flatMap(([name, { type, enum: values }]) => {
    if (/^(?:command|cmd)s?$/.test(name)) return [[name, type === 'array' ? [command] : command]];
    if (!required.includes(name)) return [];
    const plain = type === 'boolean' ? false : type === 'number' || type === 'integer' ? 1 : 'Prints a part';
    return [[name, values?.[0] ?? plain]];
  });
  return Object.fromEntries(entries);
}
