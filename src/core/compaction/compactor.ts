import { english } from '../language.ts';
import { fence, PLANNED_MARK, withMark } from '../messages/fence.ts';
import { runInSlices } from '../steps.ts';
import { act } from './act.ts';
import { type CompactionRun, type CompactorPorts, planRun } from './compactionRun.ts';
import { mustFit } from './ladder.ts';
import { finishRun, type MadeRun } from './madeRun.ts';
import { addUse, MeteredSummarizer, type ModelUse } from './modelUse.ts';
import { type CompactionError, type CompactionResult, describeSkip, type Skip } from './outcome.ts';
import { applyChoices } from './preview/applyChoices.ts';
import { STRATEGIES } from './strategies.ts';
import type { Strategy } from './strategy.ts';
import { fitUnread } from './unread.ts';

/** The result of a run together with the run itself, which can be shown and recorded later. */
export interface PreparedRun {
  readonly result: CompactionResult;
  /** Absent when the run ended before a plan was carried out. */
  readonly made?: MadeRun;
}

/**
 * Plans, acts, checks the laws and returns what is to be recorded. Changes nothing itself, so a failed, skipped or
 * cancelled run leaves everything as it was (law 9). A fallback runs only when one is named, and the result says so.
 */
export async function runCompaction(run: CompactionRun, ports: CompactorPorts): Promise<PreparedRun> {
  const meter = run.summarizer === undefined ? undefined : new MeteredSummarizer(run.summarizer);
  const metered = meter === undefined ? run : { ...run, summarizer: meter };
  const ahead = run.spent;
  const first = await runStrategy(metered, { strategy: STRATEGIES[run.strategy], meter, ahead }, ports);
  // Where the request must fit, the ladder stands in for a strategy that changes nothing.
  const { fallback = mustFit(run.trigger) ? 'adaptive' : undefined } = run;
  if (fallback === undefined || fallback === run.strategy || !deservesFallback(first.result)) return first;
  const reason = describe(first.result);
  const attempt: Attempt = {
    strategy: STRATEGIES[fallback],
    meter,
    ahead,
    fellBack: { fellBackFrom: run.strategy, fellBackBecause: reason },
    ...(first.result.kind === 'failed' && { unwritten: first.result.error }),
  };
  const { prepared: _, ...anew } = metered;
  const second = await runStrategy(anew, attempt, ports);
  return second.result.kind === 'compacted' || second.result.kind === 'cancelled' ? second : first;
}

/**
 * Unguessable ids differ in their token count. Of at most this many, the first that takes as many tokens as the planned
 * mark is used; about one in four does.
 */
const MOST_IDS = 60;

function chooseMark(run: CompactionRun, ports: CompactorPorts): string {
  const planned = run.count(fence(PLANNED_MARK, ''));
  let id = ports.newId();
  for (let tries = 1; tries < MOST_IDS && run.count(fence(id, '')) !== planned; tries += 1) id = ports.newId();
  return id;
}

/** A skip that says that there is nothing to gain is not a failure of the strategy. */
function deservesFallback(result: CompactionResult): boolean {
  return (
    result.kind === 'failed' ||
    (result.kind === 'skipped' && result.reason !== 'empty' && result.reason !== 'already-under-target')
  );
}

function describe(result: CompactionResult): string {
  if (result.kind === 'failed') return result.error.message;
  return result.kind === 'skipped' ? result.message : '';
}

/** One attempt at a run, with the strategy or its fallback. */
interface Attempt extends Pick<MadeRun, 'fellBack' | 'unwritten'> {
  readonly strategy: Strategy;
  readonly meter: MeteredSummarizer | undefined;
  /** What asking the model ahead of the run cost: the receipt includes it. */
  readonly ahead: ModelUse | undefined;
}

async function runStrategy(
  run: CompactionRun,
  { strategy, meter, ahead, fellBack, unwritten }: Attempt,
  ports: CompactorPorts,
): Promise<PreparedRun> {
  const started = ports.elapsed();
  const skip = (why: Skip): PreparedRun => ({
    result: { kind: 'skipped', strategy: strategy.id, ...why, message: describeSkip(why) },
  });
  const fail = (error: CompactionError): PreparedRun => ({ result: { kind: 'failed', strategy: strategy.id, error } });
  if (run.transcript.messages.length === 0) return skip({ reason: 'empty' });
  if (strategy.model === 'required' && run.summarizer === undefined) {
    return fail({
      kind: 'no-summarizer',
      message: english(
        'Strategy {0} needs a model to write its summaries, and none is set. Set one, or choose a strategy that needs none.',
        strategy.id,
      ),
    });
  }
  const cancelled: PreparedRun = { result: { kind: 'cancelled', strategy: strategy.id } };
  const planned = await planRun(run, strategy, ports);
  // Before a model is asked.
  if (run.signal.aborted) return cancelled;
  if (!planned.ok) return skip(planned.error);
  const { input, plan } = planned.value;
  const acted = await act(run, strategy, planned.value, ports);
  if (acted.kind === 'cancelled' || run.signal.aborted) return cancelled;
  if (acted.kind === 'failed') return fail(acted.error);
  const planOf = { ...input, promise: strategy.promise };
  const chosen = await runInSlices(applyChoices(acted.after, run, planOf), ports);
  const fitting = await runInSlices(fitUnread(chosen, input.limit), ports);
  const mark = chooseMark(run, ports);
  const marked = await runInSlices(
    fitting.map((message) => withMark(message, mark)),
    ports,
  );
  const made: MadeRun = {
    strategy,
    before: input.draft,
    after: marked,
    mark,
    acted,
    ...(plan.cuts !== undefined && { cuts: plan.cuts }),
    ...(meter !== undefined && { use: ahead === undefined ? meter.use : addUse(ahead, meter.use) }),
    ms: ports.elapsed() - started,
    ...(fellBack !== undefined && { fellBack }),
    ...(unwritten !== undefined && { unwritten }),
  };
  return { result: await finishRun(run, made, ports), made };
}
