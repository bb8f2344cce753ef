import { type ChatMessage, type ChatTool, withoutOwn } from '../../../../src/core/chat/wire.ts';
import { Conversation } from '../../../../src/core/conversation/conversation.ts';
import type { ConversationOptions, ConversationState } from '../../../../src/core/conversation/conversationOptions.ts';
import type { ModelClient } from '../../../../src/core/model/modelClient.ts';
import { err, ok } from '../../../../src/core/result.ts';
import { Relay, type RelayParts } from '../../../../src/core/session/relay/relay.ts';
import type { Match, StatelessRequest } from '../../../../src/core/session/threads/match.ts';
import type { ThreadStore, ThreadUpdate } from '../../../../src/core/session/threads/threadStore.ts';
import { Threads, type ThreadsOptions } from '../../../../src/core/session/threads/threads.ts';
import { counter, PROFILE, stillPorts, system, user } from '../../conversation/kit.ts';

const parameters = { type: 'object', properties: { path: { type: 'string' } } };
export const READ: ChatTool = { type: 'function', function: { name: 'read', parameters } };

/** Of all threads: the ids of their runs never repeat. */
const ports = stillPorts();

/** Threads with predictable ids (`thread1`, `thread2`, ...) over conversations with a clock that does not move. */
export function makeThreads(
  options: Partial<ThreadsOptions> = {},
  conversation: Partial<ConversationOptions> = {},
): Threads {
  let made = 0;
  return new Threads({
    newId: () => `thread${++made}`,
    now: () => 0,
    open: ({ profile, tools, restore }) =>
      Conversation.open({ profile, tools, counter, ports, ...conversation, ...(restore !== undefined && { restore }) }),
    slicing: ports,
    ...options,
  });
}

/** How a conversation about a file begins. */
export const start = (name: string): ChatMessage[] => [system('You help.'), user(`Fix ${name}.`)];

export function request(messages: readonly ChatMessage[], more: Partial<StatelessRequest> = {}): StatelessRequest {
  return { messages, tools: [READ], profile: PROFILE, ...more };
}

/** Matches a request of a conversation and ends it: fails if it is taken for an aside. */
export async function send(
  threads: Threads,
  messages: readonly ChatMessage[],
  more: Partial<StatelessRequest> = {},
): Promise<Match> {
  const match = await threads.match(request(messages, more));
  if (match.kind !== 'thread') throw new Error('the request was taken for an aside');
  await match.release();
  return match;
}

/** A relay whose model answers so, with a clock that does not move. */
export function makeRelay(complete: ModelClient['complete'], parts: Partial<RelayParts> = {}): Relay {
  return new Relay({
    threads: makeThreads(),
    client: { complete },
    clock: { now: () => 0, random: () => 0, sleep: async () => undefined },
    findModel: async () => ({ profile: PROFILE, change: {}, findWindow: async () => undefined }),
    ...parts,
  });
}

/** A store in memory. `saved`: every update, in order. */
export class MemoryStore implements ThreadStore {
  readonly saved: ThreadUpdate[] = [];
  readonly deleted: string[] = [];
  readonly closed: string[] = [];
  problem: string | undefined;

  async list() {
    const kept = this.saved.filter(({ record }) => !this.deleted.includes(record.id));
    return ok([...new Map(kept.map(({ record }) => [record.id, record])).values()]);
  }

  async load(id: string) {
    const updates = this.saved.filter(({ record }) => record.id === id);
    const state = updates.findLast(({ beside }) => beside !== undefined)?.beside?.state;
    if (state === undefined) return err({ message: `there is no thread ${id}` });
    const messages = updates.flatMap(({ appended }) => appended);
    // As from a disk: no object is the same.
    return ok(JSON.parse(JSON.stringify({ ...state, messages })) as ConversationState);
  }

  async delete(id: string) {
    this.deleted.push(id);
    return ok(undefined);
  }

  async close(id: string) {
    this.closed.push(id);
  }

  async save(update: ThreadUpdate) {
    if (this.problem !== undefined) return err({ message: this.problem });
    this.saved.push(update);
    return ok(undefined);
  }
}

/** The messages that are sent upstream for a match, without Karl's own fields. */
export function viewOf({ conversation, prepare }: Match): readonly ChatMessage[] {
  return prepare({ messages: conversation.request(), tools: [READ] }).messages.map((message) => withoutOwn(message));
}
