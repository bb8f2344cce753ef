import { Upstream } from '../../../src/engine/upstream.ts';
import { ProviderServer, type RecordedRequest } from '../../adapters/server/providerServer.ts';
import { callsReply } from '../../adapters/server/reply.ts';

/** What a server refused of a long session. */
export interface Refusals {
  readonly requests: number;
  /** Tokens of the whole history at the end. */
  readonly tokens: number;
  /** Requests to the server beyond those of the agent: what was refused was sent once more. */
  readonly refused: number;
  /** The most refusals for one request of the agent. */
  readonly mostInOne: number;
}

/** How many lines one step prints, some 1,600 tokens. */
const LINES = 110;

/**
 * An agent at work through the relay, with a server that says nothing of its window and refuses what is longer, until
 * its history has this many tokens.
 */
export async function measureRefusals(window: number, tokens: number): Promise<Refusals> {
  let step = 0;
  const respond = ({ body }: RecordedRequest) => {
    step += 1;
    const usage = { prompt_tokens: Math.ceil(JSON.stringify([body.messages, body.tools]).length / 4) };
    return callsReply([{ id: `call_${step}`, name: 'run', arguments: { part: step } }], { usage });
  };
  const server = await ProviderServer.start({ window, respond });
  const { relay } = new Upstream({ baseUrl: server.baseUrl, key: undefined, layers: [] });
  const tools = [{ type: 'function' as const, function: { name: 'run', parameters: { type: 'object' } } }];
  const messages: unknown[] = [{ role: 'user', content: 'Print every part of the table.' }];
  let [requests, mostInOne, length] = [0, 0, 0];
  while (length / 4 < tokens) {
    const before = server.requests.length;
    const served = await relay.serve(
      { model: 'bench', messages: [...messages], tools },
      {},
      new AbortController().signal,
    );
    if (!served.ok) throw new Error(`request ${requests}: ${JSON.stringify(served.error).slice(0, 500)}`);
    requests += 1;
    mostInOne = Math.max(mostInOne, server.requests.length - before - 1);
    const lines = Array.from(
      { length: LINES },
      (_, line) => `value ${line} of part ${step} is computed from the table of sums`,
    );
    const [call] = served.value.message.tool_calls ?? [];
    const added = [served.value.message, { role: 'tool', tool_call_id: call?.id, content: lines.join('\n') }];
    messages.push(...added);
    length += JSON.stringify(added).length;
  }
  const refused = server.requests.length - requests;
  await server.close();
  return { requests, tokens: Math.round(length / 4), refused, mostInOne };
}

/** One message of the history, as it is sent. */
interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly object[];
  readonly tool_call_id?: string;
}

/** One step of an agent at work, some 450 tokens. */
export function step(index: number): Message[] {
  const call = {
    id: `call_${index}`,
    type: 'function',
    function: { name: 'read', arguments: `{"path":"src/${index}.ts"}` },
  };
  const lines = Array.from(
    { length: 22 },
    (_, line) => `export const value${line} = compute('part${index}', ${line * index});`,
  );
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: call.id, content: lines.join('\n') },
  ];
}

/** Tool definitions as an agent sends them with every request, some 40 kB. */
const TOOLS = Array.from({ length: 24 }, (_, index) => ({
  type: 'function',
  function: {
    name: `tool_${index}`,
    description: `${step(index)[1]?.content?.slice(0, 1_200)}`,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(
        ['path', 'line', 'text'].map((name) => [
          name,
          { type: 'string', description: `The ${name} of the file to look at.` },
        ]),
      ),
      required: ['path'],
    },
  },
}));

const END = ']}';

/** The body of an agent's requests, which grows in its own memory. */
export class History {
  readonly #memory = Buffer.alloc(64 * 1024 * 1024);
  #length: number;
  messages = 0;

  constructor() {
    const text = JSON.stringify({ model: 'bench', tools: TOOLS, stream: true, messages: [] });
    this.#length = this.#memory.write(text) - END.length;
    this.add([
      { role: 'system', content: 'You are a careful agent.' },
      { role: 'user', content: 'Read all of it.' },
    ]);
  }

  add(messages: readonly Message[]): void {
    for (const message of messages) {
      const text = `${this.messages === 0 ? '' : ','}${JSON.stringify(message)}`;
      this.#length += this.#memory.write(text, this.#length);
      this.messages += 1;
    }
    this.#memory.write(END, this.#length);
  }

  body(): Uint8Array {
    return this.#memory.subarray(0, this.#length + END.length);
  }
}
