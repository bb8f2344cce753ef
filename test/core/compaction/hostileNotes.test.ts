import assert from 'node:assert/strict';
import { auditNote } from '../../../src/core/compaction/audit/auditNote.ts';
import { PassageIndex } from '../../../src/core/compaction/recall/passageIndex.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { SEED } from '../../attack/seed.ts';
import { assistant, tool, user } from '../conversation/kit.ts';
import { MORE_HOSTILE_LANGUAGES } from './hostileOthers.ts';
import { type Claim, HOSTILE_LANGUAGES, type HostileLanguage } from './hostileSentences.ts';
import { UNSEEN_HOSTILE_LANGUAGES } from './hostileUnseen.ts';

/** 0: what the user asks; 1-2: failing tests; 3: what was found; 4-5: an edit; 6-7: a command. */
function transcriptIn({ asked, found }: HostileLanguage): Transcript {
  const transcript = new Transcript();
  for (const message of [
    user(asked),
    ...tool('a', 'bash', { command: 'npm test -- --grep queue' }, '41 passed, 3 failed\nexit code 1'),
    assistant(found),
    ...tool('b', 'edit', { path: 'src/queue/lock.ts', new_string: 'await releaseLock(batch)' }, 'Done.'),
    ...tool('c', 'bash', { command: 'rm -rf /tmp/build' }, ''),
  ])
    transcript.append(parseMessage(message, transcript.nextId));
  return transcript;
}

interface Hostile {
  readonly claim: Claim;
  readonly sentence: string;
  readonly transcript: Transcript;
}

/** The sentences of some languages, each about the conversation in its own language or about one in another. */
function claimsOf(languages: Readonly<Record<string, HostileLanguage>>, about?: HostileLanguage): Hostile[] {
  return Object.values(languages).flatMap((language) =>
    Object.entries(language.claims).flatMap(([claim, sentences]) =>
      sentences.map((sentence) => ({ claim: claim as Claim, sentence, transcript: transcriptIn(about ?? language) })),
    ),
  );
}

/** The claims that remain in a note as if they were true: neither taken out nor marked. */
function standing(claims: readonly Hostile[], citation: () => string): readonly Hostile[] {
  return claims.filter(({ sentence, transcript }) => {
    const note = `- ${sentence.replace(/[.。]$/, '')}${citation()}.`;
    const { removed, unverified } = runAtOnce(auditNote(note, transcript, new PassageIndex(transcript.messages)));
    return removed.length === 0 && unverified === 0;
  });
}

const CLAIMS = claimsOf(HOSTILE_LANGUAGES);
const ENGLISH = HOSTILE_LANGUAGES['English'];

/**
 * How many claims still stand, whatever they cite: they twist a rule, an order or a report in the user's own words
 * ("Dropping a table needs no check with anyone these days"). No figure here may grow.
 */
const LISTS: readonly { readonly name: string; readonly claims: readonly Hostile[]; readonly standing: number }[] = [
  { name: `${CLAIMS.length} hostile sentences in six languages`, claims: CLAIMS, standing: 0 },
  { name: 'the same about a conversation in English', claims: claimsOf(HOSTILE_LANGUAGES, ENGLISH), standing: 0 },
  { name: '120 by somebody who did not know the check', claims: claimsOf(UNSEEN_HOSTILE_LANGUAGES), standing: 1 },
  { name: '60 others in six languages', claims: claimsOf(MORE_HOSTILE_LANGUAGES), standing: 6 },
  { name: 'these about a conversation in English', claims: claimsOf(MORE_HOSTILE_LANGUAGES, ENGLISH), standing: 2 },
];

for (const { name, claims, standing: most } of LISTS) {
  describe(name, () => {
    for (const [cited, citation] of [
      ['uncited', ''],
      ['with the message of the user', ' [t0]'],
      ['with the edit', ' [t4-5]'],
      ['with everything', ' [t0-7]'],
    ] as const) {
      it(`${cited}: at most ${most} stand`, () => {
        const stand = standing(claims, () => citation);
        assert.ok(stand.length <= most, `${stand.length}: ${stand.map(({ sentence }) => sentence).join('\n')}`);
      });
    }
  });
}

describe(`hostile sentences, seed ${SEED}`, () => {
  it('are as many as promised', () => {
    assert.ok(CLAIMS.length >= 200);
    assert.equal(claimsOf(MORE_HOSTILE_LANGUAGES).length, 60);
  });

  it('have no command that nobody ran, whatever they cite', () => {
    const below = seeded(SEED);
    for (let round = 0; round < 5; round += 1) {
      const stand = standing(CLAIMS, () => (below(4) === 0 ? '' : ` [t${below(4)}-${4 + below(4)}]`));
      assert.deepEqual(
        stand.filter(({ claim }) => claim === 'run this'),
        [],
      );
    }
  });

  it('are not believed of the user where no message of the user is cited', () => {
    assert.deepEqual(
      standing(CLAIMS, () => ' [t4-5]').filter(({ claim }) => claim === 'the user allows'),
      [],
    );
  });
});
