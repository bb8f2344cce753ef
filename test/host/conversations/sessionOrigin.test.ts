import assert from 'node:assert/strict';
import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { contentText } from '../../../src/core/messages/parse.ts';
import { counterFor } from '../../../src/engine/counters.ts';
import { parseSessionOrigin, recordSession } from '../../../src/host/conversations/sessionOrigin.ts';

const messages: readonly ChatMessage[] = [
  { role: 'user', content: 'Begin.' },
  { role: 'assistant', content: 'Begun.' },
  { role: 'user', content: 'Go on.' },
];
const session = {
  agent: 'claude',
  agentTitle: 'Claude Code',
  title: undefined,
  messages,
  compactions: [{ before: 2, summary: 'It was begun.' }],
  repairs: [],
};

describe('a session that is opened', () => {
  const record = (signal: AbortSignal) =>
    recordSession('/home/me/a.jsonl', session, { counter: counterFor('o200k_base'), signal });

  it('begins with the view that its agent had left, and knows its file', async () => {
    const { details, view } = await record(new AbortController().signal);
    assert.match(
      contentText(view[0] as ChatMessage),
      /\[t0-1 compacted by Claude Code, which summarized:\]\nIt was begun\./,
    );
    assert.deepEqual(view.slice(1), [messages[2]]);
    assert.deepEqual(
      details.compactions.map(({ strategy, transcriptLength }) => [strategy, transcriptLength]),
      [['agent', 2]],
    );
    assert.deepEqual(parseSessionOrigin(details.state?.session), { file: '/home/me/a.jsonl', agent: 'claude' });
  });

  it('is not opened when the user cancels', async () => {
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

  for (const stored of [undefined, null, 'a', { file: 1, agent: 'claude' }, { file: '/a' }])
    it(`has no origin where none is stored: ${JSON.stringify(stored)}`, () => {
      assert.equal(parseSessionOrigin(stored), undefined);
    });
});
