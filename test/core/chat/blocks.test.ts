import assert from 'node:assert/strict';
import { parseMessage } from '../../../src/core/chat/parse.ts';
import { Transcript } from '../../../src/core/chat/transcript.ts';
import { deriveView, wholeMessages } from '../../../src/core/chat/view.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { transcriptOf as read, user } from '../conversation/kit.ts';

function calls(...ids: string[]): ChatMessage {
  const made = ids.map((id) => ({ id, type: 'function', function: { name: 'run', arguments: '{}' } }));
  return { role: 'assistant', content: null, tool_calls: made };
}

function result(id: string, content = `result of ${id}`): ChatMessage {
  return { role: 'tool', tool_call_id: id, content };
}

const USER = user('go on');

function shapes(transcript: Transcript): string[] {
  return transcript.blocks.map(({ kind, range }) => `${kind} ${range.from}-${range.to}`);
}

function sent(transcript: Transcript): ChatMessage[] {
  return transcript.blocks.flatMap((block) => [...wholeMessages(block)]);
}

describe('blocks', () => {
  it('hold a call with all its results, in whatever order they come', () => {
    const transcript = read(calls('a', 'b'), result('b'), result('a'), USER);
    assert.deepEqual(shapes(transcript), ['tools 0-2', 'user 3-3']);
    assert.deepEqual(sent(transcript), [calls('a', 'b'), result('b'), result('a'), USER]);
  });

  it('stay open while the last calls still run', () => {
    const [block] = read(calls('a', 'b'), result('a')).blocks;
    assert.ok(block?.kind === 'tools' && block.open);
    assert.equal(block.unanswered.map((call) => call.id).join(), 'b');
  });

  it('are shared with a transcript that begins as a copy; later messages are not', () => {
    const first = read(USER, calls('a', 'b'), result('a'));
    const second = new Transcript();
    second.beginWith(first);
    assert.deepEqual(shapes(second), ['user 0-0', 'tools 1-2']);
    assert.equal(second.messages[1], first.messages[1]);
    second.append(parseMessage(result('b'), second.nextId));
    first.append(parseMessage(USER, first.nextId));
    assert.deepEqual(shapes(second), ['user 0-0', 'tools 1-3']);
    assert.deepEqual(shapes(first), ['user 0-0', 'tools 1-2', 'user 3-3']);
    assert.equal(second.messages.length, 4);
  });

  it('give a call that a user message interrupted a marked result', () => {
    const transcript = read(calls('a', 'b'), result('a'), USER);
    const view = sent(transcript);
    assert.equal(view.map(({ role }) => role).join(), 'assistant,tool,tool,user');
    assert.equal(view[2]?.tool_call_id, 'b');
    assert.match(String(view[2]?.content), /no result recorded/);
    assert.equal(transcript.messages.length, 3, 'the transcript keeps the original');
  });

  it('pair by position: an id may come again, and two calls with one id get their results in order', () => {
    const transcript = read(calls('same'), result('same', 'first'), calls('same'), result('same', 'second'));
    assert.deepEqual(shapes(transcript), ['tools 0-1', 'tools 2-3']);
    const [block] = read(calls('same', 'same'), result('same', 'first'), result('same', 'second')).blocks;
    assert.ok(block?.kind === 'tools' && !block.open && block.messages.length === 3);
  });

  it('name a result without a call behind its handle, as a user message', () => {
    const view = sent(read(USER, result('lost', 'a\nb\nc')));
    assert.equal(view[1]?.role, 'user');
    assert.match(String(view[1]?.content), /^<karl-history id="t1">[\s\S]*\[t1 tool result without a call · 3 lines\]/);
    assert.doesNotMatch(String(view[1]?.content), /a\nb\nc/);
  });

  it('never change once they are closed: a result that comes late stands alone', () => {
    const transcript = read(calls('a'), result('a'));
    const [closed] = transcript.blocks;
    transcript.append(parseMessage(result('a', 'again'), 2));
    assert.equal(transcript.blocks[0], closed);
    assert.deepEqual(shapes(transcript), ['tools 0-1', 'stray 2-2']);
  });

  it('name an empty message of the model instead of sending it', () => {
    for (const content of ['', '  ', null, []]) {
      const [message] = sent(read({ role: 'assistant', content }));
      assert.match(String(message?.content), /\[t0 empty message of the model\]/);
    }
    const refusal: ChatMessage = { role: 'assistant', content: null, refusal: 'I will not.' };
    assert.deepEqual(sent(read(refusal)), [refusal]);
  });
});

describe('the view', () => {
  const transcript = read(USER, calls('a'), result('a'), USER, USER);
  const replace = (from: number, to: number, content: string) => ({ range: { from, to }, messages: [user(content)] });
  const texts = (replacements: ReturnType<typeof replace>[]) => {
    const items = runAtOnce(deriveView(transcript.blocks, replacements, (one, range) => ({ ...one, range })));
    return items.flatMap((item) => item.messages.map((message) => message.content));
  };

  it('without records is the transcript', () => {
    assert.deepEqual(texts([]), ['go on', null, 'result of a', 'go on', 'go on']);
  });

  it('shows the newest of nested records, and the older one again without it', () => {
    const older = replace(1, 2, 'older');
    const newer = replace(0, 3, 'newer');
    assert.deepEqual(texts([older, newer]), ['newer', 'go on']);
    assert.deepEqual(texts([older]), ['go on', 'older', 'go on', 'go on']);
  });

  it('shows records side by side in the order of the transcript', () => {
    const both = [replace(4, 4, 'last'), replace(0, 0, 'first')];
    assert.deepEqual(texts(both), ['first', null, 'result of a', 'go on', 'last']);
  });
});
