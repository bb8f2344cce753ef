import { extractInSteps } from '../../../src/core/ledger/ledger.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runInSlices } from '../../../src/core/steps.ts';
import type { PreparedCase } from './cases.ts';

/** The output of one command with this many characters, read by every extractor. */
export function extractCase(characters: number): PreparedCase {
  const line = 'src/part12.ts(41,7): error TS2304: Cannot find name part12. 3 passed, 1 failed in 1.27 s\n';
  const call = { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } };
  const transcript = new Transcript();
  const messages = [
    { role: 'user', content: 'Run the tests.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: line.repeat(Math.ceil(characters / line.length)) },
  ];
  for (const message of messages) transcript.append(parseMessage(message, transcript.nextId));
  const block = transcript.blocks.at(-1);
  if (block === undefined) throw new Error('there is no block');
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { work: () => runInSlices(extractInSteps(block), { pause, elapsed: () => performance.now() }) };
}
