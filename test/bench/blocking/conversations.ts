import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ConversationFile } from '../../../src/adapters/node/conversationFile.ts';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { ConversationOptions } from '../../../src/core/conversation/conversationOptions.ts';
import { resolveProfile } from '../../../src/engine.ts';
import { NEWEST } from '../../../src/host/present/entries.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { counter } from '../../core/conversation/kit.ts';
import { present } from '../../host/present/kit.ts';
import { KINDS, type Kind } from './messages.ts';
import type { PreparedCase } from './meter.ts';

/**
 * Compacts a conversation that is in memory. `counted`: its messages have been counted before, as in a running session.
 */
export function compactCase(kind: Kind, count: number, opening: 'counted' | 'cold' = 'counted'): PreparedCase {
  const conversation = new Conversation(options());
  // One by one, as a session appends them: what each append reads ahead is not measured here.
  for (let index = 0; index < count; index += 1) conversation.append([KINDS[kind](index)]);
  if (opening === 'counted') conversation.budget();
  return {
    work: async () => {
      await conversation.ready();
      const targetTokens = Math.floor(conversation.viewTokens() / 4);
      const { kind } = await conversation.compact({ trigger: 'command', targetTokens });
      if (kind !== 'compacted') throw new Error(kind);
    },
  };
}

/** From the disk to what the view shows, as when the user opens a conversation. */
export async function openCase(kind: Kind, count: number): Promise<PreparedCase> {
  const files = await filesOf(kind, count);
  return {
    work: async () => {
      const { file, conversation } = await files.open();
      present(conversation, { shown: NEWEST });
      await file.close();
    },
    end: files.end,
  };
}

/** A conversation of this many messages goes on: each new one is appended, shown and saved. */
export async function goOnCase(kind: Kind, count: number): Promise<PreparedCase> {
  const files = await filesOf(kind, count);
  const { file, conversation } = await files.open();
  present(conversation, { shown: NEWEST });
  return {
    work: async () => {
      for (let index = count; index < count + 100; index += 1) {
        conversation.append([KINDS[kind](index)]);
        file.queue([KINDS[kind](index)]);
        await file.flush();
        conversation.due();
        conversation.request();
        // A snapshot is made in a turn of its own.
        await pause();
        present(conversation, { shown: NEWEST });
        await pause();
      }
      const view = conversation.viewMessages();
      await file.save({ compactions: [], pins: [] }, view);
      await file.close();
    },
    end: files.end,
  };
}

interface Files {
  readonly open: () => Promise<{ readonly file: ConversationFile; readonly conversation: Conversation }>;
  readonly end: () => Promise<void>;
}

/**
 * A conversation in files. They are written by another thread: the memory of this one is then that of an extension host
 * that has just begun.
 */
async function filesOf(kind: Kind, count: number): Promise<Files> {
  const root = await mkdtemp(join(tmpdir(), 'karl-bench-'));
  const [code] = await once(
    new Worker(new URL('./writeConversation.ts', import.meta.url), { workerData: { root, kind, count } }),
    'exit',
  );
  if (code !== 0) throw new Error('the conversation could not be written');
  const store = new ConversationFiles({ root, now: () => Date.now() });
  return {
    open: async () => {
      const opened = await store.open('bench');
      if (!opened.ok) throw new Error(inEnglish(opened.error.message));
      const { transcript, details } = opened.value.stored;
      const restore = { version: 1, transcript, compactions: details.compactions, pins: details.pins } as const;
      return { file: opened.value, conversation: await Conversation.open({ ...options(), restore }) };
    },
    end: () => rm(root, { recursive: true, force: true }),
  };
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What the extension host opens a conversation with, where a worker loads the tables of the counter. */
export function options(): ConversationOptions {
  let runs = 0;
  return {
    profile: { ...resolveProfile('bench'), contextWindow: 40_000_000, completionReserve: 256 },
    counter,
    ports: { newId: () => `bench${++runs}`, now: () => Date.now(), elapsed: () => performance.now(), pause },
  };
}
