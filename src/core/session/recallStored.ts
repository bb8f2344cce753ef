import { Recall } from '../compaction/recall/recall.ts';
import { type ReadTranscript, Transcript } from '../messages/transcript.ts';
import { runInSlices } from '../steps.ts';
import type { RecallSource } from './recallTool.ts';

/** Recalls from the raw messages of a conversation that is not open. */
export function recallStored(stored: ReadTranscript, ports: Parameters<typeof runInSlices>[1]): RecallSource {
  const transcript = new Transcript();
  transcript.beginWith(stored);
  const recall = new Recall(transcript);
  return { recall: (request) => runInSlices(recall.answer(request), ports) };
}
