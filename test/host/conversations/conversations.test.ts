import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Sample } from '../../../src/host/conversations/conversations.ts';
import { transcriptOf } from '../../core/conversation/kit.ts';

const sample = JSON.parse(readFileSync('media/sample/conversation.json', 'utf8')) as Sample;

describe('the sample conversation', () => {
  const transcript = transcriptOf(sample.messages);

  it('has a result for every tool call', () => {
    const tools = transcript.blocks.filter((block) => block.kind === 'tools');
    assert.ok(tools.length > 20);
    for (const block of tools) assert.deepEqual([block.unanswered, block.strays], [[], []]);
    assert.ok(transcript.blocks.every((block) => block.kind !== 'stray'));
  });

  it('begins with a system prompt and ends with an answer', () => {
    assert.deepEqual([transcript.messages[0]?.role, transcript.messages.at(-1)?.role], ['system', 'assistant']);
  });

  it('has a 16k profile without a real server', () => {
    const { provider, contextWindow, completionReserve, baseUrl } = sample.profile;
    assert.deepEqual([provider, contextWindow, baseUrl], ['sample', 16_384, undefined]);
    assert.ok(completionReserve >= 1024);
  });
});
