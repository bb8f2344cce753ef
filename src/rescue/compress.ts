import type { AgentSession } from '../adapters/sessions/session.ts';
import type { ChatMessage } from '../core/messages/chat.ts';
import { type ConversationState, openConversation, resolveProfile } from '../engine.ts';

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

const MOST_OWN_TOKENS = Math.max(...Object.values(OWN_TOKENS));

/** Fewer tokens beside the agent's own are no room to work in. */
const LEAST_ROOM = 4_000;

/** The shares of that room that are to be used, and that are used at most, after a rescue. */
const USED = 0.5;
const MOST_USED = 0.7;

/** A run with a smaller target frees nothing more. Tokens. */
const LEAST_TARGET = 1_000;

/** The window of the models that agents are mostly used with, tokens. */
const USUAL_WINDOW = 200_000;

/** The window, tokens, that a session's agent works with: as its file or the figures of its model state it, or the usual one. */
export function usualWindow({ window, model = 'unknown' }: Pick<AgentSession, 'window' | 'model'>): number {
  return window ?? resolveProfile(model).contextWindow ?? USUAL_WINDOW;
}

/** What was made of a session's messages already: records and pins of a conversation that began with them. */
export interface Made extends Pick<ConversationState, 'compactions' | 'pins'> {
  readonly messages: readonly ChatMessage[];
}

/** What a session became. */
export interface Compressed {
  readonly messages: readonly ChatMessage[];
  readonly window: number;
  readonly before: { readonly messages: number; readonly tokens: number };
  readonly after: { readonly messages: number; readonly tokens: number };
}

/**
 * Compresses a session so that its agent can go on with it: half of what its window leaves beside the agent's prompt and
 * tools is used then. `keep` says what should be kept; with `made` it begins with that view.
 * @throws Error with a sentence when it cannot be made small enough; the reason of the signal
 */
export async function compress(
  session: AgentSession,
  options: {
    readonly window?: number;
    readonly keep?: string;
    readonly agent?: string;
    readonly made?: Made;
    readonly signal?: AbortSignal;
  },
): Promise<Compressed> {
  const { keep, agent = session.agent, made, signal } = options;
  const window = options.window ?? usualWindow(session);
  const profile = resolveProfile(session.model ?? 'unknown', { contextWindow: window });
  const reserve = Math.min(profile.completionReserve, window / 8);
  const room = Math.floor(
    Math.min(profile.inputLimit ?? window, window - reserve) - (OWN_TOKENS[agent] ?? MOST_OWN_TOKENS),
  );
  if (room < LEAST_ROOM)
    throw new Error(
      `A window of ${window} tokens leaves no room beside the agent's own prompt and tools: give a larger one (--window).`,
    );
  // What the agent has not read yet is shortened, too, where nothing would be left to work with.
  const inputLimit = Math.floor(room * MOST_USED);
  const { messages: all, ...records } = made ?? { messages: session.messages, compactions: [], pins: [] };
  const conversation = openConversation({
    profile: { ...profile, contextWindow: window, inputLimit },
    restore: { version: 1, messages: all, ...records },
  });
  const used = () => conversation.budget().usedTokens;
  const before = used();
  const target = Math.floor(room * USED);
  // What the agent has not read yet comes on top of the target: it is taken off in a second run.
  for (let run = 0; run < 2 && used() > target; run += 1) {
    const targetTokens = run === 0 ? target : Math.max(LEAST_TARGET, target - (used() - target));
    await conversation.compact({
      targetTokens,
      ...(keep !== undefined && { instructions: keep }),
      ...(signal !== undefined && { signal }),
    });
    signal?.throwIfAborted();
  }
  if (used() > inputLimit)
    throw new Error(
      `It could not be made small enough: ${used()} of ${inputLimit} tokens are left. Give a larger window (--window).`,
    );
  const messages = conversation.view();
  return {
    messages,
    window,
    before: { messages: all.length, tokens: before },
    after: { messages: messages.length, tokens: used() },
  };
}
