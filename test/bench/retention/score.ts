import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { countTokens } from '../../../src/engine.ts';
import { type Age, ageOf, type FactClass, type PlantedFact } from './fact.ts';
import { findInvented, SourceTokens } from './inventions.ts';
import { hasValue, isRetained } from './probes.ts';
import { readView } from './readView.ts';
import { type Recall, Recovery } from './recovery.ts';

/** What one contender left of one transcript. */
export interface Outcome {
  readonly view: readonly ChatMessage[];
  readonly recall: Recall;
  /** Everything that a summarizer was shown; '' when none was asked. */
  readonly shown: string;
  /** Processor time of this thread: what other programs take at the same time does not count. */
  readonly milliseconds: number;
  readonly modelCalls: number;
  /** Why nothing changed, when nothing did. */
  readonly remark?: string;
}

/** What became of one fact. */
export interface Verdict {
  readonly fact: PlantedFact;
  readonly age: Age;
  readonly retained: boolean;
  readonly recoverable: boolean;
  readonly visible: boolean;
}

/** The figures of one run. */
export interface Score {
  readonly verdicts: readonly Verdict[];
  readonly inventions: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens before the first message that changed, as a share of all before. */
  readonly prefixKept: number;
  readonly milliseconds: number;
  readonly modelCalls: number;
  readonly remark?: string;
}

/** Asks every probe of what a contender left. */
export async function scoreOutcome(
  source: readonly ChatMessage[],
  facts: readonly PlantedFact[],
  outcome: Outcome,
): Promise<Score> {
  const view = readView(outcome.view, source);
  const recovery = new Recovery(view, outcome.recall);
  const shown = readView([{ role: 'user', content: outcome.shown }], []);
  const verdicts: Verdict[] = [];
  for (const fact of facts) {
    const retained = isRetained(fact, view);
    verdicts.push({
      fact,
      age: ageOf(fact, source.length),
      retained,
      recoverable: retained || (await recovery.has(fact)),
      visible: outcome.shown !== '' && hasValue(fact, shown),
    });
  }
  return {
    verdicts,
    inventions: findInvented(view, new SourceTokens(source)),
    tokensBefore: countTokens(source),
    tokensAfter: countTokens(outcome.view),
    prefixKept: prefixKept(source, outcome.view),
    milliseconds: outcome.milliseconds,
    modelCalls: outcome.modelCalls,
    ...(outcome.remark !== undefined && { remark: outcome.remark }),
  };
}

function prefixKept(source: readonly ChatMessage[], view: readonly ChatMessage[]): number {
  const changed = source.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(view[index]));
  return changed < 0 ? 1 : countTokens(source.slice(0, changed)) / Math.max(1, countTokens(source));
}

/** Shares over some verdicts; undefined when there are none. */
export interface Shares {
  readonly count: number;
  readonly retained: number;
  readonly recoverable: number;
  readonly visible: number;
  readonly lost: number;
}

export function shares(verdicts: readonly Verdict[]): Shares | undefined {
  const count = verdicts.length;
  if (count === 0) return undefined;
  const share = (holds: (verdict: Verdict) => boolean): number => verdicts.filter(holds).length / count;
  return {
    count,
    retained: share(({ retained }) => retained),
    recoverable: share(({ recoverable }) => recoverable),
    visible: share(({ visible }) => visible),
    lost: share(({ recoverable, visible }) => !recoverable && !visible),
  };
}

export function ofClass(verdicts: readonly Verdict[], ...classes: readonly FactClass[]): Verdict[] {
  return verdicts.filter(({ fact }) => classes.includes(fact.class));
}
