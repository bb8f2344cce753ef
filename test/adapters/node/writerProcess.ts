// A process that writes to a conversation until it is killed or taken over: `node writerProcess.ts <root> <id>`. It prints the
// number of each message after the message was acknowledged, and says when one was refused.
import { writeSync } from 'node:fs';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';

const [root = '', id = ''] = process.argv.slice(2);
const store = new ConversationFiles({ root, now: Date.now });
const opened = await store.open(id);
if (!opened.ok || opened.value.access.kind !== 'write') {
  writeSync(1, `failed ${JSON.stringify(opened)}\n`);
  process.exit(1);
}
const conversation = opened.value;
writeSync(1, `ready ${conversation.stored.transcript.messages.length}\n`);
for (let next = conversation.stored.transcript.messages.length; ; next += 1) {
  const content = `${next}:${'x'.repeat((next * 7919) % 400)}`;
  const written = await conversation.append([{ role: 'user', content }]);
  if (written.ok) writeSync(1, `ack ${next}\n`);
  else if (written.error.kind === 'lock-lost') break;
  else writeSync(1, 'refused\n');
  if (next % 8 === 0) await conversation.save({ compactions: [], pins: [next] }, [{ role: 'user', content: 'view' }]);
}
