import { findErrorLines } from './errorLines.ts';
import type { Found } from './fact.ts';
import { fileActions } from './files.ts';
import type { ToolUse } from './outcome.ts';
import type { Reading } from './reading.ts';
import { onlyLooks, runKey } from './shell.ts';
import { cutAtWord, withoutColours } from './text.ts';

/** Of the errors in one result, this many of the first are taken, which have the cause, and as many of the last. */
const MOST_AT_END = 3;
/** A longer error is cut. Characters. */
const LONGEST_ERROR = 240;

/** Errors, in the words of whatever reported them: from failed calls, commands that ran, and what the human pasted. */
export function findErrors(reading: Reading): Found[] {
  const found = reading.uses.flatMap(ofOneRun);
  if (reading.human === undefined) return found;
  return [...found, ...errorsIn(reading.human, reading.at, false)];
}

/**
 * The errors of a command, or of a tool's work on a file, are a list that is renewed when the same is run again: an error
 * that is no longer in it is solved.
 */
function ofOneRun(use: ToolUse): Found[] {
  const { command, result } = use;
  if (result === undefined) return [];
  const list = `run ${command === undefined ? use.name + (fileActions(use)[0]?.path ?? use.source) : runKey(command)}`;
  const found = errorsOfUse(use);
  if (found.length > 0) return found.map((fact) => ({ ...fact, list }));
  return result.failed ? [] : [{ class: 'error', value: '', key: list, list, at: result.at }];
}

/** Tools whose output may report an error though the call succeeded. */
const REPORTS = /test|build|lint|diagnos|compil|check|console|log|run|exec|stdin|terminal/i;

/** The errors that the result of a tool use reports. */
export function errorsOfUse({ name, command, result }: ToolUse): Found[] {
  if (result === undefined) return [];
  // What only looks something up quotes other texts.
  const quotes = command !== undefined && onlyLooks(command);
  if (!result.failed && (quotes || (command === undefined && !REPORTS.test(name)))) return [];
  return errorsIn(result.text, result.at, result.failed && !quotes);
}

function errorsIn(text: string, at: number, failed: boolean): Found[] {
  const { lines, reports } = findErrorLines(withoutColours(text), failed);
  const errors = new Map<string, Found>();
  for (const index of new Set([...reports.slice(0, MOST_AT_END), ...reports.slice(-MOST_AT_END)])) {
    const line = lines[index]?.text.trim() ?? '';
    const whole = line.endsWith(':') ? `${line} ${lines[index + 1]?.text.trim() ?? ''}` : line;
    const value = cutAtWord(whole.trim(), LONGEST_ERROR);
    const key = value.replace(/\d+/g, '#').replace(/\s+/g, ' ');
    errors.delete(key);
    errors.set(key, { class: 'error', value, key, at });
  }
  return [...errors.values()];
}
