import { ProviderServer, type RecordedRequest } from '../adapters/server/providerServer.ts';
import { callsReply, type ScriptedReply, textReply } from '../adapters/server/reply.ts';

/** What the agent says when its task is done. */
export const DONE = 'The task is done.';

/** A model on 127.0.0.1 that refuses what is longer than its window, and what it was sent. */
export interface ScriptedModel {
  readonly server: ProviderServer;
  /** What it was asked. */
  chats(): readonly RecordedRequest[];
  /** Requests that it refused as too long. */
  refused(): number;
}

/** How the model works through its task. */
export interface Task {
  /** Tokens. */
  readonly window: number;
  /** Tool calls before it is done. */
  readonly steps: number;
  /** Arguments of the call of a step, by what the tool asks for. */
  readonly call: (step: number) => Readonly<Record<string, unknown>>;
  /** The tool that it calls, among those that the agent offers. */
  readonly tool: RegExp;
}

/**
 * Starts a model that calls one tool, step by step, and then says that it is done; it answers a request without tools
 * with a title.
 */
export async function startModel(task: Task): Promise<ScriptedModel> {
  let step = 0;
  let asked = 0;
  const respond = ({ body }: RecordedRequest): ScriptedReply => {
    asked += 1;
    const names = (body.tools ?? []).map((tool) => (tool as { function: { name: string } }).function.name);
    const name = names.find((one) => task.tool.test(one));
    const usage = { prompt_tokens: Math.ceil(JSON.stringify([body.messages, body.tools]).length / 4) };
    if (name === undefined) return textReply('A title', { usage });
    step += 1;
    if (step > task.steps) return textReply(DONE, { usage });
    return callsReply([{ id: `call_${step}`, name, arguments: task.call(step) }], { usage });
  };
  const data = [{ id: 'scripted', object: 'model', max_model_len: task.window }];
  const server = await ProviderServer.start({
    window: task.window,
    respond,
    pages: { '/v1/models': { object: 'list', data } },
  });
  const chats = () => server.requests.filter(({ path }) => path === '/v1/chat/completions');
  return { server, chats, refused: () => chats().length - asked };
}
