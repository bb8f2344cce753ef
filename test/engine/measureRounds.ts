import {
  type ChatMessage,
  type Conversation,
  countTokens,
  openConversation,
  type StrategyId,
} from '../../src/engine.ts';

/** An agent at work: shares are of the window. */
export interface Work {
  readonly window: number;
  /** What the system prompt takes. */
  readonly prompt: number;
  /** What the results of each round take, together. */
  readonly size: number;
  /** How many results a round has; default 1. */
  readonly results?: number;
  readonly strategy?: StrategyId;
  readonly rounds?: number;
}

/** What was measured in the requests of all rounds. */
export interface Measured extends Work {
  readonly limit: number;
  /** Whether prompt, request and one round fit into a request. */
  readonly fits: boolean;
  /** How many rounds fit beside prompt, request and a tenth for notes. */
  readonly room: number;
  /** Requests in which a result that the model had not read was not there at all, or was not whole. */
  readonly lost: number;
  readonly cut: number;
  readonly over: number;
  /** Rounds after which a run compacted. */
  readonly runs: readonly number[];
  /** The smallest share of the limit that a request took in which a result was cut; 1 where none was. */
  readonly fill: number;
}

/** Lets an agent read file after file, asks the engine before each request, and looks at what is sent. */
export async function measureRounds(work: Work): Promise<Measured> {
  const { window, prompt, size, results = 1, strategy = 'adaptive', rounds = 12 } = work;
  const conversation = openConversation({
    profile: { id: 'bench', contextWindow: window },
    strategy,
    summarize: async () => 'The user wants the build mended [t1]. Files are being read for that.',
  });
  const start: ChatMessage[] = [
    { role: 'system', content: textOf(window * prompt, 0) },
    { role: 'user', content: 'Find out why the build fails, and mend it.' },
  ];
  conversation.append(start);
  const limit = conversation.budget().limitTokens;
  const counts = { lost: 0, cut: 0, over: 0, fill: 1 };
  const runs: number[] = [];
  let round = 0;
  for (let number = 0; number < rounds; number += 1) {
    const messages = readFiles(number, Array<number>(results).fill((window * size) / results));
    round = Math.max(round, countTokens(messages));
    conversation.append(messages);
    const trigger = conversation.due();
    if (trigger !== undefined && (await conversation.compact({ trigger })).kind === 'compacted') runs.push(number);
    const shown = compare(conversation, messages.slice(1));
    const used = conversation.budget().usedTokens;
    if (shown !== 'whole') counts[shown] += 1;
    if (shown === 'cut') counts.fill = Math.min(counts.fill, used / limit);
    if (used > limit) counts.over += 1;
  }
  const free = limit - countTokens(start);
  return { ...work, limit, fits: round <= free, room: (free * 0.9) / round, ...counts, runs };
}

/** An assistant message that reads files, and its results of the given sizes in tokens. */
export function readFiles(number: number, sizes: readonly number[]): ChatMessage[] {
  const calls = sizes.map((_, index) => ({
    id: `call-${number}-${index}`,
    type: 'function' as const,
    function: { name: 'read_file', arguments: JSON.stringify({ path: `src/part${number}-${index}.ts` }) },
  }));
  const texts = sizes.map((tokens, index) => textOf(tokens, number * 10 + index + 1));
  return [
    { role: 'assistant', content: null, tool_calls: calls },
    ...texts.map((content, index): ChatMessage => ({ role: 'tool', tool_call_id: calls[index]?.id ?? '', content })),
  ];
}

function compare(conversation: Conversation, results: readonly ChatMessage[]): 'lost' | 'cut' | 'whole' {
  const view = conversation.view<ChatMessage>();
  const shown = results.map((result) => view.find(({ tool_call_id: id }) => id === result.tool_call_id));
  if (shown.includes(undefined)) return 'lost';
  return shown.every((message, index) => message?.content === results[index]?.content) ? 'whole' : 'cut';
}

const WORDS = ['parser', 'buffer', 'socket', 'widget', 'ledger', 'cache', 'token', 'branch', 'merge', 'route', 'index'];

function textOf(tokens: number, seed: number): string {
  const line = (number: number): string =>
    `${seed}:${number} ${Array.from({ length: 8 }, (_, word) => WORDS[(seed * 7 + number * 5 + word * 3) % WORDS.length]).join(' ')}`;
  const sample = Array.from({ length: 40 }, (_, number) => line(number)).join('\n');
  const lines = Math.max(1, Math.round((tokens * 40) / countTokens(sample)));
  return Array.from({ length: lines }, (_, number) => line(number)).join('\n');
}
