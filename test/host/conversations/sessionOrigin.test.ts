import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { counterFor } from '../../../src/engine/counters.ts';
import { parseSessionFile, recordSession } from '../../../src/host/conversations/sessionOrigin.ts';

const messages: readonly ChatMessage[] = [
  { role: 'user', content: 'Begin.' },
  { role: 'assistant', content: 'Begun.' },
  { role: 'user', content: 'Go on.' },
];
const session = {
  agentTitle: 'Claude Code',
  title: undefined,
  messages,
  compactions: [{ before: 2, summary: 'It was begun.' }],
  repairs: [],
};

describe('a session that is opened', () => {
  const record = (signal: AbortSignal) =>
    recordSession('/home/me/a.jsonl', session, { counter: counterFor('o200k_base'), signal });

  it('has records of what its agent compacted, and the path of its file', async () => {
    const { compactions, state } = await record(new AbortController().signal);
    const records = compactions.map(({ strategy, transcriptLength }) => [strategy, transcriptLength]);
    assert.deepEqual(records, [['agent', 2]]);
    assert.equal(parseSessionFile(state?.session), '/home/me/a.jsonl');
  });

  it('does not open if the user cancels', async () => {
    const abort = new AbortController();
    abort.abort();
    const many = Array.from({ length: 20_000 }, () => messages[0] as ChatMessage);
    const opened = recordSession(
      '/home/me/a.jsonl',
      { ...session, messages: many },
      { counter: counterFor('o200k_base'), signal: abort.signal },
    );
    await assert.rejects(opened, { name: 'AbortError' });
  });

  for (const stored of [undefined, null, 'a', { file: 1 }])
    it(`has no origin where none is stored: ${JSON.stringify(stored)}`, () => {
      assert.equal(parseSessionFile(stored), undefined);
    });
});
