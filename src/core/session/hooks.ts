import type { CompactionResult } from '../compaction/compaction.ts';
import type { CompactionAbout } from '../conversation/conversationOptions.ts';
import { type Phrase, phrase, type Words } from '../phrase.ts';

/** The hooks of compaction, each a command in the user's settings (`karl.hooks.…`). */
export type HookName = 'beforeCompact' | 'afterCompact';

/** How the command of a hook ended. */
export type HookEnd =
  /** `text`: its standard error or, if that is empty, its standard output, cut after some thousand characters. */
  | { readonly kind: 'ended'; readonly code: number; readonly text: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'cancelled' }
  /** It could not be started, or a signal ended it. */
  | { readonly kind: 'failed'; readonly reason: string };

/** Runs the command of a hook. Never rejects. Kills the command when its time is up or the signal aborts. */
export type RunHook = (run: {
  readonly command: string;
  /** The working folder. */
  readonly folder: string;
  /** Passed on standard input as one line of JSON. */
  readonly input: HookInput;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}) => Promise<HookEnd>;

/** The input of a hook. Never contains message text. Tokens are those of whole requests, as in the gauge. */
export interface HookInput extends Omit<CompactionAbout, 'strategy' | 'trigger'> {
  readonly hook: HookName;
  readonly conversation: string;
  readonly trigger: string;
  readonly strategy: string;
  readonly tokens: CompactionAbout['tokens'] & { readonly after?: number };
  /** After a run: its id, the strategy before the fallback, and how many raw messages were replaced or shortened. */
  readonly compaction?: string;
  readonly fellBackFrom?: string | undefined;
  readonly messages?: number;
}

/** The input of the hook after a run. */
export function afterInput(
  owner: Pick<HookInput, 'conversation' | 'model'>,
  { compaction, receipt }: Extract<CompactionResult, { kind: 'compacted' }>,
): HookInput {
  const { strategy, instructions, tokensBefore, tokensAfter, limitTokens = 0, fellBackFrom, summarized } = receipt;
  return {
    hook: 'afterCompact',
    ...owner,
    trigger: compaction.trigger,
    strategy,
    instructions,
    tokens: { before: tokensBefore, after: tokensAfter, limit: limitTokens },
    compaction: compaction.id,
    fellBackFrom,
    messages: summarized,
  };
}

/** The exit code of a veto. */
const VETO = 2;

/** The meaning of a hook's end: go on, a veto with a reason, or a broken hook with a sentence for the user. */
export type HookVerdict =
  | { readonly kind: 'go-on' }
  | { readonly kind: 'veto'; readonly reason: Words }
  | { readonly kind: 'broken'; readonly problem: Phrase };

/**
 * Interprets the end of a hook. Exit code 2 of `beforeCompact` is a veto, with its output as the reason; 0 means go on.
 * Any other failure stops nothing: a broken script must not let a conversation overflow.
 */
export function readHookEnd(hook: HookName, end: HookEnd, timeoutMs: number): HookVerdict {
  const broken = (problem: Phrase): HookVerdict => ({ kind: 'broken', problem });
  const setting = `karl.hooks.${hook}`;
  switch (end.kind) {
    case 'cancelled':
      return { kind: 'go-on' };
    case 'timed-out':
      return broken(phrase('hook.timed-out', setting, String(timeoutMs / 1000), 'karl.hooks.timeoutSeconds'));
    case 'failed':
      return broken(phrase('hook.not-run', setting, end.reason));
    case 'ended':
      if (end.code === 0) return { kind: 'go-on' };
      if (end.code !== VETO || hook !== 'beforeCompact')
        return broken(phrase('hook.exit-code', setting, String(end.code)));
      return { kind: 'veto', reason: end.text.trim() === '' ? phrase('hook.no-reason') : end.text.trim() };
  }
}
