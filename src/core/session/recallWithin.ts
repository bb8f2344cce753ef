import { answerRecall, charactersIn, type RecallSource } from './recallTool.ts';
import type { ToolOutcome } from './tool.ts';

/** What an answer may take, and how the one who asks counts. Tokens. */
export interface TokenRoom {
  readonly budget: number;
  readonly count: (text: string) => PromiseLike<number>;
}

/** What an answer takes where nobody says how much, tokens. */
export const USUAL_RECALL_TOKENS = 2_500;

/** An answer that is cut again is made so much shorter than its excess demands: counts do not grow evenly with a text. */
const SAFE_SHARE = 0.8;

/** Below this many characters nothing useful fits: the answer is cut wherever the room ends. */
const LEAST_ROOM = 60;

/** Answers a call of the recall tool within the tokens that the caller has room for. `head` stands before the answer and counts. */
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
