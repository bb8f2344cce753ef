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
}

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
  let [requests, length] = [0, 0];
  while (length / 4 < tokens) {
    const { signal } = new AbortController();
    const served = await relay.serve({ model: 'bench', messages: [...messages], tools }, {}, signal);
    if (!served.ok) throw new Error(`request ${requests}: ${JSON.stringify(served.error).slice(0, 500)}`);
    requests += 1;
    const { message } = served.value;
    const lines = Array.from({ length: 110 }, (_, line) => `value ${line} of part ${step} is computed from the sums`);
    const added = [message, { role: 'tool', tool_call_id: message.tool_calls?.[0]?.id, content: lines.join('\n') }];
    messages.push(...added);
    length += JSON.stringify(added).length;
  }
  const refused = server.requests.length - requests;
  await server.close();
  return { requests, tokens: Math.round(length / 4), refused };
}
