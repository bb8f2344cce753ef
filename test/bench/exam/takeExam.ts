import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type ChatMessage, openConversation, resolveProfile } from '../../../src/engine.ts';

/** A window that no session fills: only the target bounds the view. */
const PROFILE = { ...resolveProfile('exam'), contextWindow: 1_000_000, completionReserve: 8000 };

/** Characters for one token: the exam's targets are set with this, so that they do not depend on any counter. */
const CHARACTERS_PER_TOKEN = 3.6;

/** A target is never smaller than this, tokens beside the system prompt. */
const LEAST_TARGET = 8000;

export interface ExamOptions {
  /** The target: a share of the tokens before the cut, without the system prompt. */
  readonly share: number;
  /** A folder whose `SESSION.md` is handed back as the summarizer's answer. */
  readonly summaries?: string | undefined;
}

/** What stands in a view, and in what recall finds by the question's own words: shares, 0 to 1. */
export interface Answered {
  readonly session: string;
  readonly kind: string;
  readonly coverage: number;
  readonly recall: number;
}

/** The answers to one exam, with how full the view is (1 is exactly the target). */
export interface ExamResult {
  readonly session: string;
  readonly fill: number;
  readonly answers: readonly Answered[];
}

/** Compacts what stood before the cut and looks for the answers in it. */
export async function takeExam(
  exam: Exam,
  messages: readonly ChatMessage[],
  options: ExamOptions,
): Promise<ExamResult> {
  const { session, cut, questions } = exam;
  const before = messages.slice(0, cut);
  const target = targetFor(before, options.share);
  const told = summaryOf(session, options.summaries);
  const conversation = openConversation({
    profile: PROFILE,
    strategy: 'adaptive',
    ...(told !== undefined && { summarize: async () => told }),
  });
  conversation.append(before);
  const { tokensAfter } = await conversation.compact({ targetTokens: target });
  const view = printMessages(conversation.view());
  const answers: Answered[] = [];
  for (const question of questions) {
    const recalled = (await conversation.recall(question.question)).map(({ text }) => text).join('\n');
    answers.push({
      session,
      kind: question.kind,
      coverage: atomShare(question, view),
      recall: atomShare(question, recalled),
    });
  }
  return { session, fill: tokensAfter / target, answers };
}

function targetFor(before: readonly ChatMessage[], share: number): number {
  const prompt = estimateTokens(before.filter(({ role }) => role === 'system'));
  const rest = estimateTokens(before.filter(({ role }) => role !== 'system'));
  return prompt + Math.max(LEAST_TARGET, Math.round(rest * share));
}

function summaryOf(session: string, folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  const file = join(folder, `${session}.md`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

const questionShape = z.object({
  n: z.int(),
  /** What is asked for: a wish of the human, a finding, the state of the work, an exact value. */
  kind: z.string(),
  question: z.string(),
  /** Literal strings that any text with the answer almost certainly contains. */
  atoms: z.array(z.string()).min(1),
});

const examShape = z.object({ cut: z.int(), questions: z.array(questionShape).min(1) });

/** A question about what came before a point of a session, and was needed after it. */
export type Question = z.infer<typeof questionShape>;

/** The questions of one session; `cut` is the number of messages before the point. */
export interface Exam extends z.infer<typeof examShape> {
  readonly session: string;
}

/**
 * The exams of a folder: `SESSION.json` with `{cut, questions: [{n, kind, question, atoms}]}`.
 * @throws when a file is no exam
 */
export function readExams(folder: string): Exam[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      session: name.replace(/\.json$/, ''),
      ...examShape.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
    }));
}

/** The share of a question's atoms that are in a text, 0 to 1. Case, blanks and escapes of JSON do not count. */
export function atomShare(question: Question, text: string): number {
  const seen = plain(text);
  return question.atoms.filter((atom) => seen.includes(plain(atom))).length / question.atoms.length;
}

function plain(text: string): string {
  return text
    .replace(/\\n|\\t/g, ' ')
    .replace(/\\"/g, '"')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function textOf({ content }: ChatMessage): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((part) => ('text' in part ? String(part.text) : '')).join('\n') : '';
}

/** The calls of a message, a line each. */
function callsOf(message: ChatMessage): string {
  return (message.tool_calls ?? []).map((call) => `\n  CALL ${call.function.name} ${call.function.arguments}`).join('');
}

/** Messages as a reader of the exam sees them. */
function printMessages(messages: readonly ChatMessage[]): string {
  return messages.map((message) => `=== ${message.role}\n${textOf(message)}${callsOf(message)}`).join('\n\n');
}

function estimateTokens(messages: readonly ChatMessage[]): number {
  const characters = messages.reduce((sum, message) => sum + textOf(message).length + callsOf(message).length, 0);
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
