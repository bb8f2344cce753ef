import type { MessageRange } from '../../messages/message.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { termsOf } from '../recall/terms.ts';
import { SECTIONS } from '../summarizers/prompt.ts';
import { commandsIn } from './commandsIn.ts';
import { evidenceIn, isShown } from './evidence.ts';
import { type NamedThing, namesIn } from './namesIn.ts';
import { isTheUsers, type Support } from './ofTheUser.ts';
import type { Verdict } from './sortStatements.ts';
import { idsOf, type Sources } from './sources.ts';
import type { Statement } from './statements.ts';
import { isTold, saysNothingDone } from './told.ts';
import { onlyFailed, wasDone } from './wasDone.ts';
import { share, tellingWords } from './words.ts';

/** A statement with at least this many other words needs one of them near each of its names. */
const WORDS_TO_NEAR = 7;
/** A statement with fewer words claims nothing that could be checked: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/**
 * For a statement without names: the share of its words that must be in a message it cites or that a search for it
 * finds.
 */
const FOUND_SHARE = 0.15;
/** For a statement without a source, at most this many search results are looked at. */
const MOST_FOUND = 16;

const WORST_FIRST: readonly Verdict[] = ['fails', 'unverified', 'doubtful'];

/**
 * A statement that cites more messages is judged as one without a source: all words are somewhere in half a conversation,
 * and reading that much at once would make the editor wait.
 */
const MOST_CITED = 64;

/** Judges one statement against the raw messages: the cited ones first, then wherever a search for its words leads. */
export function judge(given: Statement, sources: Sources, index: PassageIndex): Verdict {
  const cited = given.cites.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return judgeCited(cited > MOST_CITED ? { ...given, cites: [] } : given, sources, index);
}

function judgeCited(statement: Statement, sources: Sources, index: PassageIndex): Verdict {
  const blocks = sources.blocksOf(statement.cites);
  // No message shows what was not done: a citation for that only says where to look.
  const isCited = statement.cites.length > 0 && !saysNothingDone(statement.text);
  const cited = idsOf(blocks);
  const words = tellingWords(statement.text);
  const names = namesIn(statement.text);
  const verdicts = [
    ...names.map((named): Verdict => {
      const name = isCited || named.base === undefined ? named : { ...named, forms: [...named.forms, named.base] };
      if (!sources.has(name)) return 'fails';
      if (isCited) return sources.isIn(name, cited) ? 'holds' : 'doubtful';
      const own = new Set(name.forms.flatMap(termsOf));
      const others = new Set([...words].filter((word) => !own.has(word)));
      return others.size < WORDS_TO_NEAR || sources.wordsNear(name, others) > 0 ? 'holds' : 'doubtful';
    }),
    ...commandsIn(statement.text).map((pieces): Verdict => (sources.haveTogether(pieces) ? 'holds' : 'fails')),
  ];
  if (!isTheUsers(statement, { blocks, words, sources, index })) verdicts.push('unverified');
  if (statement.cites.length > 0 && !isSo(statement, blocks, sources)) verdicts.push('doubtful');
  if (verdicts.length === 0 && !isFound(statement, { words, sources, index })) verdicts.push('doubtful');
  if (!isInItsWords(words, names, index)) verdicts.push('doubtful');
  return WORST_FIRST.find((verdict) => verdicts.includes(verdict)) ?? 'holds';
}

/**
 * Whether at least half of a statement's words occur in the conversation; names count as known words. Nobody can have
 * said, in any language, what the conversation has no words for.
 */
function isInItsWords(words: ReadonlySet<string>, names: readonly NamedThing[], index: PassageIndex): boolean {
  const ofNames = new Set(names.flatMap(({ forms }) => forms.flatMap(termsOf)));
  const others = new Set([...words].filter((word) => !ofNames.has(word)));
  let unknown = 0;
  for (const word of others) if (!index.has(word)) unknown += 1;
  return 2 * unknown < others.size + Math.max(1, names.length);
}

/**
 * Whether a statement without a name shares words with what it cites or, without citations, with a message that a
 * search finds.
 */
function isFound({ text, cites }: Statement, { words, sources, index }: Omit<Support, 'blocks'>): boolean {
  if (words.size < LEAST_WORDS) return true;
  const around = sources.blocksOf(cites.map(withNeighbours));
  if (cites.length > 0) return share(words, tellingWords(sources.textOf(idsOf(around)))) >= FOUND_SHARE;
  const found = index.search(text, { most: MOST_FOUND });
  return found.some(({ passage }) => share(words, tellingWords(passage.text)) >= FOUND_SHARE);
}

/** What has no name may have been said this many messages before or after the cited one: "yes, the second". */
const NEIGHBOURS = 4;

function withNeighbours({ from, to }: MessageRange): MessageRange {
  return { from: Math.max(0, from - NEIGHBOURS), to: to + NEIGHBOURS };
}

/**
 * Whether the cited messages show that what is called done was done. Statements on how something works (it passes, it
 * is added) are not checked.
 */
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
