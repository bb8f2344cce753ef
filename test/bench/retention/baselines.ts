import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { countTokens } from '../../../src/engine.ts';
import type { Contender } from './contender.ts';
import { messageTexts } from './probes.ts';
import { Random } from './random.ts';
import type { Outcome } from './score.ts';

/** A rule that needs no model in the bench: `shown` is what its summarizer would be given. */
function rule(
  id: string,
  apply: (messages: readonly ChatMessage[]) => { view: ChatMessage[]; shown: ChatMessage[] },
): Contender {
  return {
    id,
    run: async (messages): Promise<Outcome> => {
      const started = performance.now();
      const { view, shown } = apply(messages);
      return {
        view,
        recall: async () => [],
        shown: shown.flatMap(messageTexts).join('\n'),
        milliseconds: performance.now() - started,
        modelCalls: shown.length > 0 ? 1 : 0,
      };
    },
  };
}

/** The beginning of the newest `count` messages, moved so that no result stands without its call. */
function tailStart(messages: readonly ChatMessage[], count: number): number {
  let start = Math.max(0, messages.length - count);
  while (start < messages.length && messages[start]?.role === 'tool') start += 1;
  return start;
}

/** Does nothing: the upper bound, and the proof that every probe can be met. */
export const noOp = rule('no-op', (messages) => ({ view: [...messages], shown: [] }));

/** The prompt and the last ten messages; a model is shown the rest. */
export const keepLastTen = rule('keep-last-10', (messages) => {
  const start = tailStart(messages, 10);
  return { view: [...messages.slice(0, 1), ...messages.slice(start)], shown: messages.slice(1, start) };
});

/** The first 20 % and the last 30 % by tokens; a model is shown the middle. */
export const plainSandwich = rule('sandwich 20/50/30', (messages) => {
  const sizes = messages.map((message) => countTokens([message]));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const until = (share: number): number => {
    let sum = 0;
    for (const [index, size] of sizes.entries()) {
      sum += size;
      if (sum > total * share) return index;
    }
    return sizes.length;
  };
  const top = tailStart(messages, messages.length - until(0.2));
  const bottom = tailStart(messages, messages.length - until(0.7));
  return { view: [...messages.slice(0, top), ...messages.slice(bottom)], shown: messages.slice(top, bottom) };
});

/** All but the ten newest tool results are masked. */
export const maskTen = rule('mask-10', (messages) => {
  const results = messages.flatMap((message, index) => (message.role === 'tool' ? [index] : []));
  const masked = new Set(results.slice(0, -10));
  return {
    view: messages.map((message, index) =>
      masked.has(index) ? { ...message, content: '[result left out]' } : message,
    ),
    shown: [],
  };
});

/** Deletes messages at random until the target is met: the score that chance alone gives. */
export function randomDeletion(seed: number, share: number): Contender {
  return rule('random deletion', (messages) => {
    const random = new Random(seed);
    return { view: messages.filter(() => random.chance(share)), shown: [] };
  });
}

export const SIMPLE_BASELINES: readonly Contender[] = [noOp, keepLastTen, plainSandwich, maskTen];
