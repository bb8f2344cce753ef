import type { Found } from '../found.ts';
import { parseJson } from '../read/callFields.ts';
import { type Question, questionsOf, writtenQuestion } from '../read/questions.ts';
import type { Reading } from '../read/reading.ts';
import { cutAtWord, LONGEST_SENTENCE, normalizeWords } from '../read/sentences.ts';

/** Longer results are no answers of a human, characters. */
const LONGEST_RESULT = 12_000;
const LONGEST_QUESTION = 200;
const LONGEST_OPTION = 80;

/**
 * What the human answered to questions of tools: question and answer, with the options not taken as anchor. Of a tool
 * whose name does not say that it asks, only a result that is one of its options counts.
 */
export function findAnswers(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const { result } = use;
    if (result === undefined || result.failed || result.text.length > LONGEST_RESULT) return [];
    const asks = asksHuman(use.name);
    const questions = questionsOf(use);
    if (questions.length === 0) {
      const written = asks ? writtenQuestion(result.text) : undefined;
      return written === undefined ? [] : factOf(written.question, written.answer, result.at);
    }
    return questions.flatMap((question) => {
      if (!asks && !question.options.some((option) => option.label === result.text.trim())) return [];
      const answer = answerTo(question, questions, result.text);
      return answer === undefined ? [] : factOf(question, answer, result.at);
    });
  });
}

const ASKING = new Set(
  'ask asks question questions questionnaire elicit elicitation clarify clarification followup choice choose confirm confirmation survey poll input prompt'.split(
    ' ',
  ),
);

/** True for the name of a tool that asks: `ask_user`, `AskUserQuestion`, `userInput`; not `TaskUpdate`. */
function asksHuman(name: string): boolean {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return words.some((word) => ASKING.has(word));
}

function factOf(question: Question, said: string, at: number): Found[] {
  const answer = cutAtWord(said.trim(), LONGEST_SENTENCE);
  if (answer === '') return [];
  const taken = question.options.filter((option) => mentions(answer, option.label, question));
  if (taken.length === 0 && NO_ANSWER.test(answer)) return [];
  const rejected = taken.length === 0 ? [] : question.options.filter((option) => !taken.includes(option));
  const asked = cutAtWord(question.text.replace(/\s+/g, ' ').trim(), LONGEST_QUESTION);
  return [
    {
      class: 'decision',
      value: `${asked} → ${answer}`,
      key: `asked ${normalizeWords(question.text)} ${normalizeWords(
        question.options
          .map(({ label }) => label)
          .sort()
          .join(' '),
      )}`,
      at,
      by: 'human',
      ...(rejected.length === 0
        ? {}
        : { anchor: rejected.map((option) => cutAtWord(option.label, LONGEST_OPTION)).join(', ') }),
    },
  ];
}

/** True when an answer names an option, and not only inside the name of a longer one. */
function mentions(answer: string, label: string, question: Question): boolean {
  if (answer === label) return true;
  const longer = question.options.filter((other) => other.label !== label && other.label.includes(label));
  const rest = longer.reduce((text, other) => text.replaceAll(other.label, ' '), answer);
  const at = rest.indexOf(label);
  if (at < 0) return false;
  const touches = (a: string | undefined, b: string | undefined): boolean => /^\w\w$/.test(`${a ?? ' '}${b ?? ' '}`);
  return !touches(rest[at - 1], label[0]) && !touches(label.at(-1), rest[at + label.length]);
}

const NO_ANSWER =
  /\b(?:reject(?:ed|s)|dismiss(?:ed|es)|cancel(?:l?ed|s)?|declin(?:ed|es?)|skipped|timed? ?out|unanswered|no (?:answer|response|option selected)|did(?:n['’]t| not) (?:answer|respond|want)|doesn['’]t want)\b/i;

/** The answer to one of the questions of a call, as the result has it. */
function answerTo(question: Question, all: readonly Question[], result: string): string | undefined {
  const parsed = parseJson(result);
  if (typeof parsed === 'object' && parsed !== null) return structuredAnswer(question, all, parsed);
  const text = partFor(question, all, result);
  if (text === undefined) return undefined;
  const quoted = /^["”*_\s]*(?:=|:|→|->|=>)\s*["“]([\s\S]{1,2000}?)["”](?:\s|[,.;]|$)/.exec(text)?.[1];
  return quoted ?? bareAnswer(question, text);
}

/** What stands behind the question when the result repeats it, up to the next question. */
function partFor(question: Question, all: readonly Question[], result: string): string | undefined {
  const marks = [question.text, ...question.names].filter((mark) => mark !== '');
  const mark = marks.find((text) => result.includes(text));
  if (mark === undefined) return all.length === 1 ? result : undefined;
  const from = result.indexOf(mark) + mark.length;
  const ends = all
    .filter((other) => other !== question)
    .flatMap((other) => [other.text, ...other.names].map((text) => (text === '' ? -1 : result.indexOf(text, from))))
    .filter((end) => end > 0);
  return result.slice(from, Math.min(result.length, ...ends));
}

/** An answer without what a client puts around it: an element, `User selected:`, the option's number. */
function bareAnswer(question: Question, text: string): string | undefined {
  const inner = text
    .replace(/<\/?[a-z_]{2,30}>/gi, ' ')
    .replace(/^[\s:=>*"-]+/, '')
    .trim();
  const after = /^[^:：\n]{0,60}[:：]\s*([\s\S]+)$/.exec(inner)?.[1]?.trim();
  const byClient = after !== undefined && /^(?:the )?(?:user|human|answer|selected|response|option|you)\b/i.test(inner);
  for (const said of [inner, after]) {
    const option = said === undefined ? undefined : optionFor(question, said);
    if (option !== undefined) return option;
  }
  return byClient ? after : inner;
}

/** The option that an answer is: its label, its id or its number. */
function optionFor(question: Question, said: string): string | undefined {
  const whole = said.replace(/^["'`[(\s]+|["'`\]).\s]+$/g, '');
  const number = /^(?:option |#)?(\d{1,2})$/i.exec(whole)?.[1];
  return (
    question.options.find((option) => option.label === said || option.label === whole || option.id === whole) ??
    (number === undefined ? undefined : question.options[Number(number) - 1])
  )?.label;
}

/** An answer in a structured result: the texts under the question's name, or all when it is the only one. */
function structuredAnswer(question: Question, all: readonly Question[], parsed: object): string | undefined {
  const names = new Set([question.text, ...question.names]);
  const said: { text: string; under: readonly string[] }[] = [];
  const collect = (value: unknown, under: readonly string[]): void => {
    if (said.length > 100 || under.length > 8) return;
    if (typeof value === 'string') said.push({ text: value.trim(), under });
    else if (Array.isArray(value)) for (const item of value) collect(item, under);
    else if (typeof value === 'object' && value !== null) {
      for (const [field, inner] of Object.entries(value)) collect(inner, [...under, field]);
    }
  };
  collect(parsed, []);
  const index = String(all.indexOf(question));
  const own = said.filter(({ under }) => under.some((field) => names.has(field) || field === index));
  const candidates = own.length > 0 || all.length > 1 ? own : said;
  const taken = candidates.flatMap(({ text }) => optionFor(question, text) ?? []);
  if (taken.length > 0) return [...new Set(taken)].join(', ');
  return candidates.find(({ text, under }) => text !== '' && FREE_FIELD.test(under.at(-1) ?? ''))?.text;
}

const FREE_FIELD = /free|custom|other|note|answers?$|response/i;
