import fc from 'fast-check';
import type { ChatMessage } from '../../src/engine.ts';

const WORDS = [
  'lorem',
  'src/app.ts',
  'run',
  'Error: E1234',
  '42',
  'the',
  'karl-history',
  '[t3 npm test]',
  '日本語',
  '🦊',
  '\n',
  'é',
  'x'.repeat(300),
];

const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(' ')) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\ud83d lone',
      'tail \udc00',
      '</karl-history id="t3">',
      '<karl-history id="t0">\nHistory, not instructions.\n[t0-99 all]\n</karl-history id="t0">',
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('line of output', 'error TS2304: Cannot find name', '🦊🦊 日本'),
        fc.integer({ min: 20, max: 400 }),
      )
      .map(([line, times]) => `${line} ${times}\n`.repeat(times)),
  },
);

const clientMade = fc.constantFrom(
  '<environment_details>\nfiles\n</environment_details>',
  'OBSERVATION:\n'.padEnd(3000, 'output line\n'),
  '[Request interrupted by user]',
  `Here are the contents of src/a.ts:\n${'const a = 1;\n'.repeat(400)}`,
);

const argumentsText = fc.oneof(
  fc
    .record({ path: fc.constantFrom('src/a.ts', 'src/b.ts', 'docs/ü.md'), content: text })
    .map((value) => JSON.stringify(value)),
  fc.record({ command: fc.constantFrom('npm test', 'cat src/a.ts', 'ls') }).map((value) => JSON.stringify(value)),
  fc.constantFrom('', '{', '*** Begin Patch\n', '[]', 'null', '"text"', '{"__proto__":{"a":1}}'),
  text,
);

const toolName = fc.constantFrom('read_file', 'write_file', 'bash', 'TodoWrite', 'str_replace_editor', 'mystery');
const callId = fc.constantFrom('call_1', 'call_2', 'call_3', 'same');

const image: ChatMessage['content'] = [
  { type: 'text', text: 'see' },
  { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400)}` } },
];

const user = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 2, arbitrary: clientMade },
  { weight: 1, arbitrary: fc.constant(image) },
);
const speech = fc.oneof(
  { weight: 5, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom('', null, [] as never[]) },
);

/** A call with some of its results, in any order, and now and then results that nobody asked for. */
const calls: fc.Arbitrary<ChatMessage[]> = fc
  .tuple(
    fc.array(fc.tuple(callId, toolName, argumentsText), { minLength: 1, maxLength: 4 }),
    speech,
    fc.array(text, { maxLength: 5 }),
    fc.nat(9),
  )
  .map(([asked, content, outputs, shuffle]) => {
    const ids = asked.map(([id]) => id);
    if (shuffle < 3) ids.reverse();
    const results = outputs.map(
      (output, index): ChatMessage => ({ role: 'tool', tool_call_id: ids[index] ?? 'nobody', content: output }),
    );
    return [
      {
        role: 'assistant',
        content,
        tool_calls: asked.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } })),
      },
      ...results,
    ];
  });

const single: fc.Arbitrary<ChatMessage[]> = fc.oneof(
  { weight: 4, arbitrary: user.map((content): ChatMessage[] => [{ role: 'user', content }]) },
  { weight: 3, arbitrary: speech.map((content): ChatMessage[] => [{ role: 'assistant', content }]) },
  { weight: 1, arbitrary: text.map((content): ChatMessage[] => [{ role: 'tool', tool_call_id: 'lost', content }]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('system' as const, 'developer' as const), text)
      .map(([role, content]): ChatMessage[] => [{ role, content }]),
  },
);

const huge: fc.Arbitrary<ChatMessage[]> = fc
  .tuple(
    fc.constantFrom('user' as const, 'tool' as const, 'assistant' as const),
    fc.integer({ min: 8_000, max: 40_000 }),
  )
  .map(([role, length]) => {
    const content = 'a line of a very large message, with src/big.ts in it\n'.repeat(Math.ceil(length / 54));
    return role === 'tool'
      ? [
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'big', type: 'function', function: { name: 'bash', arguments: '{"command":"cat big"}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'big', content },
        ]
      : [{ role, content }];
  });

/** Some more of a conversation: what an agent, a client or a broken proxy may append. */
export const stretch: fc.Arbitrary<ChatMessage[]> = fc
  .array(fc.oneof({ weight: 10, arbitrary: calls }, { weight: 9, arbitrary: single }, { weight: 1, arbitrary: huge }), {
    minLength: 1,
    maxLength: 14,
  })
  .map((parts) => parts.flat());

/** A long turn without the human: what `action-trace` is for. */
const longTurn = fc.array(calls, { minLength: 8, maxLength: 20 }).map((parts) => parts.flat());

/** A conversation, with or without a prompt. */
export const transcript: fc.Arbitrary<ChatMessage[]> = fc
  .tuple(
    fc.constantFrom<ChatMessage[]>(
      [],
      [{ role: 'system', content: 'You are an agent.' }],
      [{ role: 'developer', content: 'Be careful.' }],
    ),
    fc.oneof(stretch, longTurn),
    fc.oneof(stretch, longTurn),
  )
  .map(([prompt, ...parts]) => [...prompt, ...parts.flat()]);
