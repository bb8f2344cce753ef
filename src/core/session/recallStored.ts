import { Recall } from '../compaction/recall/recall.ts';
import type { ChatMessage } from '../messages/chat.ts';
import { parseMessage } from '../messages/parse.ts';
import { Transcript } from '../messages/transcript.ts';
import { runInSlices } from '../steps.ts';
import type { RecallSource } from './recallTool.ts';

/** Recalls from the raw messages of a conversation that is not open. @throws InvalidMessageError */
export function recallStored(messages: readonly ChatMessage[], ports: Parameters<typeof runInSlices>[1]): RecallSource {
  const transcript = new Transcript();
  for (const message of messages) transcript.append(parseMessage(message, transcript.nextId));
  const recall = new Recall(transcript);
  return { recall: (request) => runInSlices(recall.answer(request), ports) };
}
