import assert from 'node:assert/strict';
import { splitUserText, writerOf } from '../../../src/core/messages/human.ts';
import { contentText, parseMessage } from '../../../src/core/messages/parse.ts';
import {
  type EditorMessage,
  type EditorPart,
  toChatMessages,
  toEditorMessages,
} from '../../../src/host/provider/editorMessage.ts';

describe('what VS Code sends, as chat-completions messages', () => {
  it('keeps roles, texts and names', () => {
    const [prompt, named] = toChatMessages([
      said('system', text('Be brief.')),
      { ...said('user', text('Hi')), name: 'Ada' },
    ]);
    assert.deepEqual(prompt, { role: 'system', content: 'Be brief.' });
    assert.deepEqual(named, { role: 'user', content: 'Hi', name: 'Ada' });
  });

  it('writes calls with their arguments as JSON, beside what was said', () => {
    const [message] = toChatMessages([said('assistant', text('I '), text('look.'), call('c1', { path: 'a.ts' }))]);
    assert.deepEqual(message, {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
    });
  });

  it('makes each result a message of its own, before whatever else its message says', () => {
    const both = said('user', text('And now?'), result('c1', text('one'), text(' two')), result('c2', text('three')));
    assert.deepEqual(toChatMessages([both]), [
      { role: 'tool', tool_call_id: 'c1', content: 'one two' },
      { role: 'tool', tool_call_id: 'c2', content: 'three' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it('shows images of results after the last result, not as words of the human', () => {
    const messages = toChatMessages([
      said('user', result('c1', text('see '), image)),
      said('user', result('c2', text('none'))),
      said('assistant', text('Nice.')),
    ]);
    const roles = messages.map(({ role }) => role);
    assert.deepEqual(roles, ['tool', 'tool', 'user', 'assistant']);
    assert.equal(messages[0]?.content, 'see [image]');
    const shown = messages[2];
    assert.ok(shown !== undefined && Array.isArray(shown.content));
    assert.deepEqual(shown.content[1], IMAGE_PART);
    assert.equal(writerOf(shown, contentText(shown)), 'client');
  });

  it('shows images of the human in their message', () => {
    assert.deepEqual(toChatMessages([said('user', text('What is this?'), image)]), [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, IMAGE_PART] },
    ]);
  });

  it('reads data that is text, and names data that is not', () => {
    const json: EditorPart = { kind: 'data', mimeType: 'application/json', data: new TextEncoder().encode('{"a":1}') };
    const sound: EditorPart = { kind: 'data', mimeType: 'audio/wav', data: new Uint8Array(12) };
    const [first, second] = toChatMessages([said('user', result('c1', json)), said('user', sound)]);
    assert.equal(first?.content, '{"a":1}');
    assert.equal(second?.content, '[audio/wav · 12 bytes]');
  });

  it('leaves out reasoning and marks, and messages that hold nothing else', () => {
    const mark: EditorPart = { kind: 'mark' };
    assert.deepEqual(toChatMessages([said('assistant', mark), said('user', mark, text('Go.')), said('user')]), [
      { role: 'user', content: 'Go.' },
    ]);
  });

  it('gives messages that a conversation accepts', () => {
    const all = [said('assistant', call('c1', undefined)), said('user', result('c1', image)), said('user', text(''))];
    const messages = toChatMessages(all);
    messages.forEach((message, index) => void parseMessage(message, index));
    assert.equal(messages[0]?.tool_calls?.[0]?.function.arguments, '{}');
  });
});

describe('the frame that VS Code puts around a request', () => {
  it('is told apart from what the human typed', () => {
    const framed =
      '<context>\nThe current date is 2026-11-22.\n</context>\n<reminderInstructions>\nPrefer the tool.\n</reminderInstructions>\n<userRequest>\nrename the function\n</userRequest>\n';
    const user = (content: string) => ({ role: 'user', content }) as const;
    assert.equal(splitUserText(user(framed), framed).typed?.trim(), 'rename the function');
    const environment =
      '<environment_info>\nThe user runs Linux\n</environment_info>\n<workspace_info>\nsrc/\n</workspace_info>';
    assert.equal(writerOf(user(environment), environment), 'client');
  });
});

const PIXEL = new Uint8Array([1, 2, 3]);
const image: EditorPart = { kind: 'data', mimeType: 'image/png', data: PIXEL };
const IMAGE_PART = { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } };

function said(role: EditorMessage['role'], ...parts: readonly EditorPart[]): EditorMessage {
  return { role, name: '', parts };
}

function text(value: string): EditorPart {
  return { kind: 'text', text: value };
}

function call(id: string, input: unknown): EditorPart {
  return { kind: 'call', id, name: 'read_file', input };
}

function result(callId: string, ...parts: readonly EditorPart[]): EditorPart {
  return { kind: 'result', callId, parts };
}

const PICTURE = Buffer.from('a picture');
const toolCall = (id: string, text: string) => ({ id, type: 'function', function: { name: 'look', arguments: text } });

describe('chat-completions messages for a model of VS Code', () => {
  it('have their prompt said by the user, calls as objects, and the results of one reply in one message', () => {
    const messages = toEditorMessages([
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', tool_calls: [toolCall('c1', '{"at":"src"}'), toolCall('c2', 'no JSON')] },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'b.ts' }] },
      { role: 'assistant', content: null },
      { role: 'user', content: 'Thanks.' },
    ]);
    const look = (id: string, input: object): EditorPart => ({ kind: 'call', id, name: 'look', input });
    assert.deepEqual(messages, [
      said('user', text('You are an agent.')),
      said('user', text('Look.')),
      said('assistant', look('c1', { at: 'src' }), look('c2', { malformed: 'no JSON' })),
      said('user', result('c1', text('a.ts')), result('c2', text('b.ts'))),
      said('user', text('Thanks.')),
    ]);
  });

  it('have their images as bytes, and a word where the address is none of an image', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const url = `data:image/png;base64,${PICTURE.toString('base64')}`;
    const content = [{ type: 'text', text: 'What is it?' }, image(url), image('https://elsewhere.test/a.png')];
    assert.deepEqual(toEditorMessages([{ role: 'user', content }])[0]?.parts, [
      { kind: 'text', text: 'What is it?' },
      { kind: 'data', mimeType: 'image/png', data: PICTURE },
      { kind: 'text', text: '[image]' },
    ]);
  });
});
