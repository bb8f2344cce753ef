import type { ToolCall } from '../messages/message.ts';

/** A call that names what it looks at: a path, a pattern. */
const NAMES_WHAT = /"(?:\w*path|file_?name|file|uri|pattern|glob|query|regex|directory|dir|folder)"\s*:\s*"/i;
const RUNS_SOMETHING = /"(?:command|cmd|script|code|input)"\s*:/;
const PUTS_SOMETHING_IN = /"(?:new\w*|content\w*|\w*text|patch|diff|edits|replace\w*|insert\w*)"\s*:/i;

/** True for a call that reads a file, lists or searches: made again it tells the newer state of the same thing. */
export function isLookUp({ arguments: text }: ToolCall): boolean {
  return NAMES_WHAT.test(text) && !RUNS_SOMETHING.test(text) && !PUTS_SOMETHING_IN.test(text);
}
