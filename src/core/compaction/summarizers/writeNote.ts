import { createSourceIndex, findInventions, isStated, requiredFacts, type SourceIndex } from '../../ledger/audit.ts';
import type { Fact } from '../../ledger/fact.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { blockMessages } from '../../messages/blocks.ts';
import { neutralise } from '../../messages/fence.ts';
import { handleOf } from '../../messages/handle.ts';
import type { Steps } from '../steps.ts';
import type { NoteOrder } from '../strategy.ts';
import { type CountText, toPieces } from './pieces.ts';
import { notePrompt } from './prompt.ts';
import type { Summarizer } from './summarizer.ts';

/** What came of an order. `rejected` notes are not used; the deterministic note of the plan stands then. */
export type NoteOutcome =
  | {
      readonly kind: 'written';
      readonly text: string;
      readonly calls: number;
      readonly missing: readonly string[];
      readonly rejected: readonly string[];
    }
  | { readonly kind: 'rejected'; readonly calls: number; readonly rejected: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string; readonly calls: number }
  | { readonly kind: 'cancelled'; readonly calls: number };

/** Tokens of the prompt around the conversation: instructions, marks, roles. */
const PROMPT_TOKENS = 700;
/** One answer may take this share of the summarizer's window at most; and may always have so many tokens. */
const ANSWER_SHARE = 0.25;
const LEAST_ANSWER = 64;
/** Facts are listed to the summarizer up to this share of its window. */
const FACT_SHARE = 0.15;
/** A note may be this much longer than ordered before it is refused. */
const LENGTH_SLACK = 1.5;
/** First try and one retry that names the misses (DESIGN law 7). */
const TRIES = 2;
const MOST_NAMED = 12;
/** Characters of an invention that the retry names: what a hostile answer says must not crowd out the conversation. */
const LONGEST_NAMED = 120;

interface NoteInput {
  readonly order: NoteOrder;
  readonly ledger: Ledger;
  readonly summarizer: Summarizer;
  readonly count: CountText;
  readonly signal: AbortSignal;
  /** Runs long work in slices. */
  readonly run: <Value>(steps: Steps<Value>) => Promise<Value>;
}

/**
 * Has a model write the note of an order from raw messages, and checks it against them: what it invents or how it
 * fails its form is named in one retry. Never sends more than the summarizer's window takes.
 */
export async function writeNote(input: NoteInput): Promise<NoteOutcome> {
  const shown: string[] = [];
  const source = sourceOf(input.order, shown);
  const facts = requiredFacts(input.ledger, input.order.source).literal;
  let calls = 0;
  let complaint: string | undefined;
  let rejected: readonly string[] = [];
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const asked = await ask(input, facts, complaint, shown);
    calls += asked.calls;
    if (input.signal.aborted) return { kind: 'cancelled', calls };
    if (!asked.ok) return { kind: 'failed', message: asked.message, calls };
    await input.run(source.prepare());
    const fault = findFault(asked.text, input, (token) => source.has(token));
    if (fault === undefined) {
      const missing = facts.filter((fact) => !isStated(fact, asked.text)).map((fact) => fact.value);
      return { kind: 'written', text: neutralise(asked.text).toWellFormed(), calls, missing, rejected };
    }
    rejected = [...rejected, ...fault.named];
    complaint = fault.complaint;
  }
  return { kind: 'rejected', calls, rejected };
}

/** What a note may draw on: the raw messages, and what the summarizer was shown of them, marks of excerpts included. */
function sourceOf(order: NoteOrder, shown: readonly string[]): SourceIndex {
  return createSourceIndex(function* texts() {
    yield* shown;
    for (const block of order.blocks) {
      for (const message of blockMessages(block)) {
        yield message.text;
        yield handleOf({ from: message.id, to: message.id });
        if (message.role === 'assistant') for (const call of message.calls) yield `${call.name} ${call.arguments}`;
      }
    }
  });
}

type Asked =
  | { readonly ok: true; readonly text: string; readonly calls: number }
  | { readonly ok: false; readonly message: string; readonly calls: number };

/** Asks for the note, in as many pieces as the window demands; the parts are joined as they are, never summarized again. */
async function ask(
  input: NoteInput,
  facts: readonly Fact[],
  complaint: string | undefined,
  shown: string[],
): Promise<Asked> {
  const { order, summarizer, count, signal } = input;
  const answer = Math.min(order.maxTokens, Math.floor(summarizer.inputLimit * ANSWER_SHARE));
  const window = summarizer.inputLimit - answer;
  const listed = listFacts(facts, Math.floor(window * FACT_SHARE), count);
  const room = Math.max(200, window - PROMPT_TOKENS - count(listed) - count(complaint ?? ''));
  const pieces = await input.run(toPieces(order.blocks, room, count));
  if (shown.length === 0) shown.push(...pieces, listed);
  const maxTokens = Math.max(LEAST_ANSWER, Math.min(answer, Math.floor(order.maxTokens / pieces.length)));
  const texts: string[] = [];
  for (const [index, conversation] of pieces.entries()) {
    const messages = notePrompt({
      conversation,
      facts: index === pieces.length - 1 ? listed : '',
      maxTokens,
      ...(complaint !== undefined && { complaint }),
    });
    try {
      texts.push((await untilAborted(summarizer.write({ messages, maxTokens, signal }), signal)).trim());
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error), calls: texts.length + 1 };
    }
    if (signal.aborted) break;
  }
  return { ok: true, text: texts.filter((text) => text !== '').join('\n\n'), calls: texts.length };
}

/** What a promise gives, or a rejection as soon as the signal aborts: a summarizer that does not listen holds nobody up. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('The run was cancelled.'));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function listFacts(facts: readonly Fact[], room: number, count: CountText): string {
  const lines: string[] = [];
  let used = 0;
  for (const fact of [...facts].reverse()) {
    const line = `- ${fact.value}${fact.state === undefined ? '' : ` (${fact.state})`}`;
    used += count(line) + 1;
    if (used > room) break;
    lines.push(line);
  }
  return lines.reverse().join('\n');
}

interface Fault {
  readonly complaint: string;
  readonly named: readonly string[];
}

function findFault(text: string, input: NoteInput, isInSource: (token: string) => boolean): Fault | undefined {
  if (text === '') return { complaint: 'Your last answer was empty. Write the record.', named: ['(empty answer)'] };
  const tokens = input.count(text);
  if (tokens > input.order.maxTokens * LENGTH_SLACK) {
    return {
      complaint: `Your last answer had ${tokens} tokens; at most ${input.order.maxTokens} are allowed. Write it shorter.`,
      named: ['(too long)'],
    };
  }
  const inventions = findInventions(text, isInSource);
  if (inventions.length === 0) return undefined;
  const named = inventions.slice(0, MOST_NAMED).map((invention) => invention.slice(0, LONGEST_NAMED).toWellFormed());
  return {
    complaint: `Your last answer named what the conversation does not: ${named.join(', ')}. Leave these out.`,
    named,
  };
}
