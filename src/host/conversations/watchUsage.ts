import type { ModelClient } from '../../core/session/modelClient.ts';

/** Tells of each reply how many tokens of the request came from the provider's cache, where it says so. */
export function watchUsage(client: ModelClient, onCached: (tokens: number | undefined) => void): ModelClient {
  return {
    complete: async (request, onDelta, signal) => {
      const reply = await client.complete(request, onDelta, signal);
      if (reply.ok) onCached(reply.value.usage?.prompt_tokens_details?.cached_tokens);
      return reply;
    },
  };
}
