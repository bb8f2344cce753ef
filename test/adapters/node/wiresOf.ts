import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import type { ReadTranscript } from '../../../src/core/messages/transcript.ts';

/** The messages of what was read, as they came. */
export function wiresOf({ transcript }: { readonly transcript: ReadTranscript }): readonly ChatMessage[] {
  return transcript.messages.map(({ wire }) => wire);
}
