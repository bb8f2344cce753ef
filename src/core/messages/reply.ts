import { parseJson } from './parseJson.ts';

/** Finds what the human said inside a tool's result, by the words that clients put around it. */

const LONGEST_REPLY = 12_000;
/** What clients write before the human's words is at most this long. Characters. */
const LEAD = 700;

/** How a result begins when the human declined, corrected or commented on the call. */
const REFUSED = "reject|den(?:y|ied)|declin|refus|disapprov|cancel|interrupt|doesn['’]t want|(?:does|did) not want";
const COMMENTED = 'approved|provided|requested changes';
const HUMAN_ACTED = acted(`${REFUSED}|${COMMENTED}`);
/** What clients write directly before the words, on the first line. */
const SAID = new RegExp(
  [
    '\\b(?:(?:the )?(?:user|human) (?:said|wrote|replied|responded|answered)',
    '(?:feedback|reason|comments?|message|instructions?|context|guidance)\\b[^:\\n]{0,40})\\s*:\\s*',
  ].join('|'),
  'i',
);
/** Elements in which clients put the words. */
const ELEMENT = /<(feedback|answer|user_message|response)>\s*([\s\S]*?)\s*<\/\1>/i;
/** What clients put after the words. */
const BEHIND = /\n\s*<(?:system-reminder|environment_details)>|\n\nNote: The user['’]s next message/;

function acted(verbs: string): RegExp {
  const parts = [
    `^[\\s[*]{0,4}(?:the )?(?:user|human)(?: has| explicitly| also)? (?:${verbs})`,
    '^[^\\n]{0,80}\\b(?:rejected|denied|declined) by (?:the )?(?:user|human)\\b',
  ];
  return new RegExp(parts.join('|'), 'i');
}

/**
 * What the human said when declining, correcting or commenting on a call; undefined when the result does not begin with
 * a client's words about that, or has no words of the human after them.
 */
export function correctionIn(result: string): string | undefined {
  if (/^\s*\{/.test(result)) return feedbackField(result);
  const start = result.trimStart();
  if (!HUMAN_ACTED.test(start.slice(0, LEAD))) return undefined;
  const element = leadingElement(start);
  if (element !== undefined) return words(element);
  const lineEnd = start.indexOf('\n');
  const said = SAID.exec(start.slice(0, lineEnd < 0 ? LEAD : Math.min(lineEnd + 1, LEAD)));
  return said === null ? undefined : words(start.slice(said.index + said[0].length));
}

/** The same as JSON: `{"status":"denied","feedback":"…"}`. */
function feedbackField(result: string): string | undefined {
  if (!/"status"\s*:\s*"(?:denied|approved|rejected)"/.test(result.slice(0, LEAD))) return undefined;
  const parsed = parseJson(result);
  const feedback = typeof parsed === 'object' && parsed !== null && 'feedback' in parsed ? parsed.feedback : undefined;
  return typeof feedback === 'string' ? words(feedback) : undefined;
}

function leadingElement(result: string): string | undefined {
  const element = ELEMENT.exec(result.slice(0, LEAD + LONGEST_REPLY));
  return element === null || element.index > LEAD ? undefined : element[2];
}

/** What the human answered, in the result of a tool that asks; undefined when nobody answered. */
function answerIn(result: string): string | undefined {
  if (result.length > LONGEST_REPLY) return undefined;
  const element = leadingElement(result);
  if (element !== undefined) return words(element);
  if (NO_ANSWER.test(result.slice(0, LEAD))) return undefined;
  const written = WRITTEN_ANSWER.exec(result)?.[1];
  if (written !== undefined) return words(written);
  const listed = structured(result);
  if (listed !== undefined) return words(listed);
  return words(result.replace(ANSWER_LEAD, '').replace(ANSWER_TAIL, ''));
}

/** `**Answer:** A` after the question and its options, in logs that keep all of these in one text. */
const WRITTEN_ANSWER = /\n\s*\*{0,2}(?:User )?Answer:?\*{0,2}:?\s*(\S[\s\S]*)$/i;
/** `User has answered your questions: `, `User selected: `, `Responses:`. */
const ANSWER_LEAD =
  /^\s*(?:(?:(?:the )?(?:user|human)\b|your questions\b)[^:\n"]{0,80}|responses?|answers?|selected(?: option)?)\s*:\s*/i;
const ANSWER_TAIL = /\s*You can now continue\b[\s\S]{0,200}$/;
const NO_ANSWER = new RegExp(
  [
    '\\b(?:reject(?:ed|s)|dismiss(?:ed|es)|cancel(?:l?ed|s)?|declin(?:ed|es?)|skipped|timed? ?out|unanswered',
    "no (?:answer|response|option selected)|did(?:n['’]t| not) (?:answer|respond|want)|doesn['’]t want)\\b",
  ].join('|'),
  'i',
);

/** Fields of a structured answer that are the client's own. */
const OWN_FIELDS = /^(?:action|status|type|id|question|prompt|header|is_?error|success)$/i;

/** The texts of an answer in JSON, in order. */
function structured(result: string): string | undefined {
  const parsed = /^\s*\{/.test(result) ? parseJson(result) : undefined;
  if (parsed === undefined) return undefined;
  const found: string[] = [];
  const collect = (value: unknown, depth: number): void => {
    if (depth > 8 || found.length > 50) return;
    if (typeof value === 'string') found.push(value);
    else if (Array.isArray(value)) for (const item of value) collect(item, depth + 1);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) if (!OWN_FIELDS.test(name)) collect(inner, depth + 1);
    }
  };
  collect(parsed, 0);
  return found.join(', ');
}

function words(text: string): string | undefined {
  const behind = BEHIND.exec(text);
  const own = (behind === null ? text : text.slice(0, behind.index)).slice(0, LONGEST_REPLY).trim();
  return own === '' ? undefined : own;
}

const HUMAN = new Set(['user', 'human']);
const ASKING = new Set(
  [
    'ask asks input question questions prompt confirm confirmation feedback',
    'approval answer response reply choice elicit clarification',
  ].flatMap((line) => line.split(' ')),
);
const QUESTIONS = new Set(['question', 'questions', 'followup', 'clarification', 'clarify']);

/** True for the name of a tool that asks the human: `ask_user`, `AskUserQuestion`, `request_user_input`, `question`. */
function asksHuman(tool: string): boolean {
  const name = wordsOf(tool);
  const has = (set: ReadonlySet<string>): boolean => name.some((word) => set.has(word));
  if (name.length === 1) return /^(?:ask|questions?|elicit|clarify)$/.test(name[0] ?? '');
  return (has(HUMAN) && has(ASKING)) || (has(new Set(['ask'])) && has(QUESTIONS));
}

/** True for a tool that shows the human a plan or a result and waits: its result may have the human's words. */
function presentsToHuman(tool: string): boolean {
  const name = wordsOf(tool);
  return (name.includes('plan') && /mode|present|respond/.test(tool.toLowerCase())) || name.includes('completion');
}

function wordsOf(tool: string): string[] {
  return tool
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

/** `[ask_followup_question for 'Which?'] Result:`: a result that a client sends as a user message. */
const RESULT = /^\s*\[([\w.-]{2,60})(?: for [^\]\n]{1,200})?\] Result:\s*/;

/** The human's words in a result that a client sends as a user message; undefined when it has none. */
export function replyInMessage(text: string): string | undefined {
  const head = RESULT.exec(text.slice(0, 400));
  const name = head?.[1];
  if (head === null || name === undefined) return undefined;
  return replyTo(name, text.slice(head[0].length));
}

/**
 * The human's words in a tool's result: the answer, when the tool asks; otherwise only what the client says that the
 * human said when declining, correcting or commenting.
 */
export function replyTo(tool: string, result: string): string | undefined {
  const correction = correctionIn(result);
  if (correction !== undefined) return correction;
  if (asksHuman(tool)) return answerIn(result);
  const element = presentsToHuman(tool) ? leadingElement(result) : undefined;
  return element === undefined ? undefined : words(element);
}
