import { keptPrint } from './fingerprint.ts';
import type { Relation } from './judge.ts';
import { promptLength } from './known.ts';
import type { StatelessRequest } from './match.ts';
import { type Apart, takeIn } from './takeIn.ts';
import type { Opened, Thread } from './thread.ts';

/** Appends to a thread what is new in a request, and from now on sends reworded messages in their new words. */
export function bringUp(thread: Thread, opened: Opened, relation: Relation, apart: Apart): void {
  const { conversation } = opened;
  const { known, added } = takeIn(apart, {
    length: conversation.transcript.nextId,
    messageAt: (id) => conversation.transcript.messages[id]?.wire,
    choose: (index) => {
      const place = relation.places[index];
      return opened.known[place ?? -1] ?? thread.recordedFor(apart, index, place);
    },
  });
  if (added.length > 0) {
    conversation.append(added);
    thread.forgetReplies();
  }
  for (const index of relation.reworded) {
    const [message, id] = [apart.messages[index], known[index]?.id];
    if (message !== undefined && id !== undefined) conversation.amend(id, [message]);
  }
  opened.known = known;
}

/** Whether a request asks for just the model, tools and system prompt that a conversation works with now. */
export function worksAlike({ prints }: Opened, { profile, tools }: StatelessRequest, { prompt }: Apart): boolean {
  const asked = printsOf(profile, tools, prompt);
  return prints?.profile === asked.profile && prints.tools === asked.tools && prints.prompt === asked.prompt;
}

function printsOf(profile: StatelessRequest['profile'], tools: StatelessRequest['tools'], prompt: Apart['prompt']) {
  return { profile: keptPrint(profile), tools: keptPrint(tools), prompt: keptPrint(prompt) };
}

/** Gives a conversation the model, tools and system prompt of the newest request, where they differ. */
export function adjust(opened: Opened, { profile, tools }: StatelessRequest, { prompt }: Apart): void {
  const { conversation } = opened;
  const prints = printsOf(profile, tools, prompt);
  const last = opened.prints;
  if (prints.profile !== last?.profile) conversation.configure({ profile });
  if (prints.tools !== last?.tools) conversation.configure({ tools });
  if (prints.prompt !== last?.prompt) {
    const length = promptLength(conversation.transcript.messages);
    for (let id = 0; id < length; id += 1) conversation.amend(id, id === 0 ? prompt : []);
  }
  opened.prints = prints;
}
