import type { AgentSession } from '../adapters/sessions/session.ts';
import type { ChatMessage } from '../core/messages/chat.ts';
import { openConversation } from '../engine.ts';

/** What an agent's own prompt and tools take of the window, tokens, measured; for an agent that is not here: the largest. */
const OWN_TOKENS: Readonly<Record<string, number>> = {
  claude: 18_000,
  qwen: 17_500,
  kilo: 13_500,
  copilot: 11_000,
  gemini: 10_500,
  codex: 9_000,
  opencode: 7_000,
  cline: 5_000,
  continue: 2_000,
  pi: 1_500,
};

/** The window of the models that agents are mostly used with, tokens. */
const USUAL_WINDOW = 200_000;

/** What a session became. */
export interface Compressed {
  readonly messages: readonly ChatMessage[];
  readonly window: number;
  readonly before: { readonly messages: number; readonly tokens: number };
  readonly after: { readonly messages: number; readonly tokens: number };
}

/**
 * Compresses a session so that its agent can go on with it: half of what its window leaves beside the agent's prompt and
 * tools is used then. `keep` says what should be kept.
 * @throws Error with a sentence when it cannot be made small enough
 */
export async function compress(
  session: AgentSession,
  options: { readonly window?: number; readonly keep?: string; readonly agent?: string },
): Promise<Compressed> {
  const { keep, agent = session.agent } = options;
  const given = options.window ?? session.window;
  const id = session.model ?? 'unknown';
  const conversation = openConversation({ profile: given === undefined ? id : { id, contextWindow: given } });
  conversation.append(session.messages);
  const { limitTokens, windowTokens, windowSource, usedTokens } = conversation.budget();
  const isKnown = windowSource !== 'unknown';
  const window = isKnown ? windowTokens : USUAL_WINDOW;
  const room = (isKnown ? limitTokens : USUAL_WINDOW * 0.9) - (OWN_TOKENS[agent] ?? 18_000);
  if (room < 4_000)
    throw new Error(
      `A window of ${window} tokens leaves no room beside the agent's own prompt and tools: give a larger one (--window).`,
    );
  const target = Math.floor(room / 2);
  if (usedTokens > target) {
    const report = await conversation.compact({
      targetTokens: target,
      ...(keep !== undefined && { instructions: keep }),
    });
    if (conversation.budget().usedTokens > room)
      throw new Error(`It could not be made small enough: ${JSON.stringify(report).slice(0, 200)}`);
  }
  const messages = conversation.view();
  return {
    messages,
    window,
    before: { messages: session.messages.length, tokens: usedTokens },
    after: { messages: messages.length, tokens: conversation.budget().usedTokens },
  };
}
