import assert from 'node:assert/strict';
import { counterFor } from '../../../src/engine/counters.ts';
import { parseSessionFile, recordSession } from '../../../src/host/conversations/sessionOrigin.ts';
import { user } from '../../core/conversation/kit.ts';

describe('a session that is opened', () => {
  it('does not open if the user cancels', async () => {
    const abort = new AbortController();
    abort.abort();
    const messages = Array.from({ length: 20_000 }, () => user('Go on.'));
    const session = { agentTitle: 'Claude Code', title: undefined, messages, compactions: [], repairs: [] };
    const options = { counter: counterFor('o200k_base'), signal: abort.signal };
    const opened = recordSession('/home/me/a.jsonl', session, options);
    await assert.rejects(opened, { name: 'AbortError' });
  });

  for (const stored of [undefined, null, 'a', { file: 1 }])
    it(`has no origin where none is stored: ${JSON.stringify(stored)}`, () => {
      assert.equal(parseSessionFile(stored), undefined);
    });
});
