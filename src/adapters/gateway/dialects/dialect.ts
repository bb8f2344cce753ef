import type { IncomingHttpHeaders } from 'node:http';
import type { ChatTool } from '../../../core/chat/wire.ts';
import type { AnswerChunk } from '../../../core/model/modelClient.ts';
import { err, ok, type Result } from '../../../core/result.ts';
import type { RelayReply, RelayRequest } from '../../../core/session/relay/relayRequest.ts';
import { RECALL_TOOL } from '../../../core/session/threads/own.ts';
import { type Fields, isFields } from '../../fields.ts';
import { type HttpError, httpError } from '../httpError.ts';
import { Made } from './origins.ts';
import type { OwnServers } from './ownServers.ts';

/** How one API is read and written. Everything behind it works with chat-completions messages. */
export interface Dialect {
  /** The paths of the API, after `/v1`. */
  readonly routes: {
    /** Where requests are posted. */
    readonly answer: RegExp;
    /** Where tokens are counted. */
    readonly count?: RegExp;
    /** Every path of the API, including those that are not served. */
    readonly any: RegExp;
  };
  /** Reads a request; messages are checked where they are appended. */
  parse(call: ClientCall): Result<ClientRequest, HttpError>;
  /** An error in the API's own form: a body, or the data of the last event of a stream. */
  error(failure: HttpError): object;
  /** The answer to a request to count tokens, where the API has one. */
  readonly counted?: (tokens: number) => object;
}

/** A request as a client sent it. */
export interface ClientCall {
  readonly body: Readonly<Fields>;
  readonly headers: IncomingHttpHeaders;
  /** After `/v1`. */
  readonly path: string;
  /** The query of the address, with its `?`; empty where there is none. */
  readonly query: string;
  /** The servers behind the gateway. */
  readonly servers: OwnServers;
}

/** What a client asked for. */
export interface ClientRequest {
  readonly request: RelayRequest;
  readonly streams: boolean;
  /** How the answer is written. */
  readonly form: AnswerForm;
}

/** Turns the chunks of a model's server into an answer for the client; made for one answer. */
export interface AnswerForm {
  /** The events to send for a chunk, as text of the stream. */
  take(chunk: AnswerChunk): string;
  /** The last events of the stream. */
  end(reply: RelayReply): string;
  /** The whole answer, for a client that does not stream. Called after all chunks were taken. */
  whole(reply: RelayReply): object;
  /** The last event of a stream that breaks off. */
  fail(failure: HttpError): string;
  /** A sign of life without content, sent while nothing else is. */
  keepAlive(): string;
  /** Whether clients ignore comments, as the standard of event streams says. */
  readonly takesComments: boolean;
}

/** Names of agents by the product at the start of their user agent, from captured requests. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['claude-cli', 'Claude Code'],
  ['codex_exec', 'Codex'],
  ['codex_cli_rs', 'Codex'],
  ['codex-tui', 'Codex'],
  ['opencode', 'OpenCode'],
  ['QwenCode', 'Qwen Code'],
  ['GeminiCLI', 'Gemini CLI'],
  ['GeminiCLI-tui', 'Gemini CLI'],
]);

/** The name of the agent: its title in the header that OpenRouter defines, or the product at the start of its user agent. */
export function agentOf(headers: IncomingHttpHeaders): string {
  const title = headers['x-title'] ?? headers['user-agent']?.split('/', 1)[0] ?? '';
  const name = String(title).trim().slice(0, 60);
  return NAMES.get(name) ?? name;
}

/** The longest name of a model, characters. */
const LONGEST_NAME = 256;

/** The model that a client asks for, and its tools: in the client's own form and in chat completions. */
export interface ModelAndTools {
  readonly model: string;
  readonly tools: readonly Fields[];
  readonly chatTools: readonly ChatTool[];
}

const CHAT_TOOLS = new Made<readonly ChatTool[]>();

/** Checks the model and the tools of a body. `toChatTools`: of the API, the same function each time. */
export function readModelAndTools(
  { model, tools }: Readonly<Fields>,
  toChatTools: (tools: readonly Fields[]) => readonly ChatTool[],
): Result<ModelAndTools, HttpError> {
  if (typeof model !== 'string' || model === '') return invalid('model', 'a non-empty string');
  if (model.length > LONGEST_NAME) return invalid('model', `at most ${LONGEST_NAME} characters long`);
  const list = tools ?? [];
  if (!Array.isArray(list) || !list.every(isFields)) return invalid('tools', 'an array of objects');
  return ok({ model, tools: list, chatTools: CHAT_TOOLS.of([list, toChatTools], () => toChatTools(list)) });
}

/** The error for a field of a request that is not as it must be. */
export function invalid(param: string, expected: string): Result<never, HttpError> {
  return err(httpError(400, `${param} must be ${expected}.`, { param, code: 'invalid_value' }));
}

/** A comment in an event stream, which clients ignore. */
export function commentText(text: string): string {
  return `: ${text}\n\n`;
}

/** An event of a stream; `type` is its name where the API names events. */
export function eventText(data: unknown, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Numbers the parts of all answers to one request as if they were one answer; Karl's own calls are skipped. */
export class PartNumbers {
  /** By the index in the current answer; undefined for a part that the client does not see. */
  readonly #numbers = new Map<number, number | undefined>();
  readonly #hidesRecall: boolean;
  #next = 0;

  constructor(hidesRecall: boolean) {
    this.#hidesRecall = hidesRecall;
  }

  /** The model begins another answer. */
  beginAnswer(): void {
    this.#numbers.clear();
  }

  /** The number of a part for the client; undefined when it is hidden. `part`: the part itself, where an event has it. */
  numberOf(index: number, part: unknown): number | undefined {
    if (!this.#numbers.has(index)) {
      const isHidden = this.#hidesRecall && isFields(part) && part.name === RECALL_TOOL;
      this.#numbers.set(index, isHidden ? undefined : this.#next);
      if (!isHidden) this.#next += 1;
    }
    return this.#numbers.get(index);
  }
}
