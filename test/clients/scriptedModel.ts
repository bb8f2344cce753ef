import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type Asked, type OfferedTool, type Reply, WIRES, type Wire } from './wires.ts';

/** What every client in this folder tells its model first. */
export const TASK = 'Print every part of the table, one after the other, then say that you are done.';

/** What the agent says when its task is done. */
export const DONE = 'The task is done.';

/** The tools for commands, as the agents call them. */
const SHELL = /^(?:bash|shell|shell_command|exec_command|run_shell_command|run_commands|execute_command)$/i;

/** The tools that start a sub-agent. */
const HELPER = /^(?:Task|Agent)$/;

/** How agents ask for a summary of their conversation. */
const COMPACTION =
  /Respond with TEXT ONLY|CONTEXT CHECKPOINT COMPACTION|being continued from a previous|(?:summary|summari[sz]e)[^.]{0,60}conversation|state_snapshot/i;

/** What a sub-agent is told first, and what it reports. */
export const SUBTASK = 'SUBTASK: print two more parts of the table, then report.';
const REPORT = 'Two more parts are printed.';

/** The number of the first part that a sub-agent prints, less one. */
const SUB_PARTS = 1_000;

/** How the model works through its task. */
export interface Task {
  /** Tokens. */
  readonly window: number;
  /** Tool calls before it is done; may be changed while it works. */
  steps: number;
  /** Lines that a call prints, some 14 tokens each. */
  readonly lines: number;
  /** Seconds that a call waits after it has printed them. Default 0. */
  readonly pause?: number | undefined;
  /** The API that the server speaks. */
  readonly api?: keyof typeof WIRES;
  /** Its first call has a sub-agent print two parts. */
  readonly delegates?: boolean;
}

/** A model on 127.0.0.1 that refuses requests longer than its window, and records what was wrong with them. */
export interface ScriptedModel {
  /** Base URL. */
  readonly url: string;
  /** The requests of the agent at its task that were answered, as they came. */
  readonly taken: readonly string[];
  /** Requests of the agent at its task that were answered. */
  readonly asked: number;
  /** Requests of the agent at its task that were refused as too long. */
  readonly refused: number;
  /** Requests that do not begin with the whole request before. */
  readonly rewritten: number;
  /** Requests without a tool for commands: titles and the like. */
  readonly beside: number;
  /** What was wrong, as sentences. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

/** The requests of an agent, or of its sub-agent, one after the other. */
class Job {
  readonly #wire: Wire;
  readonly #task: Task;
  readonly #isSub: boolean;
  #step = 0;
  #expected: readonly string[] = [];
  #parts: readonly string[] = [];
  #tokens = 0;
  asked = 0;
  rewritten = 0;

  constructor(wire: Wire, task: Task, isSub: boolean) {
    this.#wire = wire;
    this.#task = task;
    this.#isSub = isSub;
  }

  /** What is wrong with the next request. */
  check(request: Asked, tokens: number): readonly string[] {
    this.asked += 1;
    const faults = findFaults(request, this.#wire, this.#isSub ? SUBTASK : TASK);
    const result = request.said.findLast(({ kind }) => kind === 'result');
    if (this.#step > 0 && (result?.kind !== 'result' || result.id !== this.#id()))
      faults.push(`the result of ${this.#id()} is not the last one`);
    else if (result?.kind === 'result' && !this.#expected.every((line) => result.text.includes(line)))
      faults.push(`the result of ${result.id} is not whole: ${result.text.slice(0, 300)}`);
    const isPrefix = this.#parts.every((part, index) => part === request.parts[index]);
    if (!isPrefix) this.rewritten += 1;
    if (!isPrefix && tokens >= this.#tokens)
      faults.push(`it has another beginning, and is not shorter: ${differenceOf(this.#parts, request.parts)}`);
    this.#parts = request.parts;
    this.#tokens = tokens;
    return faults.map((fault) => `request ${this.asked}${this.#isSub ? ' of the sub-agent' : ''}: ${fault}`);
  }

  answer(tools: readonly OfferedTool[], shell: OfferedTool, tokens: number): Reply {
    const { steps, lines, delegates = false } = this.#task;
    this.#step += 1;
    const [id, part] = [this.#id(), this.#step + (this.#isSub ? SUB_PARTS : 0)];
    const thought = thoughtOf(id);
    if (this.#step > (this.#isSub ? 2 : steps)) return { text: this.#isSub ? REPORT : DONE, thought, tokens };
    const helper =
      delegates && !this.#isSub && this.#step === 1 ? tools.find(({ name }) => HELPER.test(name)) : undefined;
    this.#expected = helper === undefined ? [1, lines].map((line) => lineOf(line, part)) : [REPORT];
    const input = helper === undefined ? inputOf(shell, commandOf(part, this.#task)) : inputOf(helper, SUBTASK);
    return { text: `Part ${part}.`, call: { id, name: (helper ?? shell).name, input }, thought, tokens };
  }

  #id(): string {
    return `${this.#isSub ? 'sub' : 'call'}_${this.#step}`;
  }
}

/**
 * Starts a model that prints part after part with the agent's tool for commands, and then says that it is done; it answers
 * a request without such a tool with a title.
 */
export async function startModel(task: Task): Promise<ScriptedModel> {
  const { window, api = 'chat' } = task;
  const wire: Wire = WIRES[api];
  const faults: string[] = [];
  const taken: string[] = [];
  const [main, sub] = [new Job(wire, task, false), new Job(wire, task, true)];
  let [refused, beside] = [0, 0];

  const server = http.createServer(async (request, response) => {
    const body = await text(request);
    const send = (status: number, value: object) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url?.endsWith('/models') === true)
      return send(200, { object: 'list', data: [{ id: 'scripted', object: 'model', max_model_len: window }] });
    if (request.url?.split('?')[0]?.endsWith(wire.path) !== true) return send(404, { error: { message: 'Not found' } });
    const fields = JSON.parse(body) as Record<string, unknown>;
    const asked = wire.read(fields);
    const tokens = Math.ceil(asked.parts.join('').length / 4);
    const shell = asked.tools.find(({ name }) => SHELL.test(name));
    if (tokens + (wire.countsOutput ? asked.output : 0) > window) {
      // Requests beside the task, such as Gemini CLI's check for loops, are not counted.
      refused += Number(shell !== undefined);
      return send(400, wire.overflow(tokens, asked.output, window));
    }
    const users = asked.said.flatMap((one) => (one.kind === 'text' && one.role === 'user' ? [one.text] : []));
    const question = asked.said.at(-1)?.kind === 'text' ? (users.at(-1) ?? '') : '';
    if (COMPACTION.test(question)) faults.push(`the agent compacts by itself: ${question.slice(0, 300)}`);
    let reply: Reply = { text: 'A title', thought: '', tokens };
    if (shell === undefined) beside += 1;
    else {
      taken.push(body);
      const job = users.some((one) => one.includes(SUBTASK)) ? sub : main;
      faults.push(...job.check(asked, tokens));
      reply = job.answer(asked.tools, shell, tokens);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(wire.write(reply, String(fields.model)));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    get asked() {
      return main.asked + sub.asked;
    },
    get refused() {
      return refused;
    },
    get rewritten() {
      return main.rewritten;
    },
    get beside() {
      return beside;
    },
    faults,
    taken,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** What is wrong with a conversation: its task, its calls and their results. */
function findFaults({ said }: Asked, wire: Wire, task: string): string[] {
  const faults: string[] = [];
  const calls = new Set<string>();
  const open = new Set<string>();
  for (const one of said)
    if (one.kind === 'call') {
      if (calls.has(one.id)) faults.push(`${one.id} is there twice`);
      calls.add(one.id);
      open.add(one.id);
      if (wire.thinks && one.thought !== thoughtOf(one.id)) faults.push(`${one.id} has the thought ${one.thought}`);
    } else if (one.kind === 'result') {
      if (!open.delete(one.id)) faults.push(`the result of ${one.id} has no call`);
    } else if (open.size > 0 && !wire.isLoose) faults.push(`a message stands before the result of ${[...open][0]}`);
  if (open.size > 0) faults.push(`${[...open].join(' and ')} have no result`);
  if (!said.some((one) => one.kind === 'text' && one.role === 'user' && one.text.includes(task)))
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

const thoughtOf = (call: string): string => `signed-${call}==`;

const lineOf = (line: number | '%g', part: number): string =>
  `value ${line} of part ${part} is computed from the table of sums`;

/** A command that prints a part, and notes that it ran. */
function commandOf(part: number, { lines, pause = 0 }: Task): string {
  return `seq -f '${lineOf('%g', part)}' 1 ${lines}; echo ${part} >> parts.txt; sleep ${pause}`;
}

/** Each part was printed once, in order, by commands that ran in this folder. */
export function assertPrinted(folder: string, parts: number): void {
  const printed = readFileSync(path.join(folder, 'parts.txt'), 'utf8').trim().split('\n');
  assert.deepEqual(printed.map(Number), [...Array(parts + 1).keys()].slice(1));
}

/** The arguments of a call by the schema of its tool: a command, or a task for a sub-agent. */
function inputOf({ schema: { properties = {}, required = [] } }: OfferedTool, command: string): object {
  const entries = Object.entries(properties).flatMap(([name, { type, enum: values }]) => {
    if (/^(?:(?:command|cmd)s?|prompt)$/.test(name)) return [[name, type === 'array' ? [command] : command]];
    if (/background/.test(name)) return [[name, false]];
    if (!required.includes(name)) return [];
    const plain = type === 'boolean' ? false : type === 'number' || type === 'integer' ? 1 : 'Prints a part';
    return [[name, values?.[0] ?? plain]];
  });
  return Object.fromEntries(entries);
}
