import { classifyModelError, type ModelError, toEvidence } from '../../core/model/classify.ts';

/** What the codes of VS Code's `LanguageModelError` mean. */
const CODES: Readonly<Record<string, NonNullable<ModelError['refusal']>>> = {
  NoPermissions: 'no-permission',
  Blocked: 'blocked',
  NotFound: 'not-found',
  off_topic: 'off-topic',
};

/**
 * What kind of failure a model of VS Code met. What the error says counts first: the vendor's, which is the cause of
 * one that VS Code does not know. Where its words say nothing, the code of VS Code's own error decides.
 */
export function classifyRefusal(thrown: unknown): ModelError {
  const { code, cause }: { readonly code?: unknown; readonly cause?: unknown } = Object(thrown);
  const said = cause ?? thrown;
  const isOffTopic = /\boff_topic\b/.test(String(Object(said).message));
  const error = classifyModelError(said);
  // An unpaid bill is settled with the vendor: VS Code has no key that could be entered again.
  const isUnpaid = error.status === 402;
  const refusal = isOffTopic ? CODES.off_topic : isUnpaid ? CODES.Blocked : CODES[String(code)];
  if (error.kind === 'other' || isUnpaid) {
    const evidence = toEvidence(wordsOf(refusal === undefined || isUnpaid ? said : thrown));
    const retryable = refusal === undefined && error.retryable;
    return { ...error, refusal: refusal ?? 'failed', retryable, evidence };
  }
  return error;
}

function wordsOf(thrown: unknown): string {
  const { message }: { readonly message?: unknown } = Object(thrown);
  return typeof message === 'string' ? message : typeof thrown === 'string' ? thrown : '';
}
