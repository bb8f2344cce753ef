import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { wholeLines } from '../read/scanLines.ts';
import { cutAtWord } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Clients say it at the beginning of a result, and name the process once. Characters. */
const MOST_READ = 600;
const LONGEST_COMMAND = 240;

/** A result says that a command goes on: "running in background with ID: b1", "running with session ID 7", "in terminal with ID=3". */
const GOES_ON = /\b(?:running|started|moved)\b[^\n.]{0,60}?\b(?:ID|PID)\b[\s:=]{1,3}["'`]?([\w-]{1,40})/i;
/** Whatever is said with these words of a process that somebody names, it is over. */
const IS_OVER =
  /\b(?:exit(?:ed|s| code| status)|stopped|completed|finished|failed|killed|terminated|not found|no such|aborted)\b/i;
/** Names of a process: `task_id`, `"session_id": 7`, `<task-id>b1</task-id>`. */
const ID = /\w*[-_ ]?\bid\b["'>\s:=]{1,4}([\w-]{1,40})|\b\w+_id"?\s*[:=]\s*"?([\w-]{1,40})/gi;

/** Commands that go on in the background, by the name that the client gave each; and those that are over. */
export function findProcesses(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => [...overIn(use), ...begunBy(use)]);
}

function begunBy({ command, result }: ToolUse): Found[] {
  const [, id] = GOES_ON.exec(wholeLines(result?.text ?? '', MOST_READ)) ?? [];
  if (command === undefined || result === undefined || id === undefined) return [];
  const whole = command.trim();
  const value = whole.length > LONGEST_COMMAND ? `${cutAtWord(whole, LONGEST_COMMAND)} …` : whole;
  return [{ class: 'process', key: id, anchor: id, value, at: result.at, by: 'tool' }];
}

function overIn({ source, result }: ToolUse): Found[] {
  const said = wholeLines(result?.text ?? '', MOST_READ);
  if (result === undefined || GOES_ON.test(said) || !IS_OVER.test(said)) return [];
  const named = [...`${source.slice(0, MOST_READ)}\n${said}`.matchAll(ID)].flatMap(
    ([, one, other]) => one ?? other ?? [],
  );
  return [...new Set(named)].map((id) => ({
    class: 'process',
    key: id,
    value: '',
    replaces: [id],
    at: result.at,
    by: 'tool',
  }));
}
