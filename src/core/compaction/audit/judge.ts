import { anyOf } from '../../messages/anyOf.ts';
import type { MessageRange } from '../../messages/message.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { termsOf } from '../recall/terms.ts';
import { SECTIONS } from '../summarizers/prompt.ts';
import { commandsIn } from './commandsIn.ts';
import { evidenceIn, isShown } from './evidence.ts';
import { type NamedThing, namesIn } from './namesIn.ts';
import { isReversal, saysReversal } from './reversals.ts';
import { idsOf, isHuman, plain, type Sources } from './sources.ts';
import type { Statement } from './statements.ts';
import { isTold, saysNothingDone } from './told.ts';
import { onlyFailed, wasDone } from './wasDone.ts';
import { share, tellingWords } from './words.ts';

/** What the check of a statement came to: it may stand, it stands marked, or it is taken out. */
export type Verdict = 'holds' | 'unverified' | 'fails';

/** Of so many words of a statement one must stand near each of its names. */
const WORDS_TO_NEAR = 7;
/**
 * Of the words of what the user is said to want, this share stands in what the user wrote and what that answers; and this
 * share in the user's own words, unless they are fewer than the statement's: "yes, the second" says all of what it answers.
 * (In six notes by models, true statements have 0.82 and 0.75 in the median, invented ones 0.43 and 0.17.)
 */
const USER_SHARE = 0.5;
const OWN_SHARE = 0.3;
/** A statement of fewer words says nothing of its own: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** The same for a statement without a source, of the message that its words find. */
const FOUND_SHARE = 0.15;
/** Of the passages that a statement without a name finds, so many are looked at. */
const MOST_FOUND = 16;

/** A statement that is about what the user wants, said or allowed: at its start, or where it gives the user as its reason. */
const OF_THE_USER = anyOf(
  /^\W*(?:the )?(?:user|developer|human)\b(?!'s| was (?:told|asked|shown|given)| has not| did not)/iu,
  /\b(?:as|because|since|per) the (?:user|developer)\b/iu,
  /^\P{L}*(?:der |die )?(?:be)?nutzer(?:in)?\b|^\P{L}*(?:der |die )?(?:anwender|entwickler)(?:in)?\b/iu,
  /^\P{L}*l['\u2019]utilisat(?:eur|rice)\b|^\P{L}*(?:le |la )?développeu(?:r|se)\b/iu,
  /^\P{L}*(?:el |la |o |a )?(?:usu[aá]ri[oa]|desarrollador|desenvolvedor)a?\b|^\P{L}*l['\u2019]utente\b/iu,
  /^\P{L}*(?:пользовател|разработчи)|^\P{L}*(?:用户|用戶|使用者|开发者|ユーザー|利用者|사용자|개발자)/iu,
);
/** What the user set, in the words of notes: who says that it was lifted says something of the user. */
const RULE = /\b(?:rules?|wish(?:es)?|bans?|demands?|restrictions?|constraints?|requirements?|preferences?)\b/i;

/** Of a reversal this share of its words, those of the reversal aside, stands in the user's own words. */
const REVERSED_SHARE = 0.5;

/** Judges one statement against the raw messages: the cited ones first, then wherever its own words lead. */
export function judge(statement: Statement, sources: Sources, index: PassageIndex): Verdict {
  const blocks = sources.blocksOf(statement.cites);
  // No message shows what was not done: what is cited stands only near it.
  const isCited = statement.cites.length > 0 && !saysNothingDone(statement.text);
  const cited = idsOf(blocks);
  const words = tellingWords(statement.text);
  const names = namesIn(statement.text);
  const verdicts = [
    ...names.map((named): Verdict => {
      const name = isCited || named.base === undefined ? named : { ...named, forms: [...named.forms, named.base] };
      if (!sources.has(name)) return 'fails';
      if (isCited) return sources.isIn(name, cited) ? 'holds' : 'unverified';
      const own = new Set(name.forms.flatMap(termsOf));
      const others = new Set([...words].filter((word) => !own.has(word)));
      return others.size < WORDS_TO_NEAR || sources.wordsNear(name, others) > 0 ? 'holds' : 'unverified';
    }),
    ...commandsIn(statement.text).map((pieces): Verdict => (sources.haveTogether(pieces) ? 'holds' : 'fails')),
  ];
  if (
    saysOfTheUser(statement) &&
    !isOfFile(statement, blocks, sources) &&
    !isOfTheUser(statement, { blocks, words, sources, index })
  )
    verdicts.push('unverified');
  if (statement.cites.length > 0 && !isSo(statement, blocks, sources)) verdicts.push('unverified');
  if (verdicts.length === 0 && !isFound(statement, { words, sources, index })) verdicts.push('unverified');
  if (!isInItsWords(words, names, index)) verdicts.push('unverified');
  if (verdicts.includes('fails')) return 'fails';
  return verdicts.includes('unverified') ? 'unverified' : 'holds';
}

/**
 * Whether the conversation knows at least half of a statement's words, the names counted in where it has some. What a
 * conversation has no words for, nobody said in it, in whatever language.
 */
function isInItsWords(words: ReadonlySet<string>, names: readonly NamedThing[], index: PassageIndex): boolean {
  const ofNames = new Set(names.flatMap(({ forms }) => forms.flatMap(termsOf)));
  const others = new Set([...words].filter((word) => !ofNames.has(word)));
  let unknown = 0;
  for (const word of others) if (!index.has(word)) unknown += 1;
  return 2 * unknown < others.size + Math.max(1, names.length);
}

/** Whether a statement without a name has words of what it cites, or without citations of a message that its words find. */
function isFound({ text, cites }: Statement, { words, sources, index }: Omit<Support, 'blocks'>): boolean {
  if (words.size < LEAST_WORDS) return true;
  const around = sources.blocksOf(cites.map(withNeighbours));
  if (cites.length > 0) return share(words, tellingWords(sources.textOf(idsOf(around)))) >= FOUND_SHARE;
  const found = index.search(text, { most: MOST_FOUND });
  return found.some(({ passage }) => share(words, tellingWords(passage.text)) >= FOUND_SHARE);
}

/** What has no name may be said a step before or after the cited one: "yes, the second". Messages. */
const NEIGHBOURS = 4;

function withNeighbours({ from, to }: MessageRange): MessageRange {
  return { from: Math.max(0, from - NEIGHBOURS), to: to + NEIGHBOURS };
}

/** Whether the cited messages show what is told as done. How something works (it passes, it is added) is not. */
function isSo({ text, section, cites }: Statement, blocks: ReturnType<Sources['blocksOf']>, sources: Sources): boolean {
  if (section.startsWith(SECTIONS.workings)) return true;
  const isState = section.startsWith(SECTIONS.state);
  const evidence = evidenceIn(blocks, text);
  if (!wasDone(text, evidence)) return false;
  if (!isState) return true;
  return (
    !onlyFailed(text, evidence) &&
    (saysNothingDone(text) ||
      (isShown(text, evidence) &&
        isTold(
          text,
          cites.map((cite) => evidenceIn(sources.blocksOf([cite]), text)),
        )))
  );
}

function saysOfTheUser({ text, section }: Statement): boolean {
  const lifts = RULE.test(text) && isReversal(text);
  return lifts || section.toLowerCase().startsWith(SECTIONS.wishes.toLowerCase()) || OF_THE_USER.test(text);
}

/** True when a statement names its file and cites where the file says it, not the user: the prompt asks for files' rules so. */
function isOfFile({ text }: Statement, blocks: ReturnType<Sources['blocksOf']>, sources: Sources): boolean {
  if (OF_THE_USER.test(text) || blocks.length === 0 || blocks.some(isHuman)) return false;
  const cited = idsOf(blocks);
  return namesIn(text).some((name) => name.base !== undefined && sources.isIn(name, cited));
}

interface Support {
  readonly blocks: ReturnType<Sources['blocksOf']>;
  readonly words: ReadonlySet<string>;
  readonly sources: Sources;
  readonly index: PassageIndex;
}

/** Whether a message of the human says it: a cited one, or without citations the one that its words find. */
function isOfTheUser(statement: Statement, { blocks, words, sources, index }: Support): boolean {
  if (words.size < LEAST_WORDS) return true;
  if (statement.cites.length > 0) {
    const human = blocks.filter(isHuman);
    // A short answer ("yes, the second") takes its words from what it answers.
    const near = idsOf(
      blocks.concat(sources.blocksOf(human.map(({ range }) => ({ from: range.from - 1, to: range.to })))),
    );
    if (isReversal(statement.text)) {
      const said = sources.textOf(idsOf(human));
      return saysReversal(statement.text, said) && share(words, tellingWords(said)) >= REVERSED_SHARE;
    }
    if (quotes(statement.text, sources.textOf(idsOf(human)))) return true;
    const own = tellingWords(sources.textOf(idsOf(human)));
    const isAnswer = own.size < words.size;
    return (
      human.length > 0 &&
      (isAnswer || share(words, own) >= OWN_SHARE) &&
      share(words, tellingWords(sources.textOf(near))) >= USER_SHARE
    );
  }
  const found = index.search(statement.text, { most: 3, among: ({ kind }) => kind === 'human' });
  return found.some(
    ({ passage }) =>
      share(words, tellingWords(passage.text)) >= FOUND_SHARE && saysReversal(statement.text, passage.text),
  );
}

/** So many words in a row that stand in a message are a quotation of it. */
const QUOTED_WORDS = 5;

/** True when a text has a stretch of another one word for word. Whoever quotes the user need not prove the words around. */
function quotes(text: string, source: string): boolean {
  const words = plain(text).match(WORDS) ?? [];
  const said = ` ${(source.match(WORDS) ?? []).join(' ')} `;
  return words.some(
    (_, at) => at + QUOTED_WORDS <= words.length && said.includes(` ${words.slice(at, at + QUOTED_WORDS).join(' ')} `),
  );
}

const WORDS = /[\p{L}\p{N}_]+/gu;
