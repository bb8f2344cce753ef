import type { QueryFailure } from '../../adapters/servers/query.ts';
import type { HostAdapters } from '../../adapters.ts';
import type { ChatMessage, ChatTool } from '../../core/chat/wire.ts';
import { classifyModelError, type ModelError } from '../../core/model/classify.ts';
import type { AnswerChunk, ModelClient, ModelRequest } from '../../core/model/modelClient.ts';
import type { ModelProfile } from '../../core/model/profile.ts';
import { toEvidence } from '../../core/model/secrets.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { renderEnvelope, textEnvelope } from '../../core/session/envelope/envelope.ts';
import { orAborted } from '../../core/steps.ts';
import { sentence, t } from '../../language/language.ts';

/** What a model of VS Code is asked. */
export interface EditorRequest {
  /** `vendor/id`. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  /** Fields for the model's vendor. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** A piece of the text of a reply, or a call. */
export type EditorChunk = string | { readonly callId: string; readonly name: string; readonly input: unknown };

/** Asks a model of VS Code. Yields its reply in pieces; throws errors. */
export type AskEditorModel = (request: EditorRequest, signal: AbortSignal) => Promise<AsyncIterable<EditorChunk>>;

/**
 * Asks the models that VS Code itself has, as `ModelClient` says, with one difference: VS Code does not say why a reply
 * ended, so a reply that was cut off by the output limit looks like a whole one. `readReply`: makes the reader
 * of a reply, which is read as one of a server.
 */
export function createEditorModelClient(ask: AskEditorModel, readReply: HostAdapters['readReply']): ModelClient {
  const complete: ModelClient['complete'] = async (request, onDelta, signal) => {
    const { timeoutMs } = request.profile;
    const reply = await readReply(request, onDelta);
    const silence = new AbortController();
    const ended = AbortSignal.any([signal, silence.signal]);
    let calls = 0;
    const timer = setTimeout(() => silence.abort(), timeoutMs);
    try {
      const asked = ask(toRequest(request), ended);
      const stream = await orAborted(asked, undefined, ended);
      const chunks = stream?.[Symbol.asyncIterator]();
      while (chunks !== undefined) {
        timer.refresh();
        const next = await orAborted(chunks.next(), undefined, ended);
        if (next === undefined || next.done === true) break;
        reply.take(chunkOf(next.value, calls));
        if (typeof next.value !== 'string') calls += 1;
      }
    } catch (thrown) {
      if (!ended.aborted) return err(reply.fail(classifyRefusal(thrown)));
    } finally {
      clearTimeout(timer);
    }
    const cancelled = { kind: 'cancelled', retryable: false, evidence: 'cancelled' } as const;
    if (signal.aborted) return err(reply.fail(cancelled));
    if (ended.aborted) {
      const evidence = sentence('nothing came for {0} s', String(Math.round(timeoutMs / 100) / 10));
      return err(reply.fail({ kind: 'timeout', retryable: true, evidence }));
    }
    reply.take({ choices: [{ index: 0, delta: {}, finish_reason: calls > 0 ? 'tool_calls' : 'stop' }] });
    return reply.finish({ isDone: true, isClean: true }) ?? err(reply.fail(cancelled));
  };
  return { complete };
}

function toRequest(request: ModelRequest): EditorRequest {
  const { profile, messages, tools, maxTokens } = request;
  const envelope = textEnvelope(profile);
  const rendered = envelope === undefined ? messages : renderEnvelope(request, envelope);
  return {
    model: profile.id,
    messages: rendered,
    tools: envelope === undefined ? tools : [],
    options: maxTokens === undefined ? profile.extra : limitOutput(profile.extra, maxTokens),
  };
}

/** Sets the limit under the name that vendors pass on, and removes an extra with the newer name. */
function limitOutput(extra: ModelProfile['extra'], maxTokens: number): EditorRequest['options'] {
  const { max_completion_tokens: _, ...others } = extra;
  return { ...others, max_tokens: maxTokens };
}

/** A piece of a reply as a server's stream would have it. `index`: the number of calls before it. */
function chunkOf(said: EditorChunk, index: number): AnswerChunk {
  if (typeof said === 'string') return { choices: [{ index: 0, delta: { content: said } }] };
  const called = { name: said.name, arguments: JSON.stringify(said.input ?? {}) };
  const call = { index, id: said.callId, type: 'function', function: called };
  return { choices: [{ index: 0, delta: { tool_calls: [call] } }] };
}

/** The meaning of the codes of VS Code's `LanguageModelError`. */
const CODES: Readonly<Record<string, NonNullable<ModelError['refusal']>>> = {
  NoPermissions: 'no-permission',
  Blocked: 'blocked',
  NotFound: 'not-found',
};

/**
 * Classifies a failure of a model of VS Code. The vendor's error, which is the cause of VS Code's, counts first. If its
 * text says nothing, the code of VS Code's error decides.
 */
export function classifyRefusal(thrown: unknown): ModelError {
  const { code, cause }: { readonly code?: unknown; readonly cause?: unknown } = Object(thrown);
  const said = cause ?? thrown;
  const error = classifyModelError(said);
  // An unpaid bill is settled with the vendor: VS Code has no key that could be entered again.
  if (error.status === 402)
    return { ...error, refusal: 'blocked', retryable: false, evidence: toEvidence(wordsOf(said)) };
  if (error.kind !== 'other') return error;
  const refusal = CODES[String(code)];
  if (refusal === undefined) return { ...error, refusal: 'failed', evidence: toEvidence(wordsOf(said)) };
  return { ...error, refusal, retryable: false, evidence: toEvidence(wordsOf(thrown)) };
}

function wordsOf(thrown: unknown): string {
  const { message }: { readonly message?: unknown } = Object(thrown);
  return typeof message === 'string' ? message : typeof thrown === 'string' ? thrown : '';
}

/** The vendor of Karl's own models, which Karl must not ask. */
const KARL = 'karl';

/** What names a model of VS Code. */
export interface EditorModelName {
  readonly vendor: string;
  readonly id: string;
}

/** Asks VS Code for models, as `vscode.lm.selectChatModels` does: the named vendor, or every vendor without a name. */
type SelectModels<Model> = (name?: EditorModelName) => PromiseLike<readonly Model[]>;

/**
 * The names of the models that VS Code has, without Karl's own. Asks every vendor, so only for a dialog that the user
 * opened. A vendor may never answer; the signal ends the wait.
 */
export async function listModels(
  select: SelectModels<EditorModelName>,
  signal: AbortSignal,
): Promise<Result<readonly string[], QueryFailure>> {
  const models = await orAborted(Promise.resolve(select()), undefined, signal);
  if (models === undefined) {
    return err({ kind: 'unreachable', message: t("VS Code's models gave no answer in time") });
  }
  const names = models.filter(({ vendor }) => vendor !== KARL).map(({ vendor, id }) => `${vendor}/${id}`);
  if (names.length > 0) return ok(names);
  const message = t('VS Code has no models. Sign in to Copilot, or add some with "Chat: Manage Language Models"');
  return err({ kind: 'refused', message });
}

/**
 * Finds a model by its name `vendor/id`. Asks only its vendor, and never Karl. Undefined if there is none, or no answer
 * came before the signal aborted.
 */
export async function findModel<Model extends EditorModelName>(
  name: string,
  select: SelectModels<Model>,
  signal: AbortSignal,
): Promise<Model | undefined> {
  const slash = name.indexOf('/');
  const [vendor, id] = [name.slice(0, Math.max(slash, 0)), name.slice(slash + 1)];
  if (vendor === '' || id === '' || vendor === KARL) return undefined;
  const models = await orAborted(Promise.resolve(select({ vendor, id })), undefined, signal);
  return models?.find((model) => model.vendor === vendor && model.id === id);
}
