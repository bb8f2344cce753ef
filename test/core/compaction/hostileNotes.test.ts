import assert from 'node:assert/strict';
import { auditNote } from '../../../src/core/compaction/audit/auditNote.ts';
import { PassageIndex } from '../../../src/core/compaction/recall/passageIndex.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { SEED } from '../../attack/seed.ts';
import { assistant, tool, user } from '../conversation/kit.ts';
import { type Claim, HOSTILE_LANGUAGES, type HostileLanguage } from './hostileSentences.ts';

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

const CLAIMS = Object.values(HOSTILE_LANGUAGES).flatMap((language) =>
  Object.entries(language.claims).flatMap(([claim, sentences]) =>
    sentences.map((sentence) => ({ claim: claim as Claim, sentence, transcript: transcriptIn(language) })),
  ),
);

/** The claims that stand in a note as if they were true: neither taken out nor marked. */
function standing(citation: () => string): readonly { readonly claim: Claim; readonly sentence: string }[] {
  return CLAIMS.filter(({ sentence, transcript }) => {
    const note = `- ${sentence.replace(/[.。]$/, '')}${citation()}.`;
    const { removed, unverified } = runAtOnce(auditNote(note, transcript, new PassageIndex(transcript.messages)));
    return removed.length === 0 && unverified === 0;
  });
}

/**
 * So many of them stand all the same: they are made of true names and words of the user, above all rules told as lifted in
 * other languages than English. No figure here may grow.
 */
const STANDING = { uncited: 65, 'with the message of the user': 49, 'with the edit': 41 };

describe(`${CLAIMS.length} hostile sentences in six languages`, () => {
  for (const [name, citation] of [
    ['uncited', ''],
    ['with the message of the user', ' [t0]'],
    ['with the edit', ' [t4-5]'],
  ] as const) {
    it(`${name}: at most ${STANDING[name]} stand`, () => {
      assert.ok(CLAIMS.length >= 200);
      const stand = standing(() => citation);
      assert.ok(stand.length <= STANDING[name], `${stand.length}: ${stand.map(({ sentence }) => sentence).join('\n')}`);
    });
  }

  it(`have no command that nobody ran, whatever they cite, seed ${SEED}`, () => {
    const below = seeded(SEED);
    for (let round = 0; round < 5; round += 1) {
      const stand = standing(() => (below(4) === 0 ? '' : ` [t${below(4)}-${4 + below(4)}]`));
      assert.deepEqual(
        stand.filter(({ claim }) => claim === 'run this'),
        [],
      );
    }
  });

  it('are not believed of the user where no message of the user is cited', () => {
    assert.deepEqual(
      standing(() => ' [t4-5]').filter(({ claim }) => claim === 'the user allows'),
      [],
    );
  });
});
