import { anyOf } from '../../messages/anyOf.ts';
import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { wholeLines } from '../read/scanLines.ts';
import { cutAtWord } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** Clients say it at the beginning of a result, before what the process printed. Characters. */
const MOST_READ = 600;
const LONGEST_COMMAND = 240;

/**
 * How a client says that a command goes on: "Command running in background with ID: b1", "Process running with session
 * ID 7" after lines like "Wall time: 10 seconds", "Note: This terminal execution was moved to the background using the
 * ID 3". Only at the very beginning and in a client's own words: commands print that something was started with an id.
 */
const GOES_ON = new RegExp(
  String.raw`^\s*(?:(?!Output)[A-Z][\w ]{2,24}: [^\n]{1,300}\n){0,3}(?:Note: )?(?:(?:The|This) )?` +
    String.raw`(?:command|process|terminal execution)\b[^\n.]{0,80}?\b` +
    String.raw`(?:backgrounded|(?:running|started|moved)\b[^\n.]{0,20}?\b(?:background|session|terminal))\b` +
    String.raw`[^\n.]{0,30}?\bP?ID\b[\s:=]{1,3}["'\x60]?([\w-]{1,40})`,
  'i',
);

/** Tools that look after processes. What others print about something with the same id says nothing. */
const OF_PROCESSES = /bash|shell|terminal|process|command|stdin|kill|^task_?(?:output|stop)/i;
const PROCESS = '(?:process|command|task|shell|terminal|session)';
/** How such a tool says that a process is over. */
const IS_OVER = anyOf(
  /\bstatus\b["'>\s:=]{1,4}(?:exited|stopped|completed|finished|failed|killed|terminated|aborted)\b/i,
  new RegExp(String.raw`\b${PROCESS}\b[^\n.]{0,80}?\b(?:exited|stopped|completed|finished|failed|aborted)\b`, 'i'),
  new RegExp(String.raw`\b${PROCESS}\b[^\n.]{0,80}?\b(?:killed|terminated|not found)\b`, 'i'),
  new RegExp(String.raw`\b(?:stopped|killed|terminated|unknown|no such|no) ${PROCESS}\b`, 'i'),
);
const STILL_RUNS = /\b(?:status\b["'>\s:=]{1,4}|still |is )running\b/i;
/** Where a client's own words end and what the process printed begins. */
const PRINTED = /^\W*output\b[^\n]{0,60}:|<(?:stdout|stderr|output)>|"(?:stdout|stderr|output)"\s*:/im;
/** `"task_id": "b1"`, `"session_id": 7`, `"id": "3"`. */
const ID_FIELD = /id"\s*:\s*"?([\w-]{1,40})/gi;
const TOLD_OVER =
  /<task-notification>\s*<task-id>([\w-]{1,40})<\/task-id>(?:(?!<\/task-notification>)[\s\S])*?<status>(?!running)/g;

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

function overIn(use: ToolUse): Found[] {
  const { result } = use;
  if (result === undefined) return [];
  return [...new Set(namedOver(use, result.text))].map((id) => ({
    class: 'process',
    key: id,
    value: '',
    replaces: [id],
    at: result.at,
    by: 'tool',
  }));
}

/** The processes of which a client reports that they are over, or of which the tool that was asked about them says so. */
function namedOver({ name, source, command, fromCall }: ToolUse, text: string): readonly string[] {
  if (!fromCall && /^\s*<task-notification>/.test(text)) return firstGroups(text, TOLD_OVER);
  if (command !== undefined || !OF_PROCESSES.test(name)) return [];
  const [said = ''] = wholeLines(text, MOST_READ).split(PRINTED);
  const isOver = IS_OVER.test(said) && !STILL_RUNS.test(said) && !GOES_ON.test(said);
  return isOver ? firstGroups(source.slice(0, MOST_READ), ID_FIELD) : [];
}

function firstGroups(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, first]) => first ?? []);
}
