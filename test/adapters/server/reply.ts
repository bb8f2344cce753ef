/** One `data:` event with this value as JSON. */
export interface EventStep {
  readonly event: unknown;
}

/** One thing that the server does while it answers, after the headers. */
export type Step =
  | EventStep
  /** Bytes exactly as given. */
  | { readonly raw: string | Uint8Array }
  | { readonly waitMs: number }
  /** Nothing more comes; the socket stays open. */
  | { readonly stall: true }
  /** The socket is destroyed. */
  | { readonly cut: true }
  /** The step is repeated until the client leaves: as fast as it is read, or at this interval. */
  | { readonly endless: EventStep | { readonly raw: string }; readonly everyMs?: number };

/** One scripted answer. Without `status`, `contentType` and `headers` it is an event stream. */
export interface ScriptedReply {
  /** Milliseconds before the headers are sent. */
  readonly delayHeadersMs?: number;
  /** The headers are sent after this. */
  readonly headersAfter?: Promise<unknown>;
  /** The headers never come. */
  readonly neverAnswer?: true;
  readonly status?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

/** A call in a reply. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** What most replies may have besides. */
export interface ReplyExtras {
  readonly usage?: Readonly<Record<string, unknown>>;
  readonly finishReason?: string;
  /** Text of a `reasoning_content` field, streamed before the rest. */
  readonly reasoning?: string;
  /** The number of pieces that the text is cut into. */
  readonly pieces?: number;
}

const DONE: Step = { raw: 'data: [DONE]\n\n' };

/** One chunk of a stream as OpenAI sends it. */
export function chunk(delta: unknown, finishReason: string | null = null): EventStep {
  return {
    event: {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta, finish_reason: finishReason }],
    },
  };
}

/** An event as it is sent. */
export const eventText = ({ event }: EventStep): string => `data: ${JSON.stringify(event)}\n\n`;

/** A body of JSON in place of a stream. */
export function jsonReply(body: unknown): ScriptedReply {
  return { contentType: 'application/json', steps: [{ raw: JSON.stringify(body) }] };
}

/** A streamed text. */
export function textReply(text: string, extras: ReplyExtras = {}): ScriptedReply {
  return { steps: [...opening(extras), ...textChunks(text, extras.pieces ?? 3), ...ending('stop', extras)] };
}

/** Streamed tool calls, in parallel, their arguments in pieces; `text` is said before. */
export function callsReply(
  calls: readonly ScriptedCall[],
  extras: ReplyExtras & { readonly text?: string } = {},
): ScriptedReply {
  const steps = calls.flatMap((call, index) => {
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    const half = Math.ceil(text.length / 2);
    const first = {
      index,
      id: call.id ?? `call_${index}_${call.name}`,
      type: 'function',
      function: { name: call.name, arguments: '' },
    };
    const pieces = [text.slice(0, half), text.slice(half)].map((piece) => ({ index, function: { arguments: piece } }));
    return [first, ...pieces].map((delta) => chunk({ tool_calls: [delta] }));
  });
  const said = extras.text === undefined ? [] : textChunks(extras.text, 2);
  return { steps: [...opening(extras), ...said, ...steps, ...ending('tool_calls', extras)] };
}

/** An error answer with a JSON body (or with the given body and content type). */
export function errorReply(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): ScriptedReply {
  const content = typeof body === 'string' ? { contentType: 'text/plain', steps: [{ raw: body }] } : jsonReply(body);
  return { status, headers, ...content };
}

/** What OpenAI answers when the prompt does not fit. */
export function overflowReply(tokens: number, window: number): ScriptedReply {
  const message = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`;
  return errorReply(400, {
    error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
  });
}

/** A web page, as returned by a proxy or for a wrong base URL. */
export function pageReply(status = 200): ScriptedReply {
  const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body><h1>It works</h1></body></html>';
  return { status, contentType: 'text/html; charset=utf-8', steps: [{ raw: page }] };
}

/** Text that begins, and then continues with these steps instead of an end. */
export function brokenReply(text: string, ...rest: readonly Step[]): ScriptedReply {
  return { steps: [...opening({}), ...textChunks(text, 2), ...rest] };
}

/** A stream of exactly these events, followed by `[DONE]`. */
export const eventsReply = (...steps: readonly Step[]): ScriptedReply => ({ steps: [...steps, DONE] });

function opening(extras: ReplyExtras): Step[] {
  const reasoning = extras.reasoning === undefined ? [] : [chunk({ reasoning_content: extras.reasoning })];
  return [chunk({ role: 'assistant', content: '' }), ...reasoning];
}

function textChunks(text: string, pieces: number): Step[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / pieces));
  const steps: Step[] = [];
  for (let start = 0; start < characters.length; start += size) {
    steps.push(chunk({ content: characters.slice(start, start + size).join('') }));
  }
  return steps;
}

function ending(finishReason: string, extras: ReplyExtras): Step[] {
  const { usage } = extras;
  const stated = usage === undefined ? [] : [{ event: { object: 'chat.completion.chunk', choices: [], usage } }];
  return [chunk({}, extras.finishReason ?? finishReason), ...stated, DONE];
}
