import type { Conversation as Core } from '../core/conversation/conversation.ts';
import { type ChatTool, copyData } from '../core/messages/chat.ts';
import { parseJson } from '../core/messages/parseJson.ts';
import { makeRecallTool } from '../core/session/recallTool.ts';

/** The tool `karl_recall` of one conversation, which views tell the model to call. */
export interface RecallTool {
  /** Pass it with the other tools in each request, and to `configure`, so that the budget counts it. */
  readonly definition: ChatTool;
  /**
   * The content of the tool message that answers a call: what was asked for, cut to a quarter of the free budget at
   * most (but not below 2,000 characters). `args` are the arguments of the model's call, as text or parsed. Never
   * rejects: the answer tells the model what is wrong with a call.
   */
  answer(args: unknown): Promise<string>;
}

/** The recall tool of a conversation's core. */
export function recallToolOf(core: Core): RecallTool {
  const { definition, run } = makeRecallTool(core);
  return {
    definition: copyData(definition),
    answer: async (args) => {
      const parsed = typeof args === 'string' ? parseJson(args) : args;
      if (parsed === undefined) return 'Error: the arguments are not JSON; give an object such as {"query": "t41"}.';
      return (await run(parsed, new AbortController().signal)).text;
    },
  };
}
