import { readOutcome } from '../ledger/read/outcome.ts';
import type { ToolCall, ToolMessage } from '../messages/message.ts';

/** A call that names what it looks at: a path, a pattern. */
const NAMES_WHAT = /"(?:\w*path|file_?name|file|uri|pattern|glob|query|regex|directory|dir|folder)"\s*:\s*"/i;
const RUNS_SOMETHING = /"(?:command|cmd|script|code|input)"\s*:/;
const PUTS_SOMETHING_IN = /"(?:new\w*|content\w*|\w*text|patch|diff|edits|replace\w*|insert\w*)"\s*:/i;

/** True for a call that reads a file, lists or searches: made again, it shows the newer state of the same thing. */
export function isLookUp({ arguments: text }: ToolCall): boolean {
  return NAMES_WHAT.test(text) && !RUNS_SOMETHING.test(text) && !PUTS_SOMETHING_IN.test(text);
}

/** A later result shorter than this share of the earlier one may be a stub (`File unchanged`), not what was asked for. */
const LEAST_SHARE = 0.5;

/**
 * True when a later result of the same look-up, sent whole, makes the earlier one superfluous: it says the very same, or it
 * did not fail and is not much shorter.
 */
export function overtakes(later: ToolMessage, earlier: ToolMessage): boolean {
  if (later.text === earlier.text) return true;
  return later.text.length >= LEAST_SHARE * earlier.text.length && !hasFailed(later);
}

const failed = new WeakMap<ToolMessage, boolean>();

/** A result is read once. */
function hasFailed(result: ToolMessage): boolean {
  const known = failed.get(result) ?? readOutcome(result.text, result.wire).failed;
  failed.set(result, known);
  return known;
}
