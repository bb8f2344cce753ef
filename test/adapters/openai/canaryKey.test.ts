import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConversationFiles } from '../../../src/adapters/node/conversationFiles.ts';
import { DailyLog } from '../../../src/adapters/node/dailyLog.ts';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { listModels } from '../../../src/adapters/servers/models.ts';
import { discoverWindow } from '../../../src/adapters/servers/window.ts';
import type { SessionStore, TurnOutcome } from '../../../src/core/session/turnContext.ts';
import { formatEvent } from '../../../src/host/log/formatEvent.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { openHarness } from '../../core/session/sessionHarness.ts';
import { present } from '../../host/present/kit.ts';
import { useFolder } from '../folder.ts';
import { value } from '../node/kit.ts';
import { brokenReply, errorReply, jsonReply, pageReply, type ScriptedReply } from '../server/reply.ts';

/** Keys of various forms; none may turn up anywhere. */
const KEYS = ['sk-canary-4f9aK2mQ81xyzABCDEF12', 'mellon-of-moria', 'a.b+c/d==', 'canary'];

/** Answers of servers that repeat what they were sent. */
function echoes(key: string): readonly ScriptedReply[] {
  const auth = `Bearer ${key}`;
  return [
    errorReply(401, { error: { message: `Incorrect API key provided: ${key}.`, code: 'invalid_api_key' } }),
    errorReply(403, `forbidden for ${auth}`),
    errorReply(400, {
      error: { message: 'bad', metadata: { raw: JSON.stringify({ headers: { authorization: auth } }) } },
    }),
    errorReply(400, { detail: [{ loc: ['header', key], msg: `bad header ${key}` }] }),
    errorReply(422, { error: { type: key, code: key, message: `${key} ${key}` } }),
    errorReply(422, { error: { code: key } }),
    errorReply(404, { error: { message: `no route for ${encodeURIComponent(key)}` } }, { 'x-echo': key }),
    errorReply(400, { error: { message: `prompt too long: 9000 > 8000 for ${key}`, code: 'context_length_exceeded' } }),
    { ...pageReply(500), steps: [{ raw: `<html><body>${auth}</body></html>` }] },
    { status: 307, headers: { location: `http://elsewhere.example/v1?key=${encodeURIComponent(key)}` }, steps: [] },
    jsonReply({ note: `hello ${key}` }),
    brokenReply('Half', { event: { error: { message: `upstream refused ${auth}` } } }),
    { steps: [{ raw: `data: {"oops ${key}\n\n` }] },
    { steps: [{ raw: `oops ${key}` }] },
    ...[260, 275, 285].map((length) =>
      errorReply(422, { error: { message: `${'word '.repeat(length / 5)}${key} and more words` } }),
    ),
    errorReply(422, { error: { message: `prompt is odd ${'word '.repeat(80)}${key} ${'word '.repeat(80)}` } }),
  ];
}

describe('a key', () => {
  const path = useFolder();

  for (const key of KEYS) {
    it(`${key} is in no event, log line, sentence, file or view, whatever the server repeats`, async () => {
      const files = new ConversationFiles({ root: path(), now: () => 0 });
      const file = value(await files.create({ id: 'c1', title: 'test' }));
      const store: SessionStore = {
        queue: (messages) => file.queue(messages),
        flush: () => file.flush(),
        saveState: () => file.save({ compactions: [], pins: [] }, harness.conversation.request()),
      };
      const client = new OpenAIModelClient({ getKey: async () => key });
      const harness = await openHarness({ profile: { timeoutMs: 500 }, session: { client, store } });
      const { session, server, conversation, events, states } = harness;
      const outcomes: TurnOutcome[] = [];
      for (const reply of echoes(key)) {
        server.enqueue(...Array.from({ length: 4 }, () => reply));
        outcomes.push(await session.send('question'));
        // What is left of the four copies must not answer the next question.
        while ((await session.send('clear')).kind !== 'answered') outcomes.push({ kind: 'cancelled' });
      }
      for (const { headers } of server.requests) assert.equal(headers.authorization, `Bearer ${key}`, 'it was sent');
      const sentences = outcomes.flatMap((outcome) =>
        outcome.kind === 'failed' ? [describeProblem(outcome.problem)] : [],
      );
      assert.ok(sentences.length > 10);
      const log = new DailyLog({
        directory: () => path('logs'),
        now: () => 0,
        onWarning: (words) => assert.fail(inEnglish(words)),
      });
      for (const event of events) log.write(formatEvent(event, { at: 0, conversation: 'c1', model: 'm' }) ?? '');
      await log.flush();
      const view = present(conversation, {
        shown: { rows: 500 },
        notices: sentences.map(({ what, next }) => {
          const text = `${what} ${next}`;
          return { id: 'turn', severity: 'error', text, actions: [], canDismiss: true };
        }),
      });
      await file.close();
      const { signal } = new AbortController();
      const query = { baseUrl: server.baseUrl, getKey: async () => key, signal };
      const asked = [await listModels(query), await discoverWindow({ ...query, model: 'm' })];
      await harness.close();
      const written = readdirSync(path(), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
      assert.ok(written.length >= 3);
      const everything = JSON.stringify([events, states, outcomes, sentences, view, asked]) + written.join('\n');
      for (const form of [key, encodeURIComponent(key)]) {
        const at = everything.indexOf(form);
        assert.equal(at, -1, everything.slice(Math.max(0, at - 120)).slice(0, 300));
      }
    });
  }
});
