import type { AssistantMessage } from '../chat/message.ts';
import { InvalidMessageError } from '../chat/parse.ts';
import type { ChatMessage, Usage } from '../chat/wire.ts';
import { costOf, costOfBrokenCache, type ModelTokens, readTokens } from '../model/cost.ts';
import { phrase, type Words } from '../phrase.ts';
import { INTERRUPTED_FIELD } from './continuation.ts';
import { compactWhenDue, ModelCalls, saveState } from './modelCall.ts';
import { runTools } from './tools.ts';
import type { TurnContext, TurnOutcome, TurnProblem } from './turnContext.ts';

/** Finish reasons of a reply that was cut off at the output limit. */
const CUT_OFF = new Set(['length', 'max_tokens', 'max_output_tokens']);

/** Runs a turn: compact if due, ask, append, run tools, repeat. Each step is on disk before the next one. */
export async function runTurn(context: TurnContext): Promise<TurnOutcome> {
  const outcome = await runRounds(context);
  await saveState(context);
  return outcome;
}

async function runRounds(context: TurnContext): Promise<TurnOutcome> {
  const { conversation, signal } = context;
  const calls = new ModelCalls(context);
  const spent: Spent = { since: context.clock.now(), dollars: 0, lastDollars: 0, isCompacted: false };
  for (let round = 1; ; round += 1) {
    const passed = limitPassed(context, round, spent);
    if (passed !== undefined) return { kind: 'failed', problem: passed };
    const ended = await context.beforeStep();
    if (ended !== undefined) return ended;
    const compacted = await compactWhenDue(context);
    spent.isCompacted = compacted?.kind === 'compacted';
    if (signal.aborted || compacted?.kind === 'cancelled') return { kind: 'cancelled' };
    const asked = await calls.ask(round);
    if (asked.kind !== 'reply') {
      const kept = asked.partial === undefined ? undefined : await appendReply(context, markInterrupted(asked.partial));
      if (asked.kind === 'cancelled') return kept ?? { kind: 'cancelled' };
      return { kind: 'failed', problem: asked.problem };
    }
    const { reply } = asked;
    spent.lastDollars = tellCost(context, reply.usage, spent);
    spent.dollars += spent.lastDollars;
    const cutOff = CUT_OFF.has(reply.finishReason);
    // Calls that were cut off get a result that says so, and the turn goes on by itself.
    const isToContinue = cutOff && (reply.message.tool_calls?.length ?? 0) === 0;
    const failed = await appendReply(context, isToContinue ? markInterrupted(reply.message) : reply.message);
    if (failed !== undefined) return failed;
    const appended = conversation.transcript.messages.at(-1);
    if (appended?.role !== 'assistant' || appended.calls.length === 0) {
      warnAboutEnd(context, reply.finishReason, cutOff);
      return { kind: 'answered', rounds: round, cutOff };
    }
    const stopped = await answerCalls(context, appended, cutOff);
    if (stopped !== undefined) return stopped;
  }
}

/** The limit that the next round would exceed; the user may let the turn go on. */
function limitPassed(
  { limits: { rounds, minutes, dollars }, clock }: TurnContext,
  round: number,
  spent: Readonly<Spent>,
): TurnProblem | undefined {
  if (round > rounds) return { kind: 'turn-limit', limit: 'rounds', most: rounds };
  if (minutes !== null && clock.now() - spent.since >= minutes * 60_000)
    return { kind: 'turn-limit', limit: 'minutes', most: minutes };
  // The next request costs about as much as the last.
  if (dollars !== null && spent.dollars > 0 && spent.dollars + spent.lastDollars > dollars)
    return { kind: 'turn-limit', limit: 'dollars', most: dollars };
  return undefined;
}

/** What a turn has used so far. */
interface Spent {
  /** When it began. Milliseconds of the clock. */
  readonly since: number;
  /** The cost of all requests, and of the last, as far as it is known. US dollars. */
  dollars: number;
  lastDollars: number;
  /** A compression ran before the next request. */
  isCompacted: boolean;
  /** The tokens of the last request. */
  last?: ModelTokens | undefined;
}

/** Reports and returns the cost of a request; 0 where it is unknown. */
function tellCost({ conversation, listener }: TurnContext, usage: Usage | undefined, spent: Spent): number {
  const [tokens, { price }, before] = [readTokens(usage), conversation.profile(), spent.last];
  spent.last = tokens;
  if (tokens === undefined || price === undefined) return 0;
  const dollars = costOf(tokens, price);
  const broken = spent.isCompacted && before !== undefined ? costOfBrokenCache(before, tokens, price) : 0;
  if (dollars > 0) listener.onCost?.({ dollars, broken });
  return dollars;
}

async function answerCalls(context: TurnContext, reply: AssistantMessage, cutOff: boolean) {
  const { tools, signal, listener } = context;
  listener.onState?.({ kind: 'running-tools', tools: reply.calls.map((call) => call.name) });
  const results = await runTools({ calls: reply.calls, tools, cutOff, signal });
  const failed = await append(context, results);
  if (failed !== undefined) return failed;
  return signal.aborted ? ({ kind: 'cancelled' } as const) : undefined;
}

/** Appends what a model sent. An invalid message ends the turn instead of throwing. */
async function appendReply(context: TurnContext, reply: ChatMessage): ReturnType<typeof append> {
  try {
    return await append(context, [reply]);
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error;
    return { kind: 'failed', problem: { kind: 'unusable-reply', message: error.message } };
  }
}

/**
 * Appends to the transcript and to the disk. Checks and serialises all messages first, so that transcript and disk queue
 * get either all of them or none. A returned outcome ends the turn.
 * @throws InvalidMessageError when a message is invalid; then none was appended.
 */
export async function append(
  { conversation, store, listener }: Pick<TurnContext, 'conversation' | 'store' | 'listener'>,
  messages: readonly ChatMessage[],
): Promise<Extract<TurnOutcome, { kind: 'failed' }> | undefined> {
  const notSaved = ({ message }: { readonly message: Words }) =>
    ({ kind: 'failed', problem: { kind: 'not-saved', message } }) as const;
  const checked = conversation.check(messages);
  const queued = store.queue(messages);
  if (!queued.ok) return notSaved(queued.error);
  conversation.add(checked);
  listener.onState?.({ kind: 'saving' });
  const saved = await store.flush();
  return saved.ok ? undefined : notSaved(saved.error);
}

function markInterrupted(partial: ChatMessage): ChatMessage {
  return { ...partial, [INTERRUPTED_FIELD]: true };
}

function warnAboutEnd({ listener }: TurnContext, finishReason: string, cutOff: boolean): void {
  if (cutOff) listener.onEvent?.({ type: 'warning', message: phrase('reply.output-limit') });
  if (finishReason !== 'content_filter') return;
  listener.onEvent?.({ type: 'warning', message: phrase('reply.filtered') });
}
