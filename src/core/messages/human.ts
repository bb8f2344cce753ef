import { isFenced } from './fence.ts';

/** A user-role message over this size that is not the current request is treated as pasted content, tokens. */
export const LONG_PASTE_TOKENS = 2000;

/** Openings of user-role messages that clients write: results, wrappers, reminders, interrupts. */
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

/** Elements in which clients put the human's own words. */
const HUMAN_ELEMENTS = new Set([
  'task',
  'user_query',
  'user-query',
  'feedback',
  'user_message',
  'question',
  'request',
  'issue',
  'prompt',
  'user_request',
]);

/** One of them anywhere inside a wrapper: the wrapper carries what the human typed. */
const HUMAN_ELEMENT_INSIDE = /<(user_?-?(?:query|request|message|prompt)|task|feedback|question)>/i;

/** What the human answered stands in the result of the tool that asked. */
const ANSWERED = /^\[[\w.-]{2,60}(?: for [^\]\n]{1,200})?\] Result:[^<]{0,400}<(answer|feedback|user_message)>\s*\S/;

/** Words typed behind a slash command. */
const TYPED_ARGUMENTS = /<(command-args)>\s{0,20}\S{1,200}\s{1,20}\S/;

/** HTML that people paste; an element of these says nothing about who wrote it. */
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
 * True when a user-role message was made by a client and not written by the human: tool output, file contents,
 * wrappers. Recognised by shape; size is the caller's to judge (`LONG_PASTE_TOKENS`).
 */
export function isClientMade(text: string): boolean {
  const start = text.trimStart();
  if (start === '') return true;
  if (isFenced(start)) return true;
  if (ANSWERED.test(start.slice(0, 1000))) return false;
  const head = start.slice(0, 4000);
  if (CLIENT_OPENINGS.some((opening) => opening.test(head))) return true;
  const element = /^<([a-zA-Z][\w-]{1,40})(?:\s[^>]{0,200})?>/.exec(head);
  if (element?.[1] === undefined) return false;
  const name = element[1].toLowerCase();
  if (HUMAN_ELEMENTS.has(name) || MARKUP_ELEMENTS.has(name)) return false;
  return !HUMAN_ELEMENT_INSIDE.test(text) && !TYPED_ARGUMENTS.test(text) && !hasTextAfterElements(start);
}

/** Words after the last closing element are the human's: clients put their wrappers before what was typed. */
function hasTextAfterElements(text: string): boolean {
  const close = text.lastIndexOf('</');
  if (close < 0) return false;
  const end = text.indexOf('>', close);
  if (end < 0) return false;
  return text.slice(end + 1).trim().length > 0;
}
