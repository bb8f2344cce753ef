import { fence } from '../chat/fence.ts';
import type { MessageId, MessageRange } from '../chat/message.ts';
import type { Transcript } from '../chat/transcript.ts';
import type { Words } from '../phrase.ts';
import { err, ok, type Result } from '../result.ts';
import { runInSlices, type Steps } from '../steps.ts';
import type { CompactionError, Receipt, Skip, StrategyId } from './compaction.ts';
import { type AskedFor, type Draft, type DraftInput, isFrozen, NOTHING_ASKED_FOR, startDraft } from './draft.ts';
import { fitUnread } from './forms.ts';
import type { PassageIndex } from './recall/passageIndex.ts';
import type { Plan, PlanInput, Strategy } from './strategy.ts';
import type { ModelUse, Summarizer } from './summarizers/summarizer.ts';
import type { NoteResult } from './summarizers/writeNote.ts';

/** One run: what to compact, how, and how far. Token figures are for the messages of the view, without tools. */
export interface CompactionRun
  extends Omit<DraftInput, 'askedFor'>,
    Omit<PlanInput, 'draft' | 'mark' | 'canSummarize' | 'narratives'> {
  readonly strategy: StrategyId;
  readonly fallback?: StrategyId | undefined;
  /** What this run is to keep, in the user's words. */
  readonly instructions?: string | undefined;
  readonly transcript: Transcript;
  readonly index: PassageIndex;
  readonly countText: (text: string) => number;
  readonly aim: Receipt['aim'];
  readonly gauge: Gauge;
  readonly summarizer?: Summarizer | undefined;
  /** What a model wrote ahead of the run, for this view. */
  readonly prepared?: WrittenNotes | undefined;
  /** Messages that the user keeps whole in this run; they are among the pins. */
  readonly keep?: ReadonlySet<MessageId> | undefined;
  /** Messages that the user sets aside although this run would keep them. */
  readonly aside?: ReadonlySet<MessageId> | undefined;
  /** What the user wrote instead of summaries. */
  readonly edits?: readonly NoteEdit[] | undefined;
  readonly signal: AbortSignal;
}

/** Figures for whole requests, tool definitions included, as the gauge shows them. Tokens. */
export interface Gauge {
  /** The budget: the base of every percentage. */
  readonly limit: number;
  /** The tool definitions: they precede the messages and never change. */
  readonly tools: number;
  /** The figure of a request before the run, and after it, given the tokens of its messages. */
  readonly usedBefore: (messageTokens: number) => number;
  readonly usedAfter: (messageTokens: number) => number;
}

/** What a run needs from outside: clocks (milliseconds), and an unguessable id. */
export interface CompactorPorts {
  newId(): string;
  /** Wall time. */
  now(): number;
  /** A clock for durations. */
  elapsed(): number;
  /** Lets everything else that is waiting run first. */
  pause(): Promise<void>;
}

/** What a model wrote for one view, each for an order of its own, and what asking for all that cost. */
export interface WrittenNotes {
  readonly notes: readonly { readonly range: MessageRange; readonly written: NoteResult }[];
  readonly use: ModelUse | undefined;
}

/** Brings the ledger up to date, then makes the first plan of a run. */
export async function planRun(
  run: CompactionRun,
  strategy: Strategy,
  ports: CompactorPorts,
): Promise<Result<{ readonly plan: Plan; readonly input: PlanInput }, Skip>> {
  await runInSlices(run.ledger.read(run.transcript.blocks), ports);
  const askedFor = await runInSlices(findAskedFor(run.instructions, run.index), ports);
  const draft = await runInSlices(startDraft({ ...run, askedFor }), ports);
  const canSummarize = run.summarizer !== undefined;
  const input: PlanInput = { ...run, draft, mark: chooseMark(run, ports), canSummarize, narratives: [] };
  const planned = await runInSlices(strategy.plan(input), ports);
  if (planned.ok) return ok({ plan: planned.value, input });
  // What the user sets aside is a plan too, and so are results that do not fit.
  const fits = (await runInSlices(fitUnread(input.draft, input.limit), ports)) === input.draft;
  if (run.aside !== undefined || !fits) return ok({ plan: { draft: input.draft, orders: [], rungs: [] }, input });
  // Where nothing may change, the target is at least the size of the view, even if that is over the limit.
  const isStuck = draft.tokens > input.limit && draft.units.every(isFrozen);
  return isStuck ? err({ reason: 'nothing-to-compact' }) : planned;
}

/** At most this many passages are looked at, the best first: more than any note has room for. */
const MOST_PASSAGES = 200;

/** Finds what instructions such as "keep the SQL" ask for, by searching the raw messages for their words. */
function* findAskedFor(instructions: string | undefined, index: PassageIndex): Steps<AskedFor> {
  if (instructions === undefined) return NOTHING_ASKED_FOR;
  yield* index.update();
  const found = index.search(instructions, { most: MOST_PASSAGES, among: ({ kind }) => kind !== 'system' });
  const askedFor = new Map<MessageId, number>();
  for (const [order, { passage }] of found.entries())
    for (const { message } of passage.places) if (!askedFor.has(message)) askedFor.set(message, order);
  return askedFor;
}

/** Random ids differ in how many tokens they take. Up to this many are drawn, until one takes as many as USUAL. */
const MOST_IDS = 60;
const USUAL = 'a10b20c30d40';

/** The id of a record. What fits must not depend on it: equal transcripts are planned equally. */
function chooseMark({ count }: CompactionRun, ports: CompactorPorts): string {
  const usual = count(fence(USUAL, ''));
  let id = ports.newId();
  for (let tries = 1; tries < MOST_IDS && count(fence(id, '')) !== usual; tries += 1) id = ports.newId();
  return id;
}

/** What the user wrote instead of a summary. */
export interface NoteEdit {
  /** The raw messages that the summary covers. */
  readonly range: MessageRange;
  /** Markdown, without the summary's first line. */
  readonly text: string;
}

/** A run that was planned and carried out, but not yet checked and recorded. */
export interface MadeRun {
  readonly strategy: Strategy;
  /** The view as it is, and as it would become, already with the record's own mark. */
  readonly before: Draft;
  readonly after: Draft;
  /** The id of the record. */
  readonly mark: string;
  /** Messages that the user set aside, which law 6 ignores. */
  readonly aside: CompactionRun['aside'];
  readonly plan: Pick<Plan, 'rungs' | 'ownTokens'>;
  /** What the model wrote for it. */
  readonly notes: NoteResult;
  /** All that a model has written for this view so far: what a later preview of it can use again. */
  readonly written: WrittenNotes;
  /** Milliseconds that it took so far, without the check and the recording. */
  readonly ms: number;
  /** Why the fallback strategy ran: the strategy that could not, its reason as a sentence, and its error if it failed. */
  readonly fellBack:
    | { readonly from: StrategyId; readonly because: Words; readonly error: CompactionError | undefined }
    | undefined;
}
