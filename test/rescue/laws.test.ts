import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { FORMATS, readSession } from '../../src/adapters/sessions/readSession.ts';
import type { StoredSession } from '../../src/adapters/sessions/session.ts';
import type { ChatMessage } from '../../src/core/chat/wire.ts';
import { type CompactionReport, countTokens, resolveProfile, type Summarize } from '../../src/engine.ts';
import { compress } from '../../src/rescue/compress.ts';
import { useFolder } from '../adapters/folder.ts';
import { SAMPLES } from '../adapters/sessions/samples.ts';
import { checkLaws, type SummaryRequest, show } from '../laws/checkLaws.ts';
import { HOSTILE_SUMMARIZERS } from '../laws/hostileSummarizers.ts';

const WINDOW = 30_000;
const RULE = 'Never touch part 7.';
const FOLDER = '/work/app';

const row = (part: number, at: number) => `part ${part} row ${at} has the value ${part * at}`;

/** A conversation of several windows: rounds of some 1,400 tokens, with everything that messages can hold. */
function longConversation(): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'user', content: `Check all parts. ${RULE}` }];
  for (let part = 0; part < 40; part += 1) {
    const call = (id: string, command: string) => ({
      id: `call_${part}${id}`,
      type: 'function',
      function: { name: 'Bash', arguments: JSON.stringify({ command }) },
    });
    const tool_calls = [call('a', `print ${part}`), call('b', `check ${part}`)];
    messages.push({ role: 'assistant', content: part % 3 === 0 ? `Now part ${part}.` : null, tool_calls });
    const rows = Array.from({ length: 80 }, (_, at) => row(part, at)).join('\n');
    messages.push({ role: 'tool', tool_call_id: `call_${part}a`, content: rows });
    messages.push({
      role: 'tool',
      tool_call_id: `call_${part}b`,
      content: part % 5 === 0 ? '' : 'All rows are right.',
    });
    if (part % 10 === 9) {
      messages.push({ role: 'assistant', content: `Ten parts are right, the last is ${part}.` });
      messages.push({ role: 'user', content: `/parts after ${part} are new, go on.` });
    }
  }
  return messages;
}

/** The laws that a rescue broke, in words. */
async function rescueAndCheck(session: StoredSession, summarize?: Summarize) {
  const requests: SummaryRequest[] = [];
  const profile = { ...resolveProfile('writer'), contextWindow: 16_000 };
  const recorded: Summarize = (request) => {
    requests.push({ tokens: countTokens(request.messages), maxTokens: request.maxTokens });
    return (summarize ?? (() => Promise.reject(new Error('nobody is asked'))))(request);
  };
  const { conversation, messages, note } = await compress(session, {
    window: WINDOW,
    agent: 'pi',
    ...(summarize !== undefined && { noteModel: { summarize: recorded, profile } }),
  });
  const after = show(conversation);
  const before = { messages: session.messages, view: session.messages, compactions: [] };
  const { receipt } = after.compactions.at(-1) ?? {};
  assert.ok(receipt !== undefined);
  const [tokensBefore, tokensAfter] = [countTokens([...before.view]), countTokens([...messages])];
  const report = { kind: 'compacted', strategy: 'adaptive', tokensBefore, tokensAfter, receipt } as CompactionReport;
  const planted = session.messages.some(({ content }) => String(content).includes(RULE)) ? [RULE] : [];
  const faults = checkLaws({ before, after, report, planted, requests, summarizerWindow: profile.contextWindow });
  assert.deepEqual(faults, []);
  // Law 11: nothing but the session went in, and nothing else comes out.
  assert.deepEqual(after.messages, session.messages);
  assert.deepEqual(after.view, messages);
  return { messages, note, requests };
}

describe('a rescued session keeps the laws', () => {
  const path = useFolder();
  const read = (text: string) => {
    writeFileSync(path('session'), text);
    return readSession(path('session'));
  };

  for (const [agent, text] of Object.entries(SAMPLES))
    it(`of ${agent}, with a result of several windows`, async () => {
      const long = Array.from({ length: 5_000 }, (_, at) => row(3, at)).join('\\n');
      const session = await read(text.replaceAll('"no\u2028thing"', `"${long}"`));
      assert.equal(session.agent, agent);
      await rescueAndCheck(session);
    });

  for (const format of FORMATS) {
    const { name, write } = format;
    if (write === undefined || name === 'markdown') continue;
    it(`of ${name}, several windows long; and what is written is what was compressed`, async () => {
      const draft = { folder: FOLDER, origin: undefined, now: Date.parse('2026-01-02T03:04:05Z') };
      const session = await read(write({ ...draft, messages: longConversation() }).text);
      assert.deepEqual(session.messages, longConversation());
      const { messages } = await rescueAndCheck(session);
      const rescued = await read(write({ ...draft, messages, origin: session }).text);
      assert.deepEqual(rescued.messages, messages);
      // A second rescue is one of the new session, notes and all.
      const again = { ...rescued, messages: [...rescued.messages, ...longConversation().slice(1)] };
      await rescueAndCheck(again);
    });
  }

  for (const [what, summarize] of Object.entries(HOSTILE_SUMMARIZERS))
    it(`whatever a model writes: ${what}`, async () => {
      const messages = longConversation();
      const session = await read(JSON.stringify({ model: 'gpt-5', messages }));
      const { requests } = await rescueAndCheck(session, summarize);
      assert.ok(requests.length > 0, 'it was asked');
    });
});
