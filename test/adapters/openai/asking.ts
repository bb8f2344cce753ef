import assert from 'node:assert/strict';
import { OpenAIModelClient, type OpenAIModelClientOptions } from '../../../src/adapters/openai/client.ts';
import type { ModelDelta, ModelFailure, ModelReply, ModelRequest } from '../../../src/core/model/modelClient.ts';
import type { ModelProfile } from '../../../src/core/model/profile.ts';
import type { Result } from '../../../src/core/result.ts';
import { ProviderServer } from '../server/providerServer.ts';

export const KEY = 'sk-secret-0123456789abcdef';

/** Overrides of the default request. */
export interface Asked extends Partial<Omit<ModelRequest, 'profile'>> {
  readonly profile?: Partial<ModelProfile>;
  readonly signal?: AbortSignal;
  readonly client?: OpenAIModelClient;
  readonly options?: Partial<OpenAIModelClientOptions>;
  readonly onDelta?: (delta: ModelDelta) => void;
}

/** Asks the server at a base URL once; no failure has the key in it. */
export async function askAt(
  baseUrl: string,
  { profile, signal = new AbortController().signal, client, options, onDelta = () => undefined, ...request }: Asked,
): Promise<Result<ModelReply, ModelFailure>> {
  const asking = client ?? new OpenAIModelClient({ getKey: async () => KEY, ...options });
  const usual: ModelProfile = {
    ...{ id: 'scripted', provider: 'test', contextWindow: 8_000, completionReserve: 1_000, timeoutMs: 5_000 },
    ...{ baseUrl, tools: true, envelope: 'standard', extra: {} },
  };
  const result = await asking.complete(
    { messages: [{ role: 'user', content: 'hi' }], tools: [], ...request, profile: { ...usual, ...profile } },
    onDelta,
    signal,
  );
  assert.ok(!JSON.stringify(result).includes(KEY), 'the key is in no answer');
  return result;
}

/** A server for all tests of a suite. */
export function useServer(): () => ProviderServer {
  let server: ProviderServer;
  before(async () => {
    server = await ProviderServer.start();
  });
  after(() => server.close());
  return () => server;
}
