import { type Part, topLevelParts } from './elements.ts';
import { isFenced } from './fence.ts';
import { replyInMessage } from './reply.ts';

/** How messages in the user's role begin that clients write: results, wrappers, reminders, interrupts. */
const CLIENT_OPENINGS: readonly RegExp[] = [
  /^\[Request interrupted/i,
  /^(OBSERVATION|Observation|EXECUTION RESULT|Tool result|Result of|Output of|Command output)\b.{0,80}[:\n]/,
  /^\[[\w.-]+(?: for [^\]\n]{1,200})?\] Result:/,
  /^\[ERROR\] You did not use a tool\b/,
  /^# AGENTS\.md instructions/i,
  /^Caveat: The messages below were generated/i,
  /^This session is being continued from a previous conversation/i,
  /^(The following|Here (is|are)) (the )?(contents?|output|files?)\b(?![^\n]{0,200}\b(?:I|we|my|our|me|you|please)\b)[^\n]{0,200}(?:\n|$)/i,
  /^(?:I have \*?added these files to the chat\b|I am not sharing (?:any|the) [^\n]{0,60}\bfiles\b)/i,
  /^(?:I am working with you on code in a git repository\.\s+)?Here are (?:summaries of some files present in my git repo|some READ ONLY files, provided for your reference)/,
  /^I ran this command:\n\n[^\n][\s\S]{0,3000}\n\nAnd got this output:\n/,
  /^\[aider\] (?:Applied edit|Commit|Added|Dropped|Tokens|Repo-map|Did not|The LLM|Fix any)\b/,
  /^# (?:Fix any (?:linting )?errors below|\d+ SEARCH\/REPLACE blocks? failed to match)/,
  /^I (?:updated the files\.|committed the changes with git hash [0-9a-f]{6,40} )/,
  /^This is the Gemini CLI\. We are setting up the context for our chat\./,
  /^Observed result of command executed by user:/,
  /^Your (?:command ran successfully and did not produce any output|output was not formatted correctly)/,
  /^Called the [\w-]{2,40} tool with the following input:/,
  /^Base directory for this skill:/i,
  /^Ran `[^`\n]{1,500}`\s*\n```/,
];

/** Elements in which clients put the human's own words; names without `_` and `-`. */
const HUMAN_ELEMENTS = new Set(
  'task userquery usermessage userrequest userprompt feedback question request issue prompt'.split(' '),
);

/** Elements for what a program printed or reports: nothing after them is the human's either. */
const PRINTED = 'output|stdout|stderr|results?|response|returncode|exit_?code|observation';
const RESULT_ELEMENTS = new RegExp(`^(?:(?:tool|function|local-command|bash)[_-])?(?:${PRINTED})$|-notification$`);

/** HTML that people paste: such an element says nothing about who wrote it. */
const MARKUP_ELEMENTS = new Set([
  'div',
  'p',
  'span',
  'html',
  'body',
  'svg',
  'table',
  'script',
  'style',
  'a',
  'ul',
  'ol',
  'pre',
  'code',
]);

/**
 * True when a client made a message in the user's role, not the human: tool output, file contents, wrappers. Recognised
 * by its shape.
 */
export function isClientMade(text: string): boolean {
  const start = text.trimStart();
  if (start === '') return true;
  if (isFenced(start)) return true;
  if (replyInMessage(start) !== undefined) return false;
  const head = start.slice(0, 4000);
  if (CLIENT_OPENINGS.some((opening) => opening.test(head))) return true;
  const element = /^<([a-zA-Z][\w-]{1,40})(?:\s[^>]{0,200})?>/.exec(head);
  if (element?.[1] === undefined) return false;
  const name = element[1].toLowerCase();
  if (isHumanElement(name) || MARKUP_ELEMENTS.has(name)) return false;
  if (RESULT_ELEMENTS.test(name)) return true;
  const parts = topLevelParts(start);
  // An unclosed wrapper contains everything that follows.
  return parts[0]?.kind !== 'element' || !parts.some((part) => typedIn(part) !== undefined);
}

/** True for the name of an element in which a client puts the human's own words. */
function isHumanElement(name: string): boolean {
  return HUMAN_ELEMENTS.has(name.toLowerCase().replace(/[_-]/g, ''));
}

/**
 * What the human typed in a part of a message that a client composed: in an element for typed words, or next to
 * elements.
 */
export function typedIn(part: Part): string | undefined {
  const words = part.kind === 'text' ? part.text : part.inner;
  if (words.trim() === '') return undefined;
  if (part.kind === 'text' || isHumanElement(part.name)) return words;
  // A single word after a slash command is an option.
  return part.name === 'command-args' && /\S\s+\S/.test(words) ? words : undefined;
}
