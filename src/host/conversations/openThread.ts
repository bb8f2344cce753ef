import { contentText } from '../../core/chat/parse.ts';
import { err, ok } from '../../core/result.ts';
import type { StorageProblem } from '../../core/session/conversationStore.ts';
import type { ThreadUse } from '../../core/session/threads/match.ts';
import { sentence, t } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { StreamingReply } from '../present/unsent.ts';
import { ActiveConversation, type Opened } from './activeConversation.ts';
import type { AgentThreads } from './agentThreads.ts';

/**
 * Opens another agent's conversation in the view. The agent's requests continue the same conversation, so compressions,
 * undos and pins made here apply to them. It is held in memory until it is closed. `onProblem`: a write failed.
 */
export async function openThread(
  id: string,
  threads: Pick<AgentThreads, 'use' | 'isServed' | 'onDidUse'>,
  { notices, log, view }: Basics,
  onProblem: (problem: StorageProblem, active: ActiveConversation) => void,
): Promise<Opened> {
  const used = await threads.use(id);
  if (used === undefined) {
    const message = sentence('This conversation no longer exists: it was deleted, or was only in memory.');
    return err({ kind: 'missing', path: id, message });
  }
  const { record, conversation } = used;
  const tellFree = () => {
    if (!active.isBusy) notices.remove('busy');
  };
  const stop = conversation.on((event) => {
    active.follow(event, log.run);
    if (event.type === 'compaction-ended') tellFree();
    view.refresh();
  });
  let wasServed = threads.isServed(id);
  const served = threads.onDidUse((thread) => {
    if (thread.id !== id) return;
    if (thread.isBusy && !wasServed) notices.removePassing();
    wasServed = thread.isBusy;
    tellFree();
    view.refresh();
  });
  const close = () => {
    stop();
    served.dispose();
  };
  const active: ActiveConversation = new ActiveConversation({
    file: fileOf(used, close),
    conversation,
    resolved: { profile: record.profile, matches: [] },
    onProblem: (problem) => onProblem(problem, active),
    other: {
      sentence: describeOtherAgent(record.client),
      isServed: () => threads.isServed(id),
      lastReply: () => lastReplyOf(used),
    },
  });
  return ok(active);
}

function lastReplyOf({ lastReply, conversation }: ThreadUse): StreamingReply | undefined {
  const reply = lastReply();
  if (reply === undefined) return undefined;
  const calls = (reply.tool_calls ?? []).map(({ function: called }) => called);
  return { text: contentText(reply), reasoning: '', calls, tokens: conversation.tokensOf(reply).tokens };
}

/** The file of a thread: messages arrive with the agent's requests, all else is saved. */
function fileOf({ record, save, release }: ThreadUse, onClose: () => void): ActiveConversation['file'] {
  const { id, title } = record;
  return {
    id,
    access: { kind: 'write' },
    stored: { title, details: { compactions: [], pins: [] } },
    flush: async () => ok(undefined),
    save: async () => {
      const message = await save();
      return message === undefined ? ok(undefined) : err({ kind: 'other', path: id, message });
    },
    close: async () => {
      onClose();
      await release();
    },
  };
}

/** Why nothing can be written in a conversation of another agent. `client`: as it named itself, if it did. */
function describeOtherAgent(client: string | undefined): string {
  return client === undefined || client === ''
    ? t('A conversation of another agent: continue it there. Here you can read, compress, undo and pin.')
    : t('A conversation of {0}: continue it there. Here you can read, compress, undo and pin.', client);
}
