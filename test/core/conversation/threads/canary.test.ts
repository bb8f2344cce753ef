import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import { cases, SEED } from '../../../attack/seed.ts';
import { PROFILE, system, tool, user } from '../kit.ts';
import { MemoryStore, makeThreads, request, viewOf } from './kit.ts';

const REQUESTS = cases(10_000, 12);
const AGENTS = 16;

const FILL = 'the quick brown fox reads the ledger of the harbour and says nothing about it '.repeat(12);

/**
 * Agents that begin alike, get the same replies, use the same call ids, edit, go back, clear, redact, sum up, copy each
 * other's history and have moving dates in prompt and messages. Each writes secrets that nobody else writes.
 */
describe(`Secrets of agents at one gateway, seed ${SEED}`, () => {
  it(`stay with the request that has them, in ${REQUESTS} requests`, async function () {
    this.timeout(600_000);
    const below = randomBelow(SEED);
    const pick = <Value>(list: readonly Value[]): Value => list[below(list.length)] as Value;
    const chance = (share: number): boolean => below(1_000) < share * 1_000;
    const store = new MemoryStore();
    const threads = makeThreads({ store, mostOpen: 6 });
    const profile = { ...PROFILE, contextWindow: 2_500, completionReserve: 200 };
    let [count, date, compacted] = [0, 0, 0];
    const nextDate = (): number => {
      date += 1;
      return date;
    };
    const secret = () => `SECRET-${(count++).toString(36)}z`;
    const begin = (): ChatMessage[] => [
      user(`${pick(['Fix the build.', 'Fix the build.', 'Hello.'])}${chance(0.3) ? ` ${secret()}` : ''}`),
    ];
    const agents = Array.from({ length: AGENTS }, () => ({
      prompt: pick(['You are A.', 'You are B.', 'date']),
      said: begin(),
    }));

    async function ask(prompt: string, said: readonly ChatMessage[]): Promise<void> {
      const messages = [system(prompt === 'date' ? `It is ${nextDate()}.` : prompt), ...said];
      const hint = chance(0.3) ? { hint: pick(['one', 'two']) } : {};
      const match = await threads.match(request(messages, { profile, ...hint }));
      const { conversation } = match;
      for (const due = conversation.due(); due !== undefined; ) {
        if ((await conversation.compact({ trigger: due })).kind === 'compacted') compacted += 1;
        break;
      }
      if (match.kind === 'thread' && chance(0.1))
        match.hide(tool(`k${count}`, 'karl_recall', {}, JSON.stringify(said.slice(0, 2))));
      const sent =
        match.kind === 'thread' ? viewOf(match) : match.dress({ messages: conversation.request(), tools: [] }).messages;
      const own = new Set(JSON.stringify(messages).match(/SECRET-\w+/g));
      for (const found of JSON.stringify(sent).match(/SECRET-\w+/g) ?? [])
        assert.ok(own.has(found), `${found} is not from the request`);
      await match.release();
    }

    for (let turn = 0; turn < REQUESTS; turn += 4) {
      // Some at the same time.
      const asked = Array.from({ length: 4 }, () => pick(agents));
      await Promise.all(asked.map(({ prompt, said }) => ask(prompt, [...said])));
      for (const agent of new Set(asked)) {
        agent.said.push({ role: 'assistant', content: pick(['Done.', 'Okay, I will.', 'Done.']) });
        if (chance(0.5))
          agent.said.push(...tool(pick(['call_1', `call_${turn}`]), 'read', {}, `${FILL}${secret()} ${FILL}`));
        else
          agent.said.push(user(`${pick(['go on', 'more'])} ${chance(0.6) ? secret() : ''} ${chance(0.4) ? FILL : ''}`));
        const { said } = agent;
        const at = below(said.length);
        const redact = (message: ChatMessage) => ({
          ...message,
          content: String(message.content ?? '').replace(/SECRET-\w+/g, '[removed]'),
        });
        const what = below(100);
        if (what < 6)
          agent.said = said.map((message, index) =>
            index === at && message.tool_calls === undefined ? redact(message) : message,
          );
        else if (what < 10)
          agent.said = said.slice(
            0,
            Math.max(
              1,
              said.findIndex(({ role }, index) => index > 1 && role === 'user'),
            ),
          );
        else if (what < 13)
          agent.said = said.map((message) =>
            message.role === 'tool' ? { ...message, content: '[cleared]' } : message,
          );
        else if (what < 16)
          agent.said = [
            user(`Today is ${nextDate()}. ${String(said[0]?.content).replace(/SECRET-\w+/g, '')}`),
            ...said.slice(1),
          ];
        else if (what < 18)
          agent.said = [
            user('Summary: all of it was done.'),
            ...said.slice(said.findLastIndex(({ role }) => role === 'user')),
          ];
        else if (what < 22 || said.length > 60) agent.said = begin();
        else if (what < 24) agent.said = [...pick(agents).said];
      }
    }
    assert.ok(compacted > REQUESTS / 50, `only ${compacted} compactions`);
  });
});

/** Whole numbers below a limit, the same for the same seed. */
function randomBelow(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
