import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { writerOf } from '../../../src/core/chat/human.ts';
import { contentText, parseMessage } from '../../../src/core/chat/parse.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { makeDataPart, toChatMessages, toEditorMessages } from '../../../src/host/provider/editorMessages.ts';

const text = (value: string) => new vscode.LanguageModelTextPart(value);
const call = (id: string, input: unknown) => new vscode.LanguageModelToolCallPart(id, 'look', input as object);
const result = (id: string, ...parts: readonly unknown[]) => new vscode.LanguageModelToolResultPart(id, [...parts]);
const data = (mimeType: string, bytes: Uint8Array = Buffer.from([1, 2, 3])) =>
  makeDataPart(bytes, mimeType) ?? assert.fail('this VS Code has no parts with data');
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } };

const { User, Assistant } = vscode.LanguageModelChatMessageRole;
const said = (role: number, ...content: readonly unknown[]) =>
  ({ role, content, name: undefined }) as vscode.LanguageModelChatRequestMessage;

describe('messages of VS Code as chat-completions messages', () => {
  const cases: readonly (readonly [
    what: string,
    sent: readonly vscode.LanguageModelChatRequestMessage[],
    read: readonly ChatMessage[],
  ])[] = [
    [
      'roles, texts and names, also the role that only VS Code itself uses',
      [said(3, text('Be brief.')), { ...said(User, text('Hi')), name: 'Ada' }],
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi', name: 'Ada' },
      ],
    ],
    [
      'calls with their arguments as JSON, beside what was said',
      [said(Assistant, text('I '), text('look.'), call('c1', { at: 'a.ts' }), call('c2', undefined))],
      [
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"a.ts"}' } },
            { id: 'c2', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
      ],
    ],
    [
      'each result as a message of its own, before whatever else its message says',
      [said(User, text('And now?'), result('c1', text('one'), text(' two')), result('c2', text('three')))],
      [
        { role: 'tool', tool_call_id: 'c1', content: 'one two' },
        { role: 'tool', tool_call_id: 'c2', content: 'three' },
        { role: 'user', content: 'And now?' },
      ],
    ],
    [
      'data that is text, and the name of data that is not',
      [said(User, result('c1', data('application/json', Buffer.from('{"a":1}')))), said(User, data('audio/wav'))],
      [
        { role: 'tool', tool_call_id: 'c1', content: '{"a":1}' },
        { role: 'user', content: '[audio/wav · 3 bytes]' },
      ],
    ],
    [
      'neither marks nor what is unknown, nor messages that hold nothing else',
      [said(Assistant, data('stateful_marker')), said(User, {}, text('Go.')), said(User)],
      [{ role: 'user', content: 'Go.' }],
    ],
  ];
  for (const [what, sent, read] of cases)
    it(`have ${what}`, () => {
      const messages = toChatMessages(sent);
      assert.deepEqual(messages, read);
      messages.forEach((message, index) => void parseMessage(message, index));
    });

  it("have the images of a result in a message that is not the human's", () => {
    const [, shown] = toChatMessages([said(User, result('c1', data('image/png')))]);
    assert.equal(shown && writerOf(shown, contentText(shown)), 'client');
  });
});

describe('chat-completions messages for a model of VS Code', () => {
  const toolCall = (id: string, args: string) =>
    ({ id, type: 'function', function: { name: 'look', arguments: args } }) as const;

  it('have the prompt as a user message, calls as objects, and the results of one reply in one message', () => {
    const messages = toEditorMessages([
      { role: 'system', content: 'You are an agent.' },
      { role: 'assistant', content: '', tool_calls: [toolCall('c1', '{"at":"src"}'), toolCall('c2', 'no JSON')] },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'b.ts' }] },
      { role: 'assistant', content: null },
      { role: 'user', content: 'Thanks.' },
    ]);
    const said = messages.map(({ role, content }) => [role, content]);
    assert.deepEqual(said, [
      [User, [text('You are an agent.')]],
      [Assistant, [call('c1', { at: 'src' }), call('c2', { malformed: 'no JSON' })]],
      [User, [result('c1', text('a.ts')), result('c2', text('b.ts'))]],
      [User, [text('Thanks.')]],
    ]);
  });

  it('have images as bytes, and a placeholder for other addresses', () => {
    const elsewhere = { type: 'image_url', image_url: { url: 'https://elsewhere.test/a.png' } };
    const content = [{ type: 'text', text: 'What is it?' }, IMAGE, elsewhere];
    const [message] = toEditorMessages([{ role: 'user', content }]);
    assert.deepEqual(message?.content, [text('What is it?'), data('image/png'), text('[image]')]);
  });
});
