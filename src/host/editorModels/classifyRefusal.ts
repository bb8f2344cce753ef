import { classifyModelError } from '../../core/overflow/classify.ts';
import { toEvidence } from '../../core/overflow/evidence.ts';
import type { ModelError } from '../../core/overflow/modelError.ts';
import { readStatement } from '../../core/session/statement.ts';

/** What the codes of VS Code's `LanguageModelError` mean. */
const CODES: Readonly<Record<string, NonNullable<ModelError['refusal']>>> = {
  NoPermissions: 'no-permission',
  Blocked: 'blocked',
  NotFound: 'not-found',
  off_topic: 'off-topic',
};

/**
 * What kind of failure a model of VS Code met: its own codes first, then what the vendor's error says, which is the cause of
 * one that VS Code does not know. What is nothing else is told in the vendor's words.
 */
export function classifyRefusal(thrown: unknown): ModelError {
  const { code, cause }: { readonly code?: unknown; readonly cause?: unknown } = Object(thrown);
  const said = cause ?? thrown;
  const isOffTopic = /\boff_topic\b/.test(String(Object(said).message));
  const error = classifyModelError(said);
  // What is not paid for is paid at the vendor: VS Code has no key that could be entered anew.
  const isUnpaid = error.status === 402;
  const refusal = isOffTopic ? CODES.off_topic : isUnpaid ? CODES.Blocked : CODES[String(code)];
  if (error.kind === 'other' || isUnpaid) {
    const evidence = toEvidence(wordsOf(refusal === undefined || isUnpaid ? said : thrown));
    const retryable = refusal === undefined && error.retryable;
    return { ...error, refusal: refusal ?? 'failed', retryable, evidence };
  }
  if (error.kind !== 'overflow') return error;
  const { words, quoted } = readStatement(said);
  return { ...error, words, ...(quoted && { quoted }) };
}

function wordsOf(thrown: unknown): string {
  const { message }: { readonly message?: unknown } = Object(thrown);
  return typeof message === 'string' ? message : typeof thrown === 'string' ? thrown : '';
}
