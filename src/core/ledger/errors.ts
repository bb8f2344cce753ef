import { onlyLooks, runKey } from './checks.ts';
import {
  ASSERTS,
  BARE_ERROR,
  ERROR_LINE,
  ERROR_WORD,
  MERE_REMARK,
  NO_ERROR,
  PASSED,
  PLACED,
  PLACED_ON_LINE,
  QUOTED_SOURCE,
  STACK_FRAME,
  TEST_SUM,
} from './errorShapes.ts';
import { fileActions } from './files.ts';
import type { Found } from './ledger.ts';
import type { Reading, ToolUse } from './reading.ts';
import { bounded, cutAtWord, lineAfter, linesWith, withoutColours } from './text.ts';

/** At most this many errors are taken from one result: the first ones, which have the cause, and the last. */
const MOST_PER_RESULT = 6;
/** A longer error line is cut. Characters. */
const LONGEST_ERROR = 240;

/** Errors, in the words of whatever reported them: from failed calls, commands that ran, and what the human pasted. */
export function findErrors(reading: Reading): Found[] {
  const found = reading.uses.flatMap((use) => ofOneRun(use, errorsOf(use)));
  if (reading.human === undefined) return found;
  return [...found, ...errorsIn(reading.human, false).map((line) => errorFact(line, reading.at, 'human'))];
}

/**
 * Treats the errors of a command, or of a tool's work on a file, as a list that is renewed when the same is run again:
 * an error that is no longer in it is solved.
 */
function ofOneRun(use: ToolUse, found: readonly Found[]): Found[] {
  const { command, result } = use;
  if (result === undefined) return [];
  const list = `run ${command === undefined ? use.name + (fileActions(use)[0]?.path ?? use.source) : runKey(command)}`;
  if (found.length > 0) return found.map((fact) => ({ ...fact, list }));
  return result.failed ? [] : [{ class: 'error', value: '', key: list, list, at: result.at, by: 'tool' }];
}

/** Tools whose output may report an error though the call succeeded. */
const REPORTS = /test|build|lint|diagnos|compil|check|console|log|run|exec|stdin|terminal/i;

function errorsOf({ name, command, result }: ToolUse): Found[] {
  if (result === undefined) return [];
  // What only looks something up quotes other texts.
  const quotes = command !== undefined && onlyLooks(command);
  if (!result.failed && (quotes || (command === undefined && !REPORTS.test(name)))) return [];
  const facts = errorsIn(result.text, result.failed && !quotes).map((line) => errorFact(line, result.at, 'tool'));
  if (facts.length > 0 || !result.failed || quotes) return facts;
  const said = complaintOf(withoutColours(result.text), command !== undefined);
  return said === undefined ? [] : [{ ...errorFact(said, result.at, 'tool'), strength: 'soft' }];
}

/** A line with fewer than two words says nothing; nor does one in which a client tells of the exit code, or of itself. */
const SAYS_NOTHING =
  /^[^\p{L}]*(?:\p{L}+[^\p{L}]*)?$|\bexit(?:ed)?(?: with)?(?: (?:exit )?(?:code|status))?[:=]? ?\d{1,3}\W*$|^(?:Chunk ID|Wall time|Output|Original token|Command|Directory)\b/iu;

/** What stands for the error of a failed call without a word for one: the last line of a program, the first of a tool. */
function complaintOf(text: string, isProgram: boolean): string | undefined {
  const part = isProgram ? text.slice(-LONGEST_ERROR * 4) : text.slice(0, LONGEST_ERROR * 4);
  const lines = part
    .split('\n')
    .map((line) => line.slice(0, LONGEST_ERROR * 2))
    .filter((line) => [STACK_FRAME, PASSED, MERE_REMARK, TEST_SUM, SAYS_NOTHING].every((shape) => !shape.test(line)));
  return isProgram ? lines.at(-1) : lines[0];
}

/** The lines of a text that report errors, at most `MOST_PER_RESULT`. `failed`: a place in a source says one too. */
function errorsIn(source: string, failed: boolean): string[] {
  const text = withoutColours(bounded(source));
  const found = new Map<string, string>();
  for (const line of linesWith(text, ERROR_WORD)) {
    if (!isError(line.text, failed)) continue;
    const next = line.text.trimEnd().endsWith(':') ? lineAfter(text, line) : '';
    const whole = `${line.text.trim()} ${next.trim()}`.trim();
    const key = messageKey(whole);
    found.delete(key);
    found.set(key, whole);
  }
  const all = [...found.values()];
  const half = MOST_PER_RESULT / 2;
  return all.length <= MOST_PER_RESULT ? all : [...all.slice(0, half), ...all.slice(-half)];
}

function isError(line: string, failed: boolean): boolean {
  if ([MERE_REMARK, TEST_SUM, STACK_FRAME].some((shape) => shape.test(line))) return false;
  if (failed && [PLACED, PLACED_ON_LINE, ASSERTS, BARE_ERROR].some((shape) => shape.test(line))) return true;
  return ERROR_LINE.test(line) && ![NO_ERROR, PASSED, QUOTED_SOURCE].some((shape) => shape.test(line));
}

/** What an error says, whatever the figures in it. */
function messageKey(line: string): string {
  return line.replace(/\d+/g, '#').replace(/\s+/g, ' ').slice(0, 160);
}

function errorFact(line: string, at: number, by: 'tool' | 'human'): Found {
  const value = cutAtWord(line.trim(), LONGEST_ERROR);
  return { class: 'error', value, key: messageKey(value), at, by };
}
