import { answerRecall, charactersIn, type RecallSource } from './recallTool.ts';
import type { ToolOutcome } from './tool.ts';

/** How many tokens an answer may take, and how the caller counts. */
export interface TokenRoom {
  readonly budget: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/** How many tokens an answer may take when nobody says. */
export const USUAL_RECALL_TOKENS = 2_500;

/** An answer that is still too long is shortened by more than its excess, since tokens do not grow evenly with text. */
const SAFE_SHARE = 0.8;

/** Less room than this holds nothing useful: the answer is cut off wherever the room ends. Characters. */
const LEAST_ROOM = 60;

/** Answers a call of the recall tool within the caller's tokens. `head` precedes the answer and counts too. */
export async function recallWithin(
  source: RecallSource,
  args: unknown,
  { budget, count }: TokenRoom,
  head: string,
): Promise<ToolOutcome> {
  let room = Math.max(LEAST_ROOM, charactersIn(budget) - head.length);
  for (;;) {
    const outcome = await answerRecall(source, args, room);
    let text = head + outcome.text;
    let tokens = await count(text);
    const isLast = room === LEAST_ROOM;
    while (isLast && tokens > budget && text !== '') {
      text = text.slice(0, Math.floor(text.length * SAFE_SHARE * (budget / tokens))).toWellFormed();
      tokens = await count(text);
    }
    if (tokens <= budget || isLast) return { ...outcome, text };
    room = Math.max(LEAST_ROOM, Math.floor(room * SAFE_SHARE * (budget / tokens)));
  }
}
