import type { NextFiles } from './real/nextFiles.ts';
import { ofClass, type Score, shares, type Verdict } from './score.ts';

/** A figure that must be reached, and whether it was. */
export interface Gate {
  readonly name: string;
  readonly demanded: string;
  readonly found: string;
  readonly passed: boolean;
}

/** What must never be lost, whatever the summarizer does. */
const NEVER_LOST = ['file-changed', 'constraint', 'todo', 'newest-error', 'user-message'] as const;
/** The share of the facts of all classes together that must be in view. */
const LEAST_RETAINED = 0.9;
/** The share of the tokens that may be kept of a conversation of 75k. */
const MOST_KEPT = 0.15;
/** A chain may end this much below what it is compared with. */
const CHAIN_LOSS = 0.03;
const LADDER_MILLISECONDS = 150;
/** The share of the tokens that may be kept at a true compaction point, without those of the human. */
const MOST_KEPT_REAL = 0.1;

/** Gates that hold for every run whose notes are checked, with and without a summarizer. */
export function floorGates(id: string, scores: readonly Score[]): Gate[] {
  const verdicts = scores.flatMap((score) => score.verdicts);
  const inventions = scores.flatMap((score) => score.inventions);
  return [
    most(`${id}: facts lost`, shares(verdicts)?.lost ?? 0, 0),
    {
      name: `${id}: inventions`,
      demanded: '0',
      found: inventions.length === 0 ? '0' : `${inventions.length} (${inventions.slice(0, 4).join(', ')})`,
      passed: inventions.length === 0,
    },
    ...NEVER_LOST.map((kind) => least(`${id}: R+ ${kind}`, recoverable(ofClass(verdicts, kind)), 1)),
  ];
}

/** Gate of the deterministic strategy: what is in view without a call, over all classes. */
export function retentionGate(id: string, scores: readonly Score[]): Gate {
  return least(`${id}: R`, retained(scores.flatMap((score) => score.verdicts)), LEAST_RETAINED);
}

export function keptGate(id: string, scores: readonly Score[]): Gate {
  return most(`${id}: tokens kept, worst`, Math.max(...scores.map(keptShare)), MOST_KEPT);
}

export function keptShare(score: Score): number {
  return score.tokensAfter / score.tokensBefore;
}

/** `milliseconds`: the median over transcripts of one size. */
export function latencyGate(id: string, milliseconds: number): Gate {
  return {
    name: `${id}: ladder beyond counting, ms`,
    demanded: `< ${LADDER_MILLISECONDS}`,
    found: milliseconds.toFixed(0),
    passed: milliseconds < LADDER_MILLISECONDS,
  };
}

/** What the end of a chain is compared with, and its scores over all transcripts. */
export interface ChainReference {
  readonly name: string;
  readonly scores: readonly Score[];
}

/**
 * A chain of compactions loses no more than one. `steps` are the scores of one compaction each, over all transcripts.
 * Where each leaves the same share, the first is the reference; in a fixed window, where the first leaves half and the
 * last an eighth, only one compaction of the whole to the same size can be.
 */
export function chainGate(id: string, steps: readonly (readonly Score[])[], reference?: ChainReference): Gate {
  const share = (scores: readonly Score[] | undefined): number =>
    retained((scores ?? []).flatMap((score) => score.verdicts)) ?? 0;
  const { name, scores } = reference ?? { name: 'R(1)', scores: steps[0] ?? [] };
  const once = share(scores);
  const last = share(steps.at(-1));
  return {
    name: `${id}: R(${steps.length}) against ${name} = ${percent(once)}`,
    demanded: `>= ${percent(once - CHAIN_LOSS)}`,
    found: percent(last),
    passed: last >= once - CHAIN_LOSS,
  };
}

/**
 * How many of the names are in view is in the table, and is no gate: lists of names would meet one, and readers found
 * them useless.
 */
export function realGates(points: readonly NextFiles[]): Gate[] {
  const sum = (figure: (point: NextFiles) => number): number =>
    points.reduce((total, point) => total + figure(point), 0);
  const names = sum((point) => point.names);
  return [
    least('real sessions: names of the next files recoverable', sum((point) => point.recoverable) / names, 1),
    most(
      'real sessions: tokens kept without the human, worst',
      Math.max(...points.map((point) => point.kept - point.keptHuman)),
      MOST_KEPT_REAL,
    ),
  ];
}

function retained(verdicts: readonly Verdict[]): number | undefined {
  return shares(verdicts)?.retained;
}

function recoverable(verdicts: readonly Verdict[]): number | undefined {
  return shares(verdicts)?.recoverable;
}

/** A class of which nothing was planted passes: its gate is checked where it occurs. */
function least(name: string, found: number | undefined, demanded: number): Gate {
  return {
    name,
    demanded: `>= ${percent(demanded)}`,
    found: found === undefined ? 'none planted' : percent(found),
    passed: found === undefined || found >= demanded,
  };
}

function most(name: string, found: number, demanded: number): Gate {
  return { name, demanded: `<= ${percent(demanded)}`, found: percent(found), passed: found <= demanded };
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
