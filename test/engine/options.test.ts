import assert from 'node:assert/strict';
import { type ChatMessage, countTokens, openConversation, recallTool, resolveProfile } from '../../src/engine.ts';
import { assistant, PROFILE, reads, user } from '../core/conversation/kit.ts';

/** Calls as JavaScript code can make them, past the compiler. */
const open = (options: unknown) => openConversation(options as Parameters<typeof openConversation>[0]);

/** An empty snapshot. */
const STATE = { version: 1, messages: [], compactions: [], pins: [] };

/** What usage reports have taught. */
const TAUGHT = { factor: 1.1, deviation: 0.1, reports: 3 };

const INVALID_RECORD = {
  ...{ id: 'a', at: 0, strategy: 'karl', trigger: 'command', transcriptLength: 1 },
  replacements: [{ range: { from: 0, to: 0 }, by: { kind: 'note', messages: [{ role: 'user', content: 5 }] } }],
  receipt: { strategy: 'karl', tokensBefore: 9, tokensAfter: 3 },
};

/** Parts of a snapshot, and the beginning of the error. */
const SNAPSHOTS: readonly (readonly [object, string])[] = [
  [{ undone: 3 }, 'undone: Invalid input: expected array'],
  [{ compactions: [null] }, 'compactions[0]: Invalid input: expected object'],
  [{ compactions: [{ transcriptLength: 0 }] }, 'compactions[0].id: Invalid input: expected string'],
  [{ compactions: [INVALID_RECORD] }, 'compactions[0].replacements[0].by.messages[0]: Invalid input'],
  [{ undone: [null] }, 'undone[0]: Invalid input: expected object'],
  [{ undone: [{ place: 0 }] }, 'undone[0].compaction: Invalid input: expected object'],
  [{ pins: [0, -5] }, 'pins[1]: Too small: expected number to be >=0'],
  [{ learnedWindow: 'x' }, 'learnedWindow: Invalid input: expected object'],
  [{ learnedWindow: { tokens: 0.5, source: 'server' } }, 'learnedWindow.tokens: Invalid input: expected int'],
  [{ calibration: 7 }, 'calibration: expected a calibration'],
  [{ calibration: { ...TAUGHT, factor: 1e12 } }, 'calibration: expected a calibration'],
  [{ calibration: { ...TAUGHT, deviation: Number.NaN } }, 'calibration: expected a calibration'],
  [{ calibration: { ...TAUGHT, reports: -3 } }, 'calibration: expected a calibration'],
];

describe('options of openConversation', () => {
  for (const [options, message] of [
    [undefined, 'openConversation: Invalid input: expected object'],
    [{ profile: undefined }, 'openConversation needs a profile: a model id or an object'],
    [{ profile: '' }, 'openConversation: profile: expected a model id, or an object with an id'],
    [{ profile: { contextWindow: 8192 } }, 'openConversation: profile: expected a model id, or an object with an id'],
    [{ profile: { ...PROFILE, contextWindow: '8k' } }, 'profile.contextWindow: must be a whole number of tokens'],
    [
      { summarize: async () => '', summaryProfile: { id: 'small', contextWindow: -1 } },
      'summaryProfile.contextWindow: must be a whole number of tokens, more than 0',
    ],
    [{ strategy: 'best' }, 'openConversation: strategy: Invalid option: expected one of "adaptive"'],
    [{ stratgy: 'karl' }, 'openConversation: Unrecognized key: "stratgy"'],
    [{ tools: [{ name: 'bash' }] }, 'openConversation: tools: expected a list of tool definitions'],
    [{ summarize: 'yes' }, 'openConversation: summarize: expected a function'],
    [{ thresholds: { fraction: 80 } }, 'openConversation: thresholds.fraction: Too big: expected number to be <=1'],
    [{ thresholds: { tokens: null } }, 'openConversation: thresholds.tokens: Invalid input: expected number'],
    [{ thresholds: { messages: Number.NaN } }, 'openConversation: thresholds.messages: Invalid input'],
    [{ settings: { summary: { model: 'x' } } }, 'openConversation: settings.summary: Unrecognized key: "model"'],
    [{ settings: { summary: 4000 } }, 'openConversation: settings.summary: Invalid input: expected object'],
    [{ restore: [] }, 'openConversation: restore: Invalid input: expected object'],
    ...SNAPSHOTS.map(
      ([part, message]) => [{ restore: { ...STATE, ...part } }, `openConversation: restore.${message}`] as const,
    ),
  ] as const) {
    it(`${JSON.stringify(options)} are refused: ${message}`, () => {
      const given = options && { profile: 'gpt-4.1', ...options };
      assert.throws(
        () => open(given),
        ({ name, message: said }) => name === 'TypeError' && said.startsWith(message),
      );
    });
  }

  for (const [options, message] of [
    [{ strategy: 'karl', fallbackStrategy: 'karl' }, /^fallbackStrategy must differ from strategy, karl$/],
    [{ summaryProfile: 'gpt-4.1' }, /^summaryProfile is the model of summarize, which is missing/],
    [{ thresholds: { fraction: 0.5, target: 0.6 } }, /^thresholds.target must be below thresholds.fraction/],
    [{ settings: { sandwich: { topFraction: 0.6, bottomFraction: 0.6 } } }, /must be at most 1 together, not 1.2$/],
    [{ settings: { actionTrace: { keep: 12 } } }, /must keep fewer steps than trigger it, not 12 of 10 or 3 of 5$/],
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
    const circle = { type: 'function', function: { name: 'read' }, inside: {} };
    circle.inside = circle;
    for (const options of [{ tools: [tool] }, { tools: [circle] }, { restore: { ...STATE, shared } }])
      assert.throws(() => open({ profile: 'gpt-4.1', ...options }), { name: 'TypeError', message: /can hold$/ });
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

  it('compact refuses an invalid strategy, trigger, target and signal', async () => {
    for (const [name, value] of Object.entries({ strategy: 'best', trigger: 'user', targetTokens: '8', signal: true }))
      await assert.rejects(conversation.compact({ [name]: value }), {
        name: 'TypeError',
        message: new RegExp(`^compact: ${name}: .*expected `),
      });
  });
  for (const [call, value] of [
    ['append', 'hello'],
    ['recall', 41],
    ['reportUsage', 230],
    ['on', undefined],
    ['pin', null],
    ['unpin', '0'],
  ] as const) {
    it(`${call} refuses an invalid argument`, async () => {
      const run = async () => Reflect.apply(conversation[call], conversation, [value]);
      await assert.rejects(run, { name: 'TypeError', message: new RegExp(`^${call}: .*expected `) });
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
    assert.throws(
      () => conversation.configure({ learnedWindow: window }),
      /^TypeError: configure: learnedWindow.tokens: /,
    );
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
