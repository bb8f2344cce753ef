// A thread that writes a conversation into files, for a case that opens it.
import { workerData } from 'node:worker_threads';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { KINDS, type Kind } from './messages.ts';

const { root, kind, count } = workerData as { readonly root: string; readonly kind: Kind; readonly count: number };
const made = await new ConversationFiles({ root, now: () => Date.now() }).create({ id: 'bench', title: 'bench' });
if (!made.ok) throw new Error(inEnglish(made.error.message));
const appended = await made.value.append(Array.from({ length: count }, (_, index) => KINDS[kind](index)));
if (!appended.ok) throw new Error(inEnglish(appended.error.message));
await made.value.close();
