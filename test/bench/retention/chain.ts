import { countTokens } from '../../../src/engine.ts';
import { compactOnce, openUnderTest } from './contender.ts';
import type { Planted } from './plant/generate.ts';
import { type Score, scoreOutcome } from './score.ts';

/** How far each compaction of a chain goes. */
export type ChainTarget =
  /** The same share of all raw tokens so far: what one compaction of the whole would leave. */
  | { readonly kind: 'share'; readonly share: number }
  /** The same number of tokens however long the conversation gets: a fixed window. */
  | { readonly kind: 'fixed'; readonly tokens: number };

/** Compacts the whole once, to the size that a chain in a fixed window ends with. */
export async function runOnce({ messages, facts }: Planted, tokens: number): Promise<Score> {
  return scoreOutcome(messages, facts, await compactOnce(openUnderTest(messages, 'adaptive'), tokens));
}

/**
 * Compacts at the end of each stage of a transcript, with the new turns of the next stage between. One score for each
 * stage.
 */
export async function runChain(planted: Planted, target: ChainTarget): Promise<Score[]> {
  const conversation = openUnderTest([], 'adaptive');
  const scores: Score[] = [];
  let start = 0;
  for (const { end, facts } of planted.stages) {
    conversation.append(planted.messages.slice(start, end));
    start = end;
    const source = planted.messages.slice(0, end);
    const tokens = target.kind === 'share' ? countTokens(source) * target.share : target.tokens;
    scores.push(await scoreOutcome(source, facts, await compactOnce(conversation, tokens)));
  }
  return scores;
}
