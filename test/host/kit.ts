import assert from 'node:assert/strict';
import { ConversationFiles } from '../../src/adapters/node/conversationFiles.ts';
import type { Conversation } from '../../src/core/conversation/conversation.ts';
import { ActiveConversation } from '../../src/host/conversations/activeConversation.ts';
import type { Agent } from '../../src/host/conversations/agent.ts';
import { Notices } from '../../src/host/notices/notices.ts';
import { DEFAULT_SETTINGS } from '../../src/host/settings/settingRules.ts';
import { inEnglish } from '../../src/language/language.ts';

const ignore = () => undefined;

/** Notices in a view that is visible, and no notifications. */
export function makeNotices(): Notices {
  const view = { isVisible: true, onDidHide: () => ({ dispose: ignore }), refresh: ignore };
  return new Notices(view, async () => undefined);
}

/** What a part of the host is made from: these, the default settings and notices; nothing else. */
export function partsOf<Parts extends object>(parts: object = {}): Parts {
  const log = { run: ignore, warn: ignore, note: ignore };
  const settings = { current: DEFAULT_SETTINGS };
  const view = { isVisible: true, refresh: ignore, reveal: async () => undefined };
  const usual = { view, modelsChanged: ignore, notices: makeNotices(), log, settings };
  // What the parts say with a getter stays as it is.
  return Object.setPrototypeOf(parts, usual) as Parts;
}

/** An agent through which nothing is sent. */
export function idleAgent(isBusy = () => false): Agent {
  const question = { isOpen: false, isDeclined: false, answer: ignore, decline: ignore };
  const agent = {
    ...{ state: { kind: 'idle' }, queue: [], held: 0, cost: { turn: 0, all: 0, broken: 0 }, question },
    ...{ cancel: async () => undefined, work: { close: ignore } },
    get isBusy() {
      return isBusy();
    },
  };
  return agent as unknown as Agent;
}

/** A conversation that is open, with a file in a folder and an agent through which nothing is sent. */
export async function openActive(
  root: string,
  conversation: Conversation,
  isBusy = () => false,
): Promise<ActiveConversation> {
  const file = await new ConversationFiles({ root, now: () => 0 }).create({ id: 'one', title: 'One' });
  assert.ok(file.ok, JSON.stringify(file));
  return new ActiveConversation({
    file: file.value,
    conversation,
    resolved: { profile: conversation.profile(), matches: [] },
    createAgent: () => idleAgent(isBusy),
    onProblem: ({ message }) => assert.fail(inEnglish(message)),
  });
}
