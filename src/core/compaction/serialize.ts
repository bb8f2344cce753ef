import { type Block, blockMessages } from '../messages/blocks.ts';
import { quoteHead } from '../messages/cut.ts';
import { neutralise } from '../messages/fence.ts';
import type { Message } from '../messages/message.ts';
import { type Kept, shortenText } from './shorten.ts';

/** How many characters of each kind of text a summarizer is shown; longer text is cut to head, error lines and tail. */
export interface Excerpt {
  readonly user: number;
  readonly assistant: number;
  readonly result: number;
  readonly argument: number;
}

/**
 * Generous enough that errors and identifiers in tool output stay visible (by retention measurements, the head alone
 * hides 42-70 %).
 */
export const FULL_EXCERPT: Excerpt = { user: 6000, assistant: 3000, result: 2400, argument: 1200 };

/** The excerpt with every limit scaled, but never below the least that still says something. */
export function scaleExcerpt(excerpt: Excerpt, factor: number): Excerpt {
  const scale = (characters: number) => Math.max(60, Math.floor(characters * factor));
  return {
    user: scale(excerpt.user),
    assistant: scale(excerpt.assistant),
    result: scale(excerpt.result),
    argument: scale(excerpt.argument),
  };
}

/** Writes a block as plain text for a summarizer: one entry per message, each with its handle. */
export function serializeBlock(block: Block, excerpt: Excerpt): string {
  return neutralise(
    blockMessages(block)
      .map((message) => serializeMessage(message, excerpt))
      .join('\n'),
  );
}

function serializeMessage(message: Message, excerpt: Excerpt): string {
  const handle = `t${message.id}`;
  switch (message.role) {
    case 'system':
      return `[${handle} system] ${limit(message.text, handle, excerpt.assistant)}`;
    case 'user':
      return `[${handle} user] ${limit(message.text, handle, excerpt.user)}`;
    case 'assistant': {
      const calls = message.calls.map(
        (call) => `[${handle} call ${call.name}] ${limit(call.arguments, handle, excerpt.argument)}`,
      );
      const said =
        message.text === '' ? [] : [`[${handle} assistant] ${limit(message.text, handle, excerpt.assistant)}`];
      return [...said, ...calls].join('\n');
    }
    case 'tool':
      return `[${handle} result] ${limit(message.text, handle, excerpt.result)}`;
  }
}

function limit(text: string, handle: string, characters: number): string {
  if (text.length <= characters) return text;
  const kept: Kept = {
    head: Math.floor(characters * 0.45),
    tail: Math.floor(characters * 0.25),
    errorLines: Math.floor(characters / 400),
  };
  return shortenText(text, handle, kept) ?? quoteHead(text, characters);
}
