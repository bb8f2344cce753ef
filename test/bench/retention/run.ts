/**
 * npm run bench -- retention [--sizes 20000,75000,190000] [--seeds 9] [--quick]
 *
 * Measures what is still known after compactions, without a model: planted facts in generated transcripts. `--quick`
 * leaves out chains and hostile summarizers. For real sessions see `exam` and `compaction --names`.
 */
import { parseArgs } from 'node:util';
import { countTokens } from '../../../src/engine.ts';
import { median } from '../tokens/table.ts';
import { SIMPLE_BASELINES } from './baselines.ts';
import { type Contender, findEscaped, HOSTILE_IDS, karlContender, runChain, runOnce } from './contender.ts';
import {
  chainGate,
  chainTable,
  classTable,
  contenderTable,
  floorGates,
  type Gate,
  gateTable,
  keptGate,
  latencyGate,
  type Row,
  retentionGate,
} from './gates.ts';
import { type Planted, plantTranscript } from './plant/generate.ts';
import { type Score, scoreOutcome } from './score.ts';

/** What a compaction aims at: a share of all tokens. */
const TARGET = 0.15;
/** A target that the deterministic rungs seldom meet when the human says little: a model is asked. */
const MODEL_TARGET = 0.05;
const MODEL_TRANSCRIPT = { tokens: 75_000, humanEvery: 8 };
const CHAIN_LENGTH = 8;
const STRATEGIES = ['adaptive', 'extractive', 'action-trace', 'heuristic'] as const;
const WITH_MODEL = ['adaptive', 'karl', 'sandwich'] as const;

/** Runs the benchmark and prints its tables; a gate that fails sets the exit code. */
export async function runRetentionBench(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: 'string', default: '20000,75000,190000' },
      seeds: { type: 'string', default: '9' },
      quick: { type: 'boolean', default: false },
    },
  });
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index);
  const gates: Gate[] = [];
  for (const tokens of values.sizes.split(',').map(Number)) {
    const transcripts = seeds.map((seed) => plantTranscript({ seed, tokens }));
    gates.push(...(await compareContenders(transcripts, tokens)));
  }
  if (!values.quick) {
    gates.push(
      ...(await faceHostility(seeds.slice(0, 3).map((seed) => plantTranscript({ seed, ...MODEL_TRANSCRIPT })))),
    );
    gates.push(...(await chainCompactions(seeds.slice(0, 3))));
  }
  console.log(`\n${gateTable(gates)}`);
  if (gates.some(({ passed }) => !passed)) process.exitCode = 1;
}

async function compareContenders(transcripts: readonly Planted[], tokens: number): Promise<Gate[]> {
  const contenders = [...SIMPLE_BASELINES, ...STRATEGIES.map((strategy) => karlContender(strategy))];
  const rows: Row[] = [];
  for (const contender of contenders)
    rows.push({ id: contender.id, scores: await scoreAll(contender, transcripts, TARGET) });
  console.log(
    `\n${tokens} tokens, ${transcripts.length} transcripts, target ${TARGET * 100} %\n${contenderTable(rows)}`,
  );
  const adaptive = rows.find(({ id }) => id === 'adaptive')?.scores ?? [];
  console.log(`\n${classTable(adaptive)}`);
  const id = `adaptive ${tokens / 1000}k`;
  return [
    ...floorGates(id, adaptive),
    retentionGate(id, adaptive),
    ...(tokens === 75_000 ? [keptGate(id, adaptive)] : []),
    ...(tokens === 190_000 ? [latencyGate(id, median(adaptive.map(({ milliseconds }) => milliseconds)))] : []),
  ];
}

/** Every strategy that may ask a model, with every stand-in for one. */
async function faceHostility(transcripts: readonly Planted[]): Promise<Gate[]> {
  const rows: Row[] = [];
  const gates: Gate[] = [];
  for (const strategy of WITH_MODEL) {
    for (const hostile of HOSTILE_IDS) {
      const contender = karlContender(strategy, hostile);
      const scores = await scoreAll(contender, transcripts, MODEL_TARGET);
      rows.push({ id: contender.id, scores });
      gates.push(...floorGates(contender.id, scores).filter(({ passed }) => !passed));
    }
    const escaped: string[] = [];
    for (const planted of transcripts)
      escaped.push(...(await findEscaped(planted, strategy, sizeOf(planted) * MODEL_TARGET)));
    const found = escaped.length === 0 ? '0' : escaped.join('; ');
    gates.push({
      name: `${strategy}: secrets and instructions escaped`,
      demanded: '0',
      found,
      passed: escaped.length === 0,
    });
  }
  console.log(`\nhostile summarizers, target ${MODEL_TARGET * 100} %\n${contenderTable(rows)}`);
  const failed = gates.filter(({ passed }) => !passed).length;
  return [
    ...gates,
    { name: 'hostile summarizers: floor gates failed', demanded: '0', found: String(failed), passed: failed === 0 },
  ];
}

async function chainCompactions(seeds: readonly number[]): Promise<Gate[]> {
  const transcripts = seeds.map((seed) =>
    plantTranscript({ seed, tokens: 75_000, laterStages: CHAIN_LENGTH - 1, turnsAStage: 10 }),
  );
  const gates: Gate[] = [];
  for (const target of [
    { kind: 'share', share: TARGET },
    { kind: 'fixed', tokens: 37_500 },
  ] as const) {
    const name =
      target.kind === 'share' ? `chain to ${TARGET * 100} % of all so far` : `chain to ${target.tokens} tokens`;
    const chains: Score[][] = [];
    for (const planted of transcripts) chains.push(await runChain(planted, target));
    const steps = Array.from({ length: CHAIN_LENGTH }, (_, step) =>
      chains.flatMap((chain) => chain.slice(step, step + 1)),
    );
    console.log(`\n${name}\n${chainTable(steps)}`);
    const once: Score[] = [];
    if (target.kind === 'fixed') for (const planted of transcripts) once.push(await runOnce(planted, target.tokens));
    const reference = once.length === 0 ? undefined : { name: 'once', scores: once };
    gates.push(chainGate(name, steps, reference), ...floorGates(name, steps.at(-1) ?? []));
  }
  return gates;
}

async function scoreAll(contender: Contender, transcripts: readonly Planted[], share: number): Promise<Score[]> {
  const scores: Score[] = [];
  for (const planted of transcripts) {
    const outcome = await contender.run(planted.messages, sizeOf(planted) * share);
    scores.push(await scoreOutcome(planted.messages, planted.facts, outcome));
  }
  return scores;
}

function sizeOf(planted: Planted): number {
  return countTokens(planted.messages);
}

// The runner imports the file that is asked for; a test imports its parts.
await runRetentionBench(process.argv.slice(2));
