import assert from 'node:assert/strict';
import { toEditorMessages } from '../../../src/host/editorModels/toEditorMessages.ts';

const PIXEL = Buffer.from('a picture');
const call = (id: string, text: string) => ({ id, type: 'function', function: { name: 'look', arguments: text } });

describe('chat-completions messages for a model of VS Code', () => {
  it('have their prompt said by the user, calls as objects, and the results of one reply in one message', () => {
    const messages = toEditorMessages([
      { role: 'system', content: 'You are an agent.' },
      { role: 'user', content: 'Look.' },
      { role: 'assistant', content: '', tool_calls: [call('c1', '{"at":"src"}'), call('c2', 'no JSON')] },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'b.ts' }] },
      { role: 'assistant', content: null },
      { role: 'user', content: 'Thanks.' },
    ]);
    const result = (callId: string, text: string) => ({ kind: 'result', callId, parts: [{ kind: 'text', text }] });
    assert.deepEqual(
      messages.map(({ role, parts }) => [role, ...parts]),
      [
        ['user', { kind: 'text', text: 'You are an agent.' }],
        ['user', { kind: 'text', text: 'Look.' }],
        [
          'assistant',
          { kind: 'call', id: 'c1', name: 'look', input: { at: 'src' } },
          { kind: 'call', id: 'c2', name: 'look', input: { malformed: 'no JSON' } },
        ],
        ['user', result('c1', 'a.ts'), result('c2', 'b.ts')],
        ['user', { kind: 'text', text: 'Thanks.' }],
      ],
    );
  });

  it('have their images as bytes, and a word where the address is none of an image', () => {
    const image = (url: string) => ({ type: 'image_url', image_url: { url } });
    const url = `data:image/png;base64,${PIXEL.toString('base64')}`;
    const content = [{ type: 'text', text: 'What is it?' }, image(url), image('https://elsewhere.test/a.png')];
    assert.deepEqual(toEditorMessages([{ role: 'user', content }])[0]?.parts, [
      { kind: 'text', text: 'What is it?' },
      { kind: 'data', mimeType: 'image/png', data: PIXEL },
      { kind: 'text', text: '[image]' },
    ]);
  });
});
