import { SLICES } from '../adapters/node/slices.ts';
import { SessionError, type StoredSession } from '../adapters/sessions/session.ts';
import type { ChatMessage } from '../core/chat/wire.ts';
import { giveWay, orAborted } from '../core/steps.ts';
import { type Conversation, type ConversationState, openConversation, resolveProfile } from '../engine.ts';
import { inEnglish, sentence } from '../language/language.ts';
import type { NoteModel } from './noteModel.ts';

/** What an agent's own prompt and tools take of the window, tokens, measured. */
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

/** For an agent that is not measured. */
const MOST_OWN_TOKENS = Math.max(...Object.values(OWN_TOKENS));

/** An agent cannot work with less room than this beside its own prompt and tools. Tokens. */
const LEAST_ROOM = 4_000;

/** The shares of that room that a rescue aims to use, and that it may use at most. */
const USED = 0.5;
const MOST_USED = 0.7;

/** A run with a smaller target would free no more. Tokens. */
const LEAST_TARGET = 1_000;

/** The window of the models that agents are mostly used with, tokens. */
const USUAL_WINDOW = 200_000;

/** The window of a session's agent, tokens: as its file or the figures of its model state it, or the usual one. */
export function usualWindow({ window, model = 'unknown' }: Pick<StoredSession, 'window' | 'model'>): number {
  return window ?? resolveProfile(model).contextWindow ?? USUAL_WINDOW;
}

/** What a session became. */
export interface Compressed {
  /** The view of the conversation. */
  readonly messages: readonly ChatMessage[];
  /** The session as a conversation, with the records of what was replaced. */
  readonly conversation: Conversation;
  readonly window: number;
  readonly before: { readonly messages: number; readonly tokens: number };
  readonly after: { readonly messages: number; readonly tokens: number };
  /** The model that wrote a note, or why there are quotations alone; absent where no model was asked. */
  readonly note?: { readonly model: string } | { readonly missing: string };
}

/** A session that cannot be made small enough for its window. */
export class WindowTooSmall extends SessionError {}

/** How a session is compressed. */
export interface CompressOptions {
  readonly window?: number | undefined;
  /** What should be kept, in the user's words. */
  readonly keep?: string | undefined;
  /** The agent that continues it; default: the one that wrote it. */
  readonly agent?: string | undefined;
  readonly noteModel?: NoteModel | undefined;
  /** Records and pins that were already made of its messages; the new session begins with them. */
  readonly made?: Pick<ConversationState, 'messages' | 'compactions' | 'pins'> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Compresses a session so that its agent can continue it: half of the room that the window leaves beside the agent's
 * prompt and tools is used then.
 * @throws WindowTooSmall; the reason of the signal
 */
export async function compress(session: StoredSession, options: CompressOptions): Promise<Compressed> {
  const { keep, agent = session.agent, made, noteModel, signal } = options;
  const window = options.window ?? usualWindow(session);
  const profile = resolveProfile(session.model ?? 'unknown', { contextWindow: window });
  const reserve = Math.min(profile.completionReserve, window / 8);
  const room = Math.floor(
    Math.min(profile.inputLimit ?? window, window - reserve) -
      (OWN_TOKENS[agent] ?? OWN_TOKENS[session.agent] ?? MOST_OWN_TOKENS),
  );
  if (room < LEAST_ROOM)
    throw new WindowTooSmall(
      sentence(
        "A window of {0} tokens leaves no room beside the agent's own prompt and tools: give a larger one.",
        window,
      ),
    );
  // If it would leave no room to work, what the agent has not read yet is shortened too.
  const inputLimit = Math.floor(room * MOST_USED);
  const { messages: all } = made ?? session;
  const conversation = openConversation({
    profile: { ...profile, contextWindow: window, inputLimit },
    ...(noteModel !== undefined && { summarize: noteModel.summarize, summaryProfile: noteModel.profile }),
    ...(made !== undefined && {
      restore: { version: 1, messages: all, compactions: made.compactions, pins: made.pins },
    }),
  });
  if (made === undefined) await appendInSlices(conversation, all, signal);
  const used = () => conversation.budget().usedTokens;
  const before = used();
  const target = Math.floor(room * USED);
  // What the agent has not read yet is added to the target. Only if that is too much does a second run subtract it.
  let note: Compressed['note'];
  for (let run = 0; run < 2 && used() > (run === 0 ? target : inputLimit); run += 1) {
    const targetTokens = run === 0 ? target : Math.max(LEAST_TARGET, target - (used() - target));
    const running = conversation.compact({
      targetTokens,
      ...(keep !== undefined && { instructions: keep }),
      ...(signal !== undefined && { signal }),
    });
    // A run ends at its next step, which may take a while.
    const report = await orAborted(running, undefined, signal);
    signal?.throwIfAborted();
    const { receipt } = report ?? {};
    const { model, withoutNote } = receipt ?? {};
    if (model !== undefined) note = { model };
    else if (withoutNote !== undefined) note = { missing: inEnglish(withoutNote) };
  }
  if (used() > inputLimit)
    throw new WindowTooSmall(
      sentence(
        'It could not be made small enough: {0} tokens remain, and only {1} fit. Give a larger window.',
        used(),
        inputLimit,
      ),
    );
  const messages = conversation.view();
  return {
    messages,
    conversation,
    window,
    before: { messages: all.length, tokens: before },
    after: { messages: messages.length, tokens: used() },
    ...(note !== undefined && { note }),
  };
}

/** Takes in and counts a session a few messages at a time. @throws the reason of the signal */
async function appendInSlices(
  conversation: Conversation,
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let at = 0; at < messages.length; ) {
    let end = at + 1;
    // Results come with their calls.
    while (messages[end]?.role === 'tool') end += 1;
    conversation.append(messages.slice(at, end));
    conversation.budget();
    at = end;
    await giveWay(SLICES);
    signal?.throwIfAborted();
  }
}
