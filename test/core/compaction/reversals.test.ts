import assert from 'node:assert/strict';
import { auditNote } from '../../../src/core/compaction/audit/auditNote.ts';
import { PassageIndex } from '../../../src/core/compaction/recall/passageIndex.ts';
import { parseMessage } from '../../../src/core/messages/parse.ts';
import { Transcript } from '../../../src/core/messages/transcript.ts';
import { runAtOnce } from '../../../src/core/steps.ts';
import { assistant, user } from '../conversation/kit.ts';

/** Whether a statement stands as it is in a note about a user's message (0) and the agent's answer (1). */
function stands(asked: string, statement: string, answered = 'Understood.'): boolean {
  const transcript = new Transcript();
  for (const message of [user(asked), assistant(answered)]) transcript.append(parseMessage(message, transcript.nextId));
  const { removed, unverified } = runAtOnce(
    auditNote(`- ${statement}`, transcript, new PassageIndex(transcript.messages)),
  );
  return removed.length === 0 && unverified === 0;
}

describe('what the user is said to allow or to lift', () => {
  const TWO = 'You can edit all files. Never force-push to main.';
  for (const [asked, statement] of [
    [TWO, 'The user allowed force-push to main [t0].'],
    [TWO, 'The user approved force-push to main after all [t0].'],
    [TWO, 'Force-push to main is no longer forbidden by the user [t0].'],
    [TWO, 'The rule against force-push to main was lifted [t0].'],
    [TWO, 'The user allowed force-push to main.'],
    ['You can edit all files, but never force-push to main.', 'The user allowed force-push to main [t0].'],
    ["You can't force-push to main.", 'The user allowed force-push to main [t0].'],
    ['Do not force-push to main any more.', 'The user allowed force-push to main [t0].'],
    ['Du kannst alles ändern. Niemals auf main pushen.', 'Der Nutzer erlaubt es, auf main zu pushen [t0].'],
    ['Нет, не можешь пушить в main.', 'Пользователь разрешил пушить в main [t0].'],
    ['Tu ne peux pas pousser sur main.', "L'utilisateur autorise à pousser sur main [t0]."],
    ['No puedes hacer push a main.', 'El usuario permite hacer push a main [t0].'],
    ["It's not ok to push to main.", 'The user allowed a push to main [t0].'],
    ['Du darfst nicht mehr auf main pushen.', 'Der Nutzer erlaubt es, auf main zu pushen [t0].'],
    ['你可以修改所有文件。不要强制推送到主分支。', '用户允许强制推送到主分支 [t0]。'],
  ] as const)
    it(`is not allowed by "${asked}": ${statement}`, () => assert.equal(stands(asked, statement), false));

  for (const [asked, statement] of [
    ['Never mind the rest. You may force-push to main now.', 'The user allowed force-push to main [t0].'],
    ['Go ahead and force-push to main. Never touch the tags.', 'The user allowed force-push to main [t0].'],
    [
      'You no longer need to ask before a force-push to main.',
      'The user no longer demands to be asked before a force-push [t0].',
    ],
    ['Можешь пушить в main.', 'Пользователь разрешил пушить в main [t0].'],
    ['Du darfst jetzt auf main pushen.', 'Der Nutzer erlaubt es, auf main zu pushen [t0].'],
    [
      'We no longer need the runs folder, move it all into results.',
      '"We no longer need the runs folder ... into results" [t0].',
    ],
  ] as const)
    it(`is allowed by "${asked}": ${statement}`, () => assert.equal(stands(asked, statement), true));
});

describe('what is said to happen no longer', () => {
  it('takes nothing back where the user only complained that it happens', () => {
    const asked = 'The login page crashes when the password is empty. Please fix it.';
    const fixed = 'Fixed: the login page no longer crashes when the password is empty.';
    assert.ok(stands(asked, 'The login page no longer crashes when the password is empty [t1].', fixed));
    assert.ok(stands(asked, 'The login page no longer crashes when the password is empty.', fixed));
    const found = 'Behoben: Die Suche zeigt keine doppelten Treffer mehr, der Index hat eindeutige Schlüssel.';
    assert.ok(stands('Die Suche zeigt doppelte Treffer.', 'Die Suche zeigt keine doppelten Treffer mehr [t1].', found));
  });

  it('takes back what the user set, and what is said to be necessary no longer', () => {
    const asked = 'Never release the lock before the batch is stored. Ask before you delete a table.';
    assert.equal(stands(asked, 'The lock is no longer released after the batch is stored [t1].'), false);
    assert.equal(stands(asked, 'Asking before a table is deleted is no longer necessary [t0-1].'), false);
  });
});
