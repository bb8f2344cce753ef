import { type Block, holdsAny, rangeLength } from '../chat/blocks.ts';
import { fence } from '../chat/fence.ts';
import { handleOf } from '../chat/handle.ts';
import type { Message, MessageId, MessageRange } from '../chat/message.ts';
import { Transcript } from '../chat/transcript.ts';
import type { AgentsOwn, Compaction, Receipt, Replacement, UnsaidFact } from '../compaction/compaction.ts';
import type { Counting } from '../compaction/draft.ts';
import type { Fact } from '../ledger/fact.ts';
import { createLedger, type Ledger } from '../ledger/ledger.ts';
import { isStated, prepareText } from '../ledger/stated.ts';
import { isDone, isDropped } from '../ledger/todos.ts';
import { eachInSteps, type Steps } from '../steps.ts';
import { CompactedView } from './compactedView.ts';

/** A place where the agent of a stored conversation compacted it itself. */
export interface AgentCompaction {
  /** The first message that came after it. */
  readonly before: MessageId;
  /** What the agent put in place of the messages; undefined: it is not in the file. */
  readonly summary: string | undefined;
  /** Earlier messages that it kept unchanged; absent: none. */
  readonly kept?: readonly MessageId[];
  /** Milliseconds since 1970, where the file tells. */
  readonly at?: number | undefined;
}

/** What a receipt says of a record that no run made. */
export const NO_RUN = {
  aim: 'target',
  rungs: [],
  rejected: [],
  unverified: 0,
  promise: 'handles-only',
  modelCalls: 0,
  ms: 0,
} as const satisfies Partial<Receipt>;

/** What the records are made with. */
export interface RecordingPorts extends Counting {
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * The records of what the agent of a stored conversation compacted itself, so that the view has what the agent had
 * left: undo brings back what it discarded. They are made from the file alone, so only laws 1 to 3 hold for them.
 */
export function* recordAgents(
  messages: readonly Message[],
  compactions: readonly AgentCompaction[],
  agent: string,
  ports: RecordingPorts,
): Steps<readonly Compaction[]> {
  const transcript = new Transcript();
  const view = new CompactedView(transcript);
  const ledger = createLedger();
  for (const compaction of compactions) {
    yield* eachInSteps(messages.slice(transcript.nextId, endOfStep(messages, compaction.before)), (message) =>
      transcript.append(message),
    );
    const ranges = lostRanges(transcript.blocks, new Set(compaction.kept));
    if (ranges.length === 0) continue;
    const id = ports.newId();
    const bare = {
      id,
      at: compaction.at ?? ports.now(),
      strategy: 'agent',
      trigger: 'agent',
      transcriptLength: transcript.nextId,
      replacements: replace(ranges, compaction.summary, agent, id),
    } as const;
    const before = yield* count(yield* view.derive(), ports);
    const derived = yield* view.with(bare);
    const after = yield* count(derived.items, ports);
    yield* ledger.read(transcript.blocks);
    const { unsaid, more } = yield* findUnsaid(ledger, ranges, compaction.summary ?? '');
    const replaced = ranges.reduce((sum, range) => sum + rangeLength(range), 0);
    view.add(
      {
        ...bare,
        agent: { name: agent, lost: ranges, unsaid, more },
        receipt: {
          ...NO_RUN,
          strategy: 'agent',
          tokensBefore: before,
          tokensAfter: after,
          messages: { whole: transcript.nextId - replaced, shortened: 0, replaced },
          summarized: replaced,
          summaryCharacters: compaction.summary?.length ?? 0,
          facts: [],
          prefixKept: 0,
        },
      },
      derived,
    );
  }
  return view.compactions;
}

/** The end of the step that a message would interrupt: a call stays with its results. */
function endOfStep(messages: readonly Message[], before: MessageId): MessageId {
  let end = before;
  while (messages[end]?.role === 'tool') end += 1;
  return end;
}

/** The runs of whole blocks of which the agent kept nothing; prompts belong to its next request anyway. */
function lostRanges(blocks: readonly Block[], kept: ReadonlySet<MessageId>): readonly MessageRange[] {
  const ranges: MessageRange[] = [];
  for (const { kind, range } of blocks) {
    if (kind === 'system' || holdsAny(range, kept)) continue;
    const last = ranges.at(-1);
    if (last !== undefined && last.to + 1 === range.from) ranges[ranges.length - 1] = { from: last.from, to: range.to };
    else ranges.push(range);
  }
  return ranges;
}

/** The summary replaces the last range and names the others. */
function replace(
  ranges: readonly MessageRange[],
  summary: string | undefined,
  agent: string,
  mark: string,
): readonly Replacement[] {
  const handles = ranges.map(handleOf).join(', ');
  const text =
    summary === undefined
      ? `[${handles} compacted by ${agent}; its session does not contain the summary]`
      : `[${handles} compacted by ${agent}, which summarized:]\n${summary}`;
  return ranges.map((range, index): Replacement => {
    if (index < ranges.length - 1) return { range, by: { kind: 'removed', messages: [] } };
    return { range, by: { kind: summary === undefined ? 'line' : 'note', messages: [fence(mark, text)] } };
  });
}

function* count(items: ReturnType<CompactedView['items']>, ports: RecordingPorts): Steps<number> {
  let tokens = 0;
  for (const message of items.flatMap((item) => item.messages)) {
    yield* ports.countAhead?.(message) ?? [];
    tokens += ports.count(message);
    yield;
  }
  return tokens;
}

/** The most facts of each class that are reported, the newest ones. */
const TOLD: Readonly<Record<UnsaidFact['class'], number>> = {
  constraint: 50,
  todo: 50,
  'file-changed': 50,
  error: 10,
};

/** The longest value that is reported. Characters. */
const LONGEST = 300;

/** The facts in force at that time that only the discarded messages state, not the summary. */
function* findUnsaid(
  ledger: Ledger,
  lost: readonly MessageRange[],
  summary: string,
): Steps<Pick<AgentsOwn, 'unsaid' | 'more'>> {
  yield* prepareText(summary);
  const found: UnsaidFact[] = [];
  yield* eachInSteps(ledger.facts(), (fact) => {
    if (!isTold(fact) || !lost.some(({ from, to }) => from <= fact.at && fact.at <= to)) return;
    if (isStated(fact.class === 'file-changed' ? { ...fact, value: nameOf(fact.value) } : fact, summary)) return;
    const value = fact.value.length > LONGEST ? `${fact.value.slice(0, LONGEST).toWellFormed()}…` : fact.value;
    found.push({ class: fact.class, value, at: fact.at });
  });
  const unsaid = Object.entries(TOLD).flatMap(([kind, most]) =>
    found.filter((fact) => fact.class === kind).slice(-most),
  );
  return { unsaid, more: found.length - unsaid.length };
}

/** The name of a file: summaries shorten paths. */
function nameOf(path: string): string {
  return path.replace(/^.*[/\\]/, '');
}

function isTold({ class: kind, supersededAt, state }: Fact): boolean {
  if (supersededAt !== undefined) return false;
  return kind !== 'todo' || state === undefined || !(isDone(state) || isDropped(state));
}
