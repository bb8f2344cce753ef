import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/overflow/classify.ts';
import { OTHER_KINDS } from './traps.ts';
import { IN_FRAMES, ONE_FIGURE, TWO_FIGURES } from './unknownServers.ts';

/** What gateways, clients and terminals do to a message on its way. */
const FRAMES: readonly (readonly [name: string, frame: (text: string) => unknown])[] = [
  ['line breaks for blanks', (text) => text.replace(/\s+/g, '\n')],
  ['a line break at every fifth blank', (text) => breakLines(text)],
  ['escaped line breaks', (text) => breakLines(text).replace(/\n/g, '\\n')],
  ['Error: ', (text) => `Error: ${text}`],
  ['an error', (text) => new Error(text)],
  ['JSON', (text) => JSON.stringify({ error: { message: text } })],
  ['JSON in JSON', (text) => JSON.stringify({ error: { message: JSON.stringify({ error: { message: text } }) } })],
  ['a Python repr', (text) => `{'error': {'message': ${pythonRepr(text)}}}`],
  ['a class name', (text) => `openai.BadRequestError: Error code: 400 - ${text}`],
  ['two blanks for one', (text) => text.replace(/ /g, '  ')],
  ['a cause', (text) => new Error('Request failed', { cause: new Error(text) })],
  ['an event', (text) => ({ type: 'response.failed', response: { error: { message: text } } })],
  ['a list', (text) => [{ error: { message: text } }]],
  ['a gateway', (text) => ({ error: { message: 'Provider returned error', metadata: { raw: text } } })],
];

function breakLines(text: string): string {
  let blanks = 0;
  return text.replace(/\s+/g, () => {
    blanks += 1;
    return blanks % 5 === 0 ? '\n' : ' ';
  });
}

function pythonRepr(text: string): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
  return escaped.includes("'") && !escaped.includes('"') ? `"${escaped}"` : `'${escaped.replace(/'/g, "\\'")}'`;
}

describe('a message in another frame', () => {
  const stated = [...TWO_FIGURES, ...ONE_FIGURE, ...IN_FRAMES].map(([text]) => text);
  const messages = [...stated, ...Object.values(OTHER_KINDS).flat()];
  for (const [name, frame] of FRAMES) {
    it(`means the same in ${name}`, () => {
      for (const message of messages) {
        const [plain, framed] = [message, frame(message)].map((error) => {
          const { kind, actualTokens, limitTokens } = classifyModelError(error);
          return { kind, actualTokens, limitTokens };
        });
        assert.deepEqual(framed, plain, message);
      }
    });
  }
});
