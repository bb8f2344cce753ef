import { classifyModelError } from '../../core/overflow/classify.ts';
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
 * one that VS Code does not know.
 */
export function classifyRefusal(thrown: unknown): ModelError {
  const { code, cause, message }: { readonly code?: unknown; readonly cause?: unknown; readonly message?: unknown } =
    Object(thrown);
  const said = cause ?? thrown;
  const isOffTopic = /\boff_topic\b/.test(String(Object(said).message));
  const refusal = isOffTopic ? CODES.off_topic : CODES[String(code)];
  const error = classifyModelError(said);
  if (refusal !== undefined && error.kind === 'other') {
    return { kind: 'other', retryable: false, refusal, evidence: classifyModelError(message ?? '').evidence };
  }
  if (error.kind !== 'overflow') return error;
  const { words, quoted } = readStatement(said);
  return { ...error, words, ...(quoted && { quoted }) };
}
