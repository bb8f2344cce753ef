import { readProfileFiles } from '../adapters/node/profileFiles.ts';
import { OpenAIModelClient } from '../adapters/openai/client.ts';
import { parseEndpoint } from '../adapters/servers/endpoint.ts';
import { idsForChat, listModels } from '../adapters/servers/models.ts';
import { discoverWindow } from '../adapters/servers/window.ts';
import { contentText } from '../core/chat/parse.ts';
import { SummaryRefused } from '../core/compaction/summarizers/summarizer.ts';
import type { ModelProfile } from '../core/model/profile.ts';
import { resolveProfile } from '../core/model/resolve.ts';
import type { Summarize } from '../engine.ts';
import { inEnglish } from '../language/language.ts';
import { maskMessages } from './maskMessages.ts';

/** Who writes the note of a rescue. */
export interface NoteModel {
  readonly summarize: Summarize;
  readonly profile: ModelProfile;
}

/**
 * The model of an OpenAI-compatible server that writes notes; without a name, the only one that the server has. The
 * key goes to the server's own origin alone. Keys and tokens in what it is sent are masked.
 * @throws Error with a sentence when address, name or server cannot be used
 */
export async function prepareNoteModel(
  baseUrl: string,
  {
    name,
    key,
    signal,
  }: { readonly name: string | undefined; readonly key: string | undefined; readonly signal: AbortSignal },
): Promise<NoteModel> {
  const endpoint = parseEndpoint(baseUrl);
  if (!endpoint.ok) throw new Error(`--upstream is not the base URL of a server: ${JSON.stringify(baseUrl)}.`);
  const { origin } = endpoint.value;
  const getKey = async (asking: string) => (asking === origin ? key : undefined);
  const server = { baseUrl, getKey, signal };
  const model = name ?? (await onlyModel(server));
  const { layers } = await readProfileFiles([]);
  const { profile } = resolveProfile({ model, baseUrl }, layers);
  const { window } = await discoverWindow({ ...server, model, provider: profile.provider });
  signal.throwIfAborted();
  const client = new OpenAIModelClient({ getKey });
  // The server named on the command line is asked, whatever a profile says.
  const asked = { ...profile, baseUrl, ...(window !== undefined && { contextWindow: window.tokens }) };
  return {
    profile: asked,
    summarize: async ({ messages, maxTokens, signal: given }) => {
      const request = { profile: asked, messages: maskMessages(messages).messages, tools: [], maxTokens };
      const reply = await client.complete(request, () => undefined, AbortSignal.any([signal, given]));
      if (!reply.ok) {
        const { error } = reply.error;
        throw new SummaryRefused(`${model} could not write a note: ${error.words ?? inEnglish(error.evidence)}`, error);
      }
      const { message, finishReason, usage } = reply.value;
      return { text: contentText(message), complete: finishReason !== 'length', usage };
    },
  };
}

async function onlyModel(server: Parameters<typeof listModels>[0]): Promise<string> {
  const listed = await listModels(server);
  if (!listed.ok)
    throw new Error(`--upstream: ${inEnglish(listed.error.message)}. Say which model writes the note (--model).`);
  const [only, ...more] = idsForChat(listed.value);
  if (only === undefined || more.length > 0)
    throw new Error(
      `--model is needed: ${server.baseUrl} lists ${more.length === 0 ? 'no model' : `${more.length + 1} models`}.`,
    );
  return only;
}
