import assert from 'node:assert/strict';
import { type ChatMessage, countTokens, openConversation, recallTool, resolveProfile } from '../../src/engine.ts';
import { assistant, PROFILE, reads, user } from '../core/conversation/kit.ts';

/** Calls as JavaScript code can make them, past the compiler. */
const open = (options: unknown) => openConversation(options as Parameters<typeof openConversation>[0]);

/** An empty snapshot. */
const STATE = { version: 1, messages: [], compactions: [], pins: [] };

/** What usage reports have taught. */
const TAUGHT = { factor: 1.1, deviation: 0.1, reports: 3 };

/** Options with a snapshot in which one part is replaced, and the error for it. */
const restored = (...parts: readonly (readonly [object, string | RegExp])[]) =>
  parts.map(([part, message]) => [{ profile: 'gpt-4.1', restore: { ...STATE, ...part } }, message] as const);

describe('options of openConversation', () => {
  for (const [options, message] of [
    [undefined, 'openConversation must be called with an object of options, not undefined'],
    [{}, 'openConversation needs a profile: a model id or an object'],
    [{ profile: '' }, /^openConversation: profile must be a model id, or an object with an id/],
    [{ profile: { contextWindow: 8192 } }, /^openConversation: profile must be a model id, or an object with an id/],
    [{ profile: { ...PROFILE, contextWindow: '8k' } }, 'profile.contextWindow: must be a whole number of tokens'],
    [{ profile: 'gpt-4.1', strategy: 'best' }, /^openConversation: strategy must be one of adaptive, .*, not "best"$/],
    [
      { profile: 'gpt-4.1', summarize: async () => '', summaryProfile: { id: 'small', contextWindow: -1 } },
      'summaryProfile.contextWindow: must be more than 0',
    ],
    [{ profile: 'gpt-4.1', stratgy: 'karl' }, /^openConversation has no option stratgy; it has profile, strategy/],
    [{ profile: 'gpt-4.1', tools: [{ name: 'bash' }] }, /^openConversation: tools must be a list of tool definitions/],
    [{ profile: 'gpt-4.1', summarize: 'yes' }, /^openConversation: summarize must be a function/],
    [{ profile: 'gpt-4.1', thresholds: { fraction: 80 } }, 'thresholds.fraction must be a number from 0 to 1, not 80'],
    [{ profile: 'gpt-4.1', thresholds: { tokens: null } }, 'thresholds.tokens must be a number above 0, not null'],
    [{ profile: 'gpt-4.1', thresholds: { messages: Number.NaN } }, /^thresholds.messages must be .*, not NaN$/],
    [{ profile: 'gpt-4.1', thresholds: { percent: 80 } }, /^thresholds has no field percent; it has fraction, tokens/],
    [
      { profile: 'gpt-4.1', settings: { summary: { maxTokens: '4k' } } },
      /^settings.summary.maxTokens must be a number/,
    ],
    [{ profile: 'gpt-4.1', settings: { summary: { when: 'maybe' } } }, /^settings.summary.when must be one of always/],
    [
      { profile: 'gpt-4.1', settings: { summary: { model: 'x' } } },
      /^settings.summary has no field model; it has maxTokens, when/,
    ],
    [{ profile: 'gpt-4.1', settings: { summary: 4000 } }, 'settings.summary must be an object, not 4000'],
    [
      { profile: 'gpt-4.1', settings: { maxTokens: 4000 } },
      /^settings has no field maxTokens; it has keepLastMessages/,
    ],
    [{ profile: 'gpt-4.1', restore: [] }, /^openConversation: restore must be what snapshot\(\) gave/],
    ...restored(
      [{ undone: 3 }, 'restore.undone must be a list, not 3'],
      [
        { compactions: [null] },
        /^restore.compactions\[0\] must be \{ id, .*transcriptLength a whole number.*, not null$/,
      ],
      [
        { compactions: [{ transcriptLength: 0 }] },
        /^restore.compactions\[0\] must be .*, not \{"transcriptLength":0\}$/,
      ],
      [
        {
          compactions: [
            {
              id: 'a',
              at: 0,
              strategy: 'karl',
              trigger: 'command',
              transcriptLength: 1,
              replacements: [
                { range: { from: 0, to: 0 }, by: { kind: 'note', messages: [{ role: 'user', content: 5 }] } },
              ],
              receipt: { strategy: 'karl', tokensBefore: 9, tokensAfter: 3 },
            },
          ],
        },
        /^restore.compactions\[0\] must be .*with valid messages, not /,
      ],
      [{ undone: [3] }, /^restore.undone\[0\] must be \{ place, compaction \}.*, not 3$/],
      [{ undone: [null] }, /^restore.undone\[0\] must be .*, not null$/],
      [{ undone: [{ place: 0 }] }, /^restore.undone\[0\] must be .*, not \{"place":0\}$/],
      [{ pins: [0, -5] }, 'restore.pins[1] must be the index of a message, a whole number from 0, not -5'],
      [{ learnedWindow: 'x' }, /^restore.learnedWindow must be \{ tokens, source \}.*, not "x"$/],
      [{ learnedWindow: { tokens: 0.5, source: 'server' } }, /^restore.learnedWindow must be .*tokens a whole number/],
      [{ calibration: 7 }, /^restore.calibration must be \{ factor, deviation, reports \}.*, not 7$/],
      [{ calibration: { ...TAUGHT, factor: 1e12 } }, /^restore.calibration must be .*factor from 0.5 to 2.5/],
      [{ calibration: { ...TAUGHT, factor: Number.POSITIVE_INFINITY } }, /^restore.calibration must be /],
      [{ calibration: { ...TAUGHT, deviation: Number.NaN } }, /^restore.calibration must be .*deviation from 0 to 4/],
      [{ calibration: { ...TAUGHT, reports: -3 } }, /^restore.calibration must be .*reports a whole number from 1/],
    ),
  ] as const) {
    it(`${JSON.stringify(options)} are refused: ${message}`, () => {
      assert.throws(() => open(options), { name: 'TypeError', message });
    });
  }

  for (const [options, message] of [
    [{ strategy: 'karl', fallbackStrategy: 'karl' }, /^fallbackStrategy must be another strategy than strategy/],
    [{ summaryProfile: 'gpt-4.1' }, /^summaryProfile is the model of summarize, which is missing/],
    [{ thresholds: { fraction: 0.5, target: 0.6 } }, /^thresholds.target must be below thresholds.fraction/],
    [{ settings: { sandwich: { topFraction: 0.6, bottomFraction: 0.6 } } }, /must be at most 1 together, not 1.2$/],
    [
      { profile: { id: 'm', contextWindow: 1_000, completionReserve: 1_000 } },
      /^profile.completionReserve \(1000\) must be below profile.contextWindow \(1000\)$/,
    ],
  ] as const)
    it(`${JSON.stringify(options)} contradict each other`, () => {
      assert.throws(() => open({ profile: 'gpt-4.1', ...options }), { name: 'TypeError', message });
    });

  it('that share objects may not stand for more than memory holds', () => {
    let shared: object = { type: 'text', text: 'x' };
    for (let depth = 0; depth < 40; depth += 1) shared = { type: 'text', text: 'x', one: shared, other: shared };
    const message = { role: 'user', content: [shared] };
    const tool = { type: 'function', function: { name: 'x', parameters: shared } };
    const invalid = { name: 'InvalidMessageError', message: /^message 0: message must be at most/ };
    assert.throws(() => countTokens([message] as ChatMessage[]), invalid);
    assert.throws(() => openConversation({ profile: 'gpt-4.1' }).append([message] as ChatMessage[]), invalid);
    for (const options of [{ tools: [tool] }, { restore: { ...STATE, shared } }, { thresholds: { tokens: shared } }])
      assert.throws(() => open({ profile: 'gpt-4.1', ...options }), { name: 'TypeError', message: /cannot hold$/ });
  });

  it('that JSON cannot hold are refused by their names', () => {
    const circle = { type: 'function', function: { name: 'read' }, inside: {} };
    circle.inside = circle;
    const message = (option: string) => new RegExp(`${option} must be .*, not something that JSON cannot hold$`);
    assert.throws(() => open({ profile: 'gpt-4.1', tools: [circle] }), {
      name: 'TypeError',
      message: message('tools'),
    });
    assert.throws(() => open({ profile: 'gpt-4.1', thresholds: { tokens: circle } }), {
      name: 'TypeError',
      message: message('thresholds.tokens'),
    });
  });

  it('that are undefined keep their defaults', () => {
    const conversation = open({
      profile: PROFILE,
      strategy: undefined,
      summarize: undefined,
      thresholds: { fraction: undefined, target: undefined },
    });
    conversation.append([user('Go.'), assistant('word '.repeat(8000)), user('And now?')]);
    assert.equal(conversation.due(), 'threshold');
  });

  it('that are undefined in a group of settings keep theirs too', async () => {
    const asked: number[] = [];
    const conversation = open({
      profile: PROFILE,
      strategy: 'karl',
      settings: { summary: { maxTokens: undefined } },
      summarize: async ({ maxTokens }: { maxTokens: number }) => {
        asked.push(maxTokens);
        return 'It was read.';
      },
    });
    conversation.append([user('Read.'), ...reads(20), user('And now?')]);
    await conversation.compact({ targetTokens: 1000 });
    assert.ok(asked.length > 0 && asked.every((tokens) => tokens > 0), asked.join());
  });
});

describe('options of the other calls', () => {
  const conversation = openConversation({ profile: PROFILE });

  it('compact refuses an unknown strategy', async () => {
    const run = conversation.compact({ strategy: 'best' as 'karl' });
    await assert.rejects(run, { name: 'TypeError', message: /^compact: strategy must be one of adaptive/ });
  });
  it('compact refuses an invalid trigger, target and signal', async () => {
    for (const [name, value] of Object.entries({ trigger: 'user', targetTokens: '8000', signal: true }))
      await assert.rejects(conversation.compact({ [name]: value }), {
        name: 'TypeError',
        message: new RegExp(`^compact: ${name} must be `),
      });
  });
  for (const [call, value, message] of [
    ['append', 'hello', 'append: its argument must be a list of messages, not "hello"'],
    ['recall', 41, 'recall: its argument must be a handle or words, not 41'],
    ['reportUsage', 230, 'reportUsage: its argument must be the usage of a reply, not 230'],
    ['on', undefined, 'on: its argument must be a function, not undefined'],
    ['pin', null, 'pin: its argument must be the index of a message, a whole number from 0, not null'],
    ['unpin', '0', 'unpin: its argument must be the index of a message, a whole number from 0, not "0"'],
  ] as const) {
    it(`${call} refuses an invalid argument`, async () => {
      const run = async () => Reflect.apply(conversation[call], conversation, [value]);
      await assert.rejects(run, { name: 'TypeError', message });
    });
  }
  it('reportUsage accepts that a server reports none', () => {
    const before = conversation.budget();
    conversation.reportUsage(undefined);
    conversation.reportUsage(null);
    assert.deepEqual(conversation.budget(), before);
  });
  it('reportUsage reads figures that a server writes as text, and leaves out those that are none', () => {
    const asked = openConversation({ profile: PROFILE });
    asked.append([user('hello')]);
    asked.view();
    asked.reportUsage({ prompt_tokens: 'many' as unknown as number });
    assert.equal(asked.budget().source, 'counted');
    asked.reportUsage({ prompt_tokens: '12' as unknown as number });
    assert.equal(asked.budget().usedTokens, 12);
  });
  it('configure refuses invalid options and changes nothing', () => {
    const before = conversation.budget();
    const window = { tokens: -1, source: 'error' } as const;
    assert.throws(() => conversation.configure({ learnedWindow: window }), /^TypeError: configure: learnedWindow must/);
    assert.throws(() => conversation.configure({ profile: { ...PROFILE, timeoutMs: 0 } }), /profile.timeoutMs/);
    assert.deepEqual(conversation.budget(), before);
  });
  it('countTokens refuses another encoding, another input and an invalid message', () => {
    assert.throws(() => countTokens('a', 'gpt2' as 'o200k_base'), { name: 'TypeError', message: /^encoding must be/ });
    assert.throws(() => countTokens(7 as unknown as string), { name: 'TypeError', message: /^input must be a string/ });
    const none = [user('a'), { role: 'user' }] as ChatMessage[];
    assert.throws(() => countTokens(none), { name: 'InvalidMessageError', message: /^message 1: content/ });
  });
  it('resolveProfile takes an entry with any field of a profile', () => {
    assert.equal(resolveProfile('mine', { tools: false }).tools, false);
    assert.equal(resolveProfile('mine', { outputLimit: 5 }).outputLimit, 5);
    assert.throws(() => resolveProfile('mine', { price: 3 }), {
      name: 'TypeError',
      message: /^overrides: price: must/,
    });
  });
  it('recallTool and resolveProfile refuse what they do not know', () => {
    assert.throws(() => recallTool({ ...conversation }), {
      name: 'TypeError',
      message: /what openConversation returned/,
    });
    assert.throws(() => resolveProfile(undefined as unknown as string), {
      name: 'TypeError',
      message: /id of a model/,
    });
  });
});
