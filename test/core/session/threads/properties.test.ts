import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatMessage, ChatPart } from '../../../../src/core/chat/wire.ts';
import { cases, SEED } from '../../../attack/seed.ts';
import { assistant, system, tool, user } from '../../conversation/kit.ts';
import { makeThreads, send, viewOf } from './kit.ts';

const words = fc
  .array(fc.constantFrom('fix', 'a.ts', 'yes', 'no', 'test', 'why', '42', 'x = {', '日本'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((list) => list.join(' '));

const args = fc.dictionary(fc.constantFrom('path', 'line', 'all', 'text'), fc.oneof(words, fc.integer(), fc.boolean()));

/** A part of a session: a question, a call with its result, or an answer. */
type Move = (place: number) => ChatMessage[];

const move: fc.Arbitrary<Move> = fc.oneof(
  words.map((text) => () => [user(text)]),
  words.map((text) => () => [assistant(text)]),
  fc
    .tuple(args, words, fc.constantFrom('call_', 'id'), fc.nat({ max: 5 }))
    .map(([input, text, prefix, luck]) => (place: number) => {
      const id = `${prefix}${place}`;
      const call = { id, type: 'function', function: { name: 'read', arguments: JSON.stringify(input) } };
      const asked = { role: 'assistant' as const, content: null, tool_calls: [call] };
      // A user who interrupts leaves a call without a result.
      return luck === 0 ? [asked, user(text)] : [asked, { role: 'tool' as const, tool_call_id: id, content: text }];
    }),
);

const session = fc
  .tuple(words, fc.array(move, { minLength: 2, maxLength: 12 }))
  .map(([first, moves]) => [user(first), ...moves.flatMap((make, place) => make(place))]);

/** Changes without a meaning: each turns a message into one that says the same. */
const ignorable: readonly ((message: ChatMessage) => ChatMessage)[] = [
  (message) => (typeof message.content === 'string' ? { ...message, content: `${message.content} \n` } : message),
  (message) => (typeof message.content === 'string' ? { ...message, content: [textPart(message.content)] } : message),
  (message) => ({ ...message, reasoning_content: 'hm', cache_control: { type: 'ephemeral' } }),
  (message) => ({ ...message, ...(message.content === null && { content: '' }) }),
  (message) => ({
    ...message,
    ...(message.tool_calls !== undefined && {
      tool_calls: message.tool_calls.map((call) => ({
        ...call,
        function: { ...call.function, arguments: turned(call.function.arguments) },
      })),
    }),
  }),
];

const textPart = (text: string): ChatPart => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });

/** The same arguments with their keys in reverse order, and spaces. */
function turned(text: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text) as object).reverse()), undefined, 1);
}

/** The indexes at which a client asks: it never asks between a call and its result. */
function asks(messages: readonly ChatMessage[]): number[] {
  return messages.flatMap((_, index) => (messages[index]?.tool_calls === undefined ? [index + 1] : []));
}

/** A view without the results that Karl adds for calls that never got one. */
function sentOf(view: readonly ChatMessage[]): readonly ChatMessage[] {
  return view.filter(({ role, content }) => role !== 'tool' || !String(content).startsWith('[no result recorded'));
}

function said(messages: readonly ChatMessage[]): string {
  return JSON.stringify(
    messages.map(({ role, content, tool_calls: calls = [] }) => [
      role,
      content ?? '',
      calls.map((call) => call.function.arguments),
    ]),
  );
}

describe('Threads, whatever comes', () => {
  it('stay one thread through changes without a meaning, and their view only grows', async () => {
    const changes = fc.array(fc.nat(), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(session, changes, async (messages, choices) => {
        const threads = makeThreads();
        let choice = 0;
        let last: { readonly id: string; readonly view: readonly string[] } | undefined;
        for (const end of asks(messages)) {
          const history = messages.slice(0, end).map((message) => {
            const change = ignorable[(choices[choice++ % choices.length] ?? 0) % (ignorable.length + 1)];
            return change === undefined ? message : change(message);
          });
          const match = await send(threads, [system(`It is ${end} o'clock.`), ...history]);
          const view = viewOf({ ...match, prepare: (same) => same }).map((message) => JSON.stringify(message));
          assert.equal(last?.id ?? match.id, match.id);
          assert.deepEqual(view.slice(1, last?.view.length ?? 0), last?.view.slice(1) ?? []);
          last = { id: match.id, view };
          if ((choices[end % choices.length] ?? 0) % 3 === 0) match.hide(tool(`k${end}`, 'karl_recall', {}, 'hidden'));
          const reply = messages[end];
          if (reply?.role === 'assistant') match.replied({ sent: reply });
        }
      }),
      { numRuns: cases(150), seed: SEED },
    );
  });

  it('send exactly what clients say, of no other conversation, when they go on, back, edit, drop, clear and sum up', async () => {
    const turn = fc.record({
      which: fc.nat(),
      kind: fc.constantFrom('on', 'on', 'back', 'edit', 'drop', 'clear', 'sum'),
      at: fc.nat(),
      text: words,
    });
    const many = fc.array(session, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(many, fc.array(turn, { minLength: 1, maxLength: 30 }), async (sessions, turns) => {
        const threads = makeThreads();
        const histories = [...sessions];
        for (const [number, { which, kind, at, text }] of turns.entries()) {
          const place = which % histories.length;
          const history = histories[place] ?? [];
          const ends = asks(history);
          const asked =
            kind === 'on'
              ? history.slice(0, ends[at % ends.length] ?? 1)
              : change(history, kind, at % history.length, `${text} ${number}`);
          if (kind !== 'on') histories[place] = asked;
          assert.equal(said(sentOf(viewOf(await send(threads, asked)))), said(asked));
        }
      }),
      { numRuns: cases(300), seed: SEED },
    );
  });
});

function change(history: ChatMessage[], kind: string, at: number, text: string): ChatMessage[] {
  let start = at;
  while (history[start]?.role === 'tool') start -= 1;
  const last = user(text);
  switch (kind) {
    case 'back':
      return [...history.slice(0, start), last];
    case 'edit':
      return [...history.map((one, place) => (place === start && one.role === 'user' ? user(`${text}!`) : one)), last];
    case 'drop':
      return [...history.slice(start), last];
    case 'clear':
      return [...history.map((one) => (one.role === 'tool' ? { ...one, content: '[cleared]' } : one)), last];
    default:
      return [user(`Summary ${text}`), ...history.slice(start), last];
  }
}
