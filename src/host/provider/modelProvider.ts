import * as vscode from 'vscode';
import { readInput } from '../../core/chat/parse.ts';
import type { ChatTool } from '../../core/chat/wire.ts';
import { deriveBudget } from '../../core/model/budget.ts';
import type { ModelDelta } from '../../core/model/modelClient.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { originOf } from '../../core/model/providers.ts';
import type { Relay } from '../../core/session/relay/relay.ts';
import type { RelayFailure, RelayReply } from '../../core/session/relay/relayRequest.ts';
import { RECALL_TOOL } from '../../core/session/threads/own.ts';
import { runInSlices, type Steps } from '../../core/steps.ts';
import type { ImageRule, TextCounter } from '../../core/tokens/counter.ts';
import { MessageCounter } from '../../core/tokens/messageTokens.ts';
import { t, translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { AgentThreads } from '../conversations/agentThreads.ts';
import type { Models } from '../conversations/models.ts';
import { CONVERSATION_PORTS } from '../conversations/system.ts';
import { describeProblem } from '../notices/describeProblem.ts';
import type { KarlSettings } from '../settings/settingRules.ts';
import { makeDataPart, toChatMessages } from './editorMessages.ts';
import { findServer, keysOf, ModelLists, type ModelServer } from './modelServer.ts';
import { ReplyFields } from './replyFields.ts';

/** A model in VS Code's picker. VS Code gives it back with each request. */
interface KarlModel extends vscode.LanguageModelChatInformation {
  /** The window for the context ring of VS Code's chat. Not in the stable API; without it the ring uses `maxInputTokens`. */
  readonly maxContextWindowTokens?: number;
}

/** How long a server may take to list its models, milliseconds. */
const LIST_TIMEOUT = 5000;

type Options = vscode.PrepareLanguageModelChatModelOptions & { readonly configuration?: unknown };

/** What the models of VS Code's chat use. */
export interface ProviderParts extends Basics {
  readonly models: Models;
  readonly threads: AgentThreads;
  /** Makes VS Code ask for the models again. */
  readonly modelsChanged: () => void;
}

/** Offers the models of OpenAI-compatible servers to VS Code's chat. Every request goes through one of Karl's conversations. */
export class ModelProvider implements vscode.LanguageModelChatProvider {
  readonly #parts: ProviderParts;
  /** The server and profile of each model. Not part of the model, which VS Code holds, since a server may have a key. */
  readonly #served = new WeakMap<
    vscode.LanguageModelChatInformation,
    { readonly server: ModelServer; readonly profile: ModelProfile }
  >();
  /** A group has named the server of the settings since VS Code last asked without a group. */
  #groupNames = false;
  #leftToGroup = false;

  readonly #lists: ModelLists;
  /** By server. */
  readonly #relays = new Map<string, Relay>();
  readonly #replyFields = new ReplyFields();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    const { adapters, models, modelsChanged } = parts;
    this.#lists = new ModelLists(async (server) => {
      await models.load();
      const signal = AbortSignal.timeout(LIST_TIMEOUT);
      return await adapters.listModels(server.baseUrl, keysOf(server, models.readKey), signal);
    }, modelsChanged);
  }

  /**
   * Called once without a group, and once for each group of models that the user made.
   * @throws Error for the user
   */
  async provideLanguageModelChatInformation({ configuration }: Options): Promise<KarlModel[]> {
    if (!vscode.workspace.isTrusted) return [];
    const settings = this.#parts.settings.current;
    const server = findServer(configuration, settings);
    if (server === undefined || this.#isNamedByGroup(server, settings)) return [];
    const listed = await this.#lists.list(server);
    const isOfSettings = server.baseUrl === settings.baseUrl && settings.model !== '';
    if (!listed.ok && !isOfSettings) throw sayInChat(translate(listed.error.message));
    const names = new Set([...(isOfSettings ? [settings.model] : []), ...((listed.ok && listed.value) || [])]);
    return [...names].map((name) => this.#describe(server, name));
  }

  async provideLanguageModelChatResponse(
    model: vscode.LanguageModelChatInformation,
    messages: readonly vscode.LanguageModelChatRequestMessage[],
    options: vscode.ProvideLanguageModelChatResponseOptions,
    progress: vscode.Progress<vscode.LanguageModelResponsePart>,
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) throw sayInChat(t('This folder is not trusted, so Karl asks no model.'));
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    if (token.isCancellationRequested) abort.abort();
    try {
      const identity = identify(options);
      const request = {
        model: model.id,
        messages: this.#replyFields.restore(toChatMessages(messages), identity.hint),
        tools: (options.tools ?? []).filter((tool) => tool.name !== RECALL_TOOL).map(toChatTool),
        fields: fieldsOf(options),
        ...identity,
      };
      const onDelta = (delta: ModelDelta) => {
        if (delta.type === 'text' && delta.text !== '') progress.report(new vscode.LanguageModelTextPart(delta.text));
      };
      const { server } = this.#find(model);
      const served = await this.#relay(server).serve(request, { onDelta }, abort.signal);
      if (served.ok) {
        this.#replyFields.keep(served.value.message, identity.hint);
        report(served.value, progress);
      } else if (served.error.kind !== 'cancelled') throw sayInChat(describeFailure(served.error, server));
    } finally {
      subscription.dispose();
    }
  }

  async provideTokenCount(
    model: vscode.LanguageModelChatInformation,
    text: string | vscode.LanguageModelChatRequestMessage,
  ): Promise<number> {
    const { profile } = this.#find(model);
    const counter = this.#parts.models.counter(profile);
    await counter.loaded;
    const exact = counter.exact?.() ?? counter;
    return await runInSlices(countText(exact, text, profile.images), CONVERSATION_PORTS);
  }

  /**
   * Whether a group names the server of the settings, so that its models are offered under the group. VS Code asks
   * without a group first, so the answer comes from the round before.
   */
  #isNamedByGroup({ baseUrl, isGroup }: ModelServer, settings: KarlSettings): boolean {
    if (!isGroup) {
      this.#leftToGroup = this.#groupNames;
      this.#groupNames = false;
      return this.#leftToGroup;
    }
    if (baseUrl !== settings.baseUrl) return false;
    this.#groupNames = true;
    if (!this.#leftToGroup) {
      this.#leftToGroup = true;
      // The models of the server were offered twice: make VS Code ask again.
      this.#parts.modelsChanged();
    }
    return false;
  }

  #relay(server: ModelServer): Relay {
    const { threads, models } = this.#parts;
    const name = JSON.stringify(server);
    const open = () => threads.relay(keysOf(server, models.readKey), (model) => this.#resolve(server, model));
    const relay = this.#relays.get(name) ?? open();
    this.#relays.set(name, relay);
    return relay;
  }

  /** A model of a group uses the group's server, whatever server a profile names. */
  #resolve({ baseUrl, isGroup }: ModelServer, model: string): ModelProfile {
    const { profile } = this.#parts.models.resolve(model, baseUrl);
    return isGroup ? { ...profile, baseUrl } : profile;
  }

  #find(model: vscode.LanguageModelChatInformation) {
    const served = this.#served.get(model);
    if (served === undefined) throw sayInChat(t('{0} is no longer offered: choose the model again.', model.name));
    return served;
  }

  #describe(server: ModelServer, name: string): KarlModel {
    const profile = this.#resolve(server, name);
    const unused = { tokens: 0, source: 'counted' } as const;
    const learned = this.#parts.windows.known(profile);
    const { window, windowSource, reserve } = deriveBudget(profile, unused, { learned });
    const isKnown = windowSource !== 'unknown';
    const origin = originOf(profile.baseUrl ?? server.baseUrl) ?? '';
    const model = {
      id: name,
      name,
      family: name,
      version: '',
      // VS Code itself names the group beside its models.
      ...(!server.isGroup && { detail: origin }),
      tooltip: isKnown
        ? t('{0} on {1}. Karl keeps the conversation inside {2} tokens.', name, origin, window)
        : t('{0} on {1}. Its context window is not known yet.', name, origin),
      maxInputTokens: this.#parts.settings.current['provider.advertisedTokens'],
      maxOutputTokens: reserve,
      ...(isKnown && { maxContextWindowTokens: window }),
      capabilities: { toolCalling: true, imageInput: true },
    };
    this.#served.set(model, { server, profile });
    return model;
  }
}

/** Tokens of a text, or of a message with its marks. */
function* countText(
  counter: TextCounter,
  text: string | vscode.LanguageModelChatRequestMessage,
  images?: ImageRule,
): Steps<number> {
  if (typeof text === 'string') {
    const count = counter.countInSteps === undefined ? counter.count(text) : yield* counter.countInSteps(text);
    return count.tokens;
  }
  const counting = new MessageCounter(counter, images);
  let tokens = 0;
  for (const message of toChatMessages([text])) {
    yield* counting.countAhead(message);
    tokens += counting.countMessage(message).tokens;
  }
  return tokens;
}

/** Reports the calls of a reply, and its usage for VS Code's context ring. Its text was reported while it streamed in. */
function report(
  { message, usage, done }: RelayReply,
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
): void {
  for (const { id, function: called } of message.tool_calls ?? []) {
    progress.report(new vscode.LanguageModelToolCallPart(id, called.name, readInput(called.arguments)));
  }
  const prompt = usage?.prompt_tokens ?? done.budget.used.tokens;
  const completion = usage?.completion_tokens ?? 0;
  const figures = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage?.prompt_tokens_details?.cached_tokens ?? 0 },
  };
  const part = makeDataPart(new TextEncoder().encode(JSON.stringify(figures)), 'usage');
  if (part !== undefined) progress.report(part);
}

function toChatTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): ChatTool {
  const parameters = inputSchema === undefined ? {} : { parameters: inputSchema as Record<string, unknown> };
  return { type: 'function', function: { name, description, ...parameters } };
}

/** The caller's further options for the model; names with an underscore are VS Code's own. */
function fieldsOf({ modelOptions = {}, toolMode, tools = [] }: vscode.ProvideLanguageModelChatResponseOptions) {
  const fields = Object.entries(modelOptions).filter(([name]) => !name.startsWith('_'));
  const isRequired = toolMode === vscode.LanguageModelChatToolMode.Required && tools.length > 0;
  return { ...Object.fromEntries(fields), ...(isRequired && { tool_choice: 'required' }) };
}

/** The conversation and the extension that VS Code names. The API declares neither, so they are only hints. */
function identify(options: vscode.ProvideLanguageModelChatResponseOptions): { hint?: string; client: string } {
  const { modelOptions, requestInitiator }: { modelOptions?: unknown; requestInitiator?: unknown } = options;
  const { _conversationId: hint }: { _conversationId?: unknown } = Object(modelOptions);
  const initiator = typeof requestInitiator === 'string' ? requestInitiator : 'VS Code';
  const client = /^github\.copilot-chat$/i.test(initiator) ? "VS Code's chat" : initiator;
  return { client, ...(typeof hint === 'string' && { hint }) };
}

/** What VS Code's chat shows for a failed request: what happened, and what to do. */
function describeFailure(
  failure: Exclude<RelayFailure, { kind: 'cancelled' }>,
  { isGroup }: Pick<ModelServer, 'isGroup'>,
): string {
  if (failure.kind === 'invalid') return t('VS Code sent an invalid request: {0}.', failure.message);
  const { what, next } = describeProblem(failure.problem);
  if (!isGroup) return `${what} ${next}`;
  // The group has a server of its own, not that of Karl's settings.
  return `${what} ${next} ${t('The server URL and the key of this model are in "Chat: Manage Language Models".')}`;
}

/** An error without a stack, which VS Code's chat would show. */
function sayInChat(sentence: string): Error {
  const error = new Error(sentence);
  error.stack = '';
  return error;
}
