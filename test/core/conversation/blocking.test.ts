import assert from 'node:assert/strict';
import { formatRecord, parseRawTranscript } from '../../../src/adapters/node/rawTranscript.ts';
import type { ChatMessage } from '../../../src/core/chat/wire.ts';
import { Conversation } from '../../../src/core/conversation/conversation.ts';
import type { TextCounter } from '../../../src/core/tokens/counter.ts';
import { Looks } from '../../attack/looks.ts';
import { FIGURES, type MakeMessage, TINY, WORK } from '../../bench/blocking/messages.ts';
import { Random } from '../../laws/random.ts';
import { PROFILE } from './kit.ts';

/** Looking at each of them once is far more than a slice may do. */
const MESSAGES = 8_000;
/** Reads of parts of messages and blocks between two pauses: up to 2,700 at any length, depending on the seed. */
const MOST_LOOKS = 4_000;
/** Characters that are counted between two pauses. */
const MOST_CHARACTERS = 100_000;

/** A message longer than what is counted at once. */
const LONG: MakeMessage = (index) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: `Part ${index} of src/a${index}.ts failed.\n`.repeat(8_000),
});

/** Stretches of several kinds of conversation, one after the other. */
function makeMessages(random: Random): ChatMessage[] {
  const messages: ChatMessage[] = [];
  while (messages.length < MESSAGES) {
    const make = random.pick([TINY, FIGURES, WORK]);
    for (let left = 2 * random.integer(1, 800); left > 0; left -= 1) messages.push(make(messages.length));
  }
  return [...messages, LONG(messages.length), LONG(messages.length + 1)];
}

/** The most that was done between two pauses. A pause may come after every step, so no step may do more. */
class Slices {
  readonly looks = new Looks();
  readonly #characters = new Looks();
  #most = { looks: 0, characters: 0 };

  readonly counter: TextCounter = {
    encoding: 'o200k_base',
    count: (text) => {
      this.#characters.add(text.length);
      return { tokens: Math.ceil(text.length / 4), source: 'counted' };
    },
    *countInSteps(text) {
      yield;
      return { tokens: Math.ceil(text.length / 4), source: 'counted' };
    },
  };

  readonly ports = {
    newId: (): string => 'abcdef',
    now: (): number => 0,
    elapsed: (): number => {
      this.#time += 1_000;
      return this.#time;
    },
    pause: async (): Promise<void> => this.end(),
  };
  #time = 0;

  end(): void {
    this.#most = {
      looks: Math.max(this.#most.looks, this.looks.take()),
      characters: Math.max(this.#most.characters, this.#characters.take()),
    };
  }

  /** Fails when one of the slices since the last time did too much. */
  check(what: string): void {
    this.end();
    const { looks, characters } = this.#most;
    this.#most = { looks: 0, characters: 0 };
    assert.ok(looks > 0, `${what}: nothing was looked at`);
    assert.ok(looks <= MOST_LOOKS, `${what}: ${looks} looks in one slice`);
    assert.ok(characters <= MOST_CHARACTERS, `${what}: ${characters} characters counted in one slice`);
  }
}

/** With this seed, the text that replaces the newest unit is too long to be counted at once; `npm run soak` uses others. */
const SEED = Number(process.env.KARL_SEED ?? 370_012_270);

describe('a long conversation', () => {
  it(`is opened, compacted, undone and continued in slices that each do little (KARL_SEED=${SEED})`, async () => {
    const random = new Random(SEED);
    const messages = makeMessages(random);
    const slices = new Slices();
    const { looks } = slices;
    const conversation = await Conversation.open({
      profile: { ...PROFILE, contextWindow: 100_000_000 },
      counter: slices.counter,
      ports: slices.ports,
      restore: {
        version: 1,
        messages: messages.map((message) => looks.watch({ ...message })),
        compactions: [],
        pins: [],
      },
    });
    slices.check('opening');
    const watchAll = (from: number): void => {
      for (const message of conversation.transcript.messages.slice(from)) looks.watch(message);
      for (const block of conversation.transcript.blocks) looks.watch(block);
      looks.take();
    };
    watchAll(0);
    for (const share of [0.4, 0.1]) {
      const targetTokens = Math.floor(conversation.viewTokens() * share);
      const { kind } = await conversation.compact({ trigger: 'command', targetTokens });
      assert.equal(kind, 'compacted');
      slices.check(`compacting to ${share}`);
      conversation.append([{ role: 'user', content: 'Go on.' }]);
      conversation.budget();
      conversation.due();
      slices.check('a message more');
      watchAll(conversation.transcript.nextId - 1);
    }
  });

  it('is read from its file a few lines at a time', () => {
    const file = Buffer.from(
      Array.from({ length: 2_000 }, (_, id) => formatRecord({ id, at: 0, message: TINY(id) })).join(''),
    );
    let lines = 0;
    let most = 0;
    const subarray = file.subarray.bind(file);
    file.subarray = (from, to) => {
      lines += 1;
      return subarray(from, to);
    };
    for (const _ of parseRawTranscript(file)) {
      most = Math.max(most, lines);
      lines = 0;
    }
    assert.ok(most > 0 && most <= 64, `${most} lines in one step`);
  });
});
