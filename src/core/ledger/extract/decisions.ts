import type { Found } from '../found.ts';
import { namesOf, OTHER_SCRIPT } from '../read/names.ts';
import type { Reading } from '../read/reading.ts';
import { LONGEST_SENTENCE, looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { choiceOf } from '../same/choiceOf.ts';
import { CHOSEN, TAKES } from '../words/choiceCues.ts';
import { CHOICE, CHOSE, CONTRAST, MAYBE, STRONG_CHOICE, WILL } from '../words/decisionCues.ts';
import { FILLERS } from '../words/fillerWords.ts';
import { narrates, sendsElsewhere } from '../words/narration.ts';
import { DROPS, INSTEAD, WEIGHS } from '../words/rejectionCues.ts';
import {
  BETWEEN,
  BUT,
  CONSIDERED,
  conclusionOf,
  LISTED_CONTRAST,
  LISTED_REJECTION,
  SAID_TO_BE_DECIDED,
  SAID_TO_BE_REJECTED,
  SAID_TO_CONCLUDE,
  TABLE_OF_CHOICES,
  TURNS,
} from '../words/weighingCues.ts';
import { findAnswers } from './answers.ts';

/** At most this many decisions are taken from one message. */
const MOST_PER_MESSAGE = 12;

const QUESTION = /[?\uff1f]["')\]]?$/;
/** What was not chosen, as far as the sentence names it behind a contrast. */
const REJECTED =
  /(?:instead of|rather than|in place of|as opposed to|in lieu of|over|against|rejected|ruled out|discarded|anstelle von|anstelle|anstatt|statt|sondern|gegen|au lieu (?:de |du |des |d['’])|plutôt que? |en (?:lugar|vez) de |em vez de |al posto di |invece di |in plaats van |вместо |而不是|而非|代替|取代|放弃|弃用|不用|不采用)\s*(?:the |a |an |den |die |das |dem |einer? |einen |la |le |les |l['’])?([^,.;:()\u3001\u3002\uff0c\uff1a\uff1b]{2,60})/iu;

/** Decisions of human and model, with the rejected alternative as anchor where the sentence names it. */
export function findDecisions(reading: Reading): Found[] {
  const found: Found[] = findAnswers(reading);
  if (reading.human !== undefined) collect(reading.human, 'human', reading, found);
  if (reading.model !== undefined) collect(reading.model, 'model', reading, found);
  return found;
}

function collect(text: string, by: 'human' | 'model', reading: Reading, found: Found[]): void {
  let taken = 0;
  let table = false;
  const all = sentences(text);
  for (let index = 0; index < all.length && taken < MOST_PER_MESSAGE; index++) {
    const sentence = all[index] ?? '';
    const inTable = sentence.startsWith('|') && !/^[|\s:-]+$/.test(sentence);
    if (TABLE_OF_CHOICES.test(sentence)) {
      table = true;
      continue;
    }
    if (!sentence.startsWith('|')) table = false;
    else if (table && inTable) {
      found.push({ class: 'decision', value: sentence, key: normalizeWords(sentence), at: reading.at, by });
      taken += 1;
      continue;
    }
    if (QUESTION.test(sentence) || looksLikeCode(sentence)) continue;
    const pair = pairOf(sentence, all[index + 1], text);
    if (pair === undefined && !isDecision(sentence, by)) continue;
    const value = pair ?? sentence;
    found.push({
      class: 'decision',
      value,
      key: normalizeWords(value),
      choice: choiceOf(value),
      at: reading.at,
      by,
      ...rejectedIn(value),
    });
    taken += 1;
    if (pair !== undefined) index += 1;
  }
}

/** The alternative that a decision turned down, as far as it names it behind a contrast. */
export function rejectedIn(decision: string): { readonly anchor?: string } {
  const rejected = REJECTED.exec(decision)?.[1]?.trim();
  return rejected === undefined ? {} : { anchor: rejected };
}

/** The decisions that a text tells which nobody in the conversation wrote. */
export function decisionsIn(text: string): string[] {
  const found: string[] = [];
  const all = sentences(text);
  for (let index = 0; index < all.length && found.length < MOST_PER_MESSAGE; index++) {
    const sentence = all[index] ?? '';
    if (QUESTION.test(sentence) || looksLikeCode(sentence)) continue;
    const pair = pairOf(sentence, all[index + 1], text) ?? refusalAfter(sentence, all[index + 1], text);
    if (pair !== undefined) index += 1;
    if (pair !== undefined || (CHOSE.test(sentence) && isDecision(sentence, 'model'))) found.push(pair ?? sentence);
  }
  return found;
}

/** `We take A. B is out, it is too slow.`: two neighbouring sentences that name the choice and what was turned down. */
function pairOf(first: string, second: string | undefined, text: string): string | undefined {
  if (second === undefined || QUESTION.test(second) || looksLikeCode(second)) return undefined;
  const both = `${first} ${second}`;
  const weighsThenTakes = second.length < LONGEST_SECOND && CONSIDERED.test(first) && weighsReasons(both);
  const takesOrDrops = SAID_TO_BE_REJECTED.test(second) && SAID_TO_BE_DECIDED.test(first);
  const turnsThenTakes = first.length <= SHORT_CHOICE && TURNS.test(first) && isDecision(second, 'model');
  const named = namesOf(first).length > 0 && namesOf(second).length > 0;
  const takesThenDrops = named && (CHOICE.test(first) || TAKES.test(first)) && DROPS.test(second);
  const dropsThenTakes = named && DROPS.test(first) && (CHOICE.test(second) || TAKES.test(second));
  const paired = [takesThenDrops, dropsThenTakes, turnsThenTakes, weighsThenTakes, takesOrDrops].includes(true);
  if (!paired || MAYBE.test(first) || MAYBE.test(second)) return undefined;
  return joined(first, second, text);
}

/** `A is used. B was considered and rejected.` */
function refusalAfter(first: string, second: string | undefined, text: string): string | undefined {
  if (second === undefined || second.length > LONGEST_REFUSAL || !CONSIDERED.test(second) || !DROPS.test(second))
    return undefined;
  return CHOICE.test(first) || TAKES.test(first) ? joined(first, second, text) : undefined;
}

function joined(first: string, second: string, text: string): string | undefined {
  return [`${first} ${second}`, `${first}${second}`].find(
    (pair) => pair.length <= LONGEST_SENTENCE && text.includes(pair),
  );
}

function isDecision(sentence: string, by: 'human' | 'model'): boolean {
  if (!soundsLikeDecision(sentence, by)) return false;
  // Asked last: most sentences do not come so far.
  if (by === 'human') return !sendsElsewhere(sentence);
  return SAID_TO_BE_DECIDED.test(sentence) ? !/[:：]$/.test(sentence) : !narrates(sentence);
}

function soundsLikeDecision(sentence: string, by: 'human' | 'model'): boolean {
  const choice = CHOICE.test(sentence);
  const contrast = CONTRAST.test(sentence);
  const sure = !MAYBE.test(sentence) || /decid|entschieden|décid|决定/iu.test(sentence);
  if (!sure) return false;
  if (by === 'human' && choice) return true;
  if (contrast && (choice || WILL.test(sentence))) return true;
  if (choice && STRONG_CHOICE.test(sentence)) return true;
  if (SAID_TO_BE_DECIDED.test(sentence) || (LABELLED.test(sentence) && LISTED_REJECTION.test(sentence))) return true;
  const turns = TURNS.test(sentence);
  const drops = DROPS.test(sentence);
  const instead = INSTEAD.test(sentence);
  if (turns && (contrast || drops || instead || CHOSEN.test(sentence) || WEIGHS.test(sentence))) return true;
  if (choice && instead) return true;
  if (NOT_THAT.test(sentence) && OWN_CHOICE.test(sentence) && TAKES.test(sentence)) return true;
  if (drops && sentence.length <= SHORT_CHOICE && CHOSE.test(sentence)) return true;
  if (weighsReasons(sentence)) return true;
  // Two names, one taken and one not: whatever the verb is.
  const names = namesOf(sentence);
  if (listsContrast(sentence, names)) return true;
  if (names.length < 2) return repeatsOneOfTwo(sentence);
  if (turns || (SAID_TO_CONCLUDE.test(sentence) && (drops || contrast))) return true;
  if (repeatsOneOfTwo(sentence)) return true;
  if (CHOSEN.test(sentence) && !looksLikeReport(sentence)) return true;
  if (weighsProducts(sentence)) return true;
  const takes = choice || TAKES.test(sentence);
  return takes && (drops || instead || FROM_TO.test(sentence));
}

const LONGEST_SECOND = 60;
/** `B was considered and rejected.` */
const LONGEST_REFUSAL = 100;
/** Cheap signs, asked before the longer expressions. */
const LABELLED = /[(（[][^(（[]*$/;
const NOT_THAT = /, (?:not|nicht|pas|und nicht|et pas) /;

/** `I am using A, not B` in the first person. */
const OWN_CHOICE =
  /(?<!\p{L})(?:i|we|let['’]?s|ich|wir|je|j['’]|on|nous)(?!\p{L}).{2,80}, (?:not|nicht|pas|und nicht|et pas) (?!\p{L}+ing|just|only|nur|seulement)\S{2,30}(?: \S{2,20})?[.:;,]?(?:$|\s(?:because|since|weil|car)|(?<=[:;,])\s)/iu;

/** `Topic: A, not B`, where B is a name. */
function listsContrast(sentence: string, names: readonly string[]): boolean {
  if (names.length === 0 || sentence.length > SHORT_CHOICE || /[<>=]/.test(sentence.replace(/[=-]>/g, ' ')))
    return false;
  const match = LISTED_CONTRAST.exec(sentence);
  const against = match?.[1] ?? match?.[2];
  return against !== undefined && names.some((name) => against.includes(name) && !/[/_=]/.test(name));
}

/** `I considered A, but …, so B`: an alternative, what speaks against it, and a conclusion that names a thing. */
function weighsReasons(sentence: string): boolean {
  const conclusion = BUT.test(sentence) ? conclusionOf(sentence) : undefined;
  if (conclusion === undefined) return false;
  if (CONSIDERED.test(sentence.slice(0, sentence.length - conclusion.length))) return true;
  const names = namesOf(sentence);
  return names.length > 1 && names.some((name) => conclusion.includes(name)) && saysOnlyNames(conclusion, names);
}

/** `so A it is`, `also A`: nothing but names and words without a meaning of their own. */
function saysOnlyNames(conclusion: string, names: readonly string[]): boolean {
  const rest = names.reduce((text, name) => text.replaceAll(name, ' '), conclusion);
  if (OTHER_SCRIPT.test(rest)) return rest.length < LONGEST_CONCLUSION;
  return (rest.toLowerCase().match(/\p{L}+/gu) ?? []).every((word) => FILLERS.has(word));
}

const LONGEST_CONCLUSION = 14;

/** `Between A and B I take A`: two are named, and one of them again. */
function repeatsOneOfTwo(sentence: string): boolean {
  if (sentence.length > LONGEST_CHOICE || !BETWEEN.test(sentence)) return false;
  if (!CHOSEN.test(sentence) && !CHOICE.test(sentence) && !TAKES.test(sentence) && !WEIGHS.test(sentence)) return false;
  const pair = TWO.exec(sentence);
  if (pair === null) return false;
  const rest = sentence.slice(pair.index + pair[0].length);
  return [pair[1] ?? pair[3], pair[2] ?? pair[4]].some(
    (name) => name !== undefined && name.length > 1 && rest.includes(name),
  );
}

const TWO =
  /(?:between|of|from|zwischen|von|entre|tra|fra|tussen|między|между|из)\s+(\S{2,30}(?: \S{2,20}){0,2}?)\s+(?:and|or|und|oder|et|ou|e|y|o|en|of|a|i|и|или)\s+(\S{2,30}(?: \S{2,20}){0,2}?)[\s,:;.]|([A-Za-z][\w.+#/-]+)\s*(?:vs\.?|versus|ile|和|与|跟|と|와|과|或)\s*([A-Za-z][\w.+#/-]+)/iu;

/** A short sentence about two products, one against the other: paths, calls and constants are no products. */
function weighsProducts(sentence: string): boolean {
  if (sentence.length > SHORT_CHOICE || /[`()=]/.test(sentence)) return false;
  const names = namesOf(sentence);
  if (!productsIn(names) || names.length > 3) return false;
  return DROPS.test(sentence) || INSTEAD.test(sentence) || FROM_TO.test(sentence) || WEIGHS.test(sentence);
}

const SHORT_CHOICE = 110;

function productsIn(names: readonly string[]): boolean {
  return names.every((name) => !/[/_]|\.\w{1,5}$|^[A-Z\d]+$/.test(name));
}

/** A long sentence with many names describes how things work; a choice is said in short. */
function looksLikeReport(sentence: string): boolean {
  return sentence.length > LONGEST_CHOICE || namesOf(sentence).length > MOST_NAMES;
}

const LONGEST_CHOICE = 160;
const MOST_NAMES = 4;

/** `from A to B`, `A over B`, `A, not B`. */
const FROM_TO =
  /\b(?:switch|mov|migrat|chang|wechs|umst|pass|bascul|cambi)\p{L}*\b.{0,20}(?<!\p{L})(?:from|von|de)\s.{2,60}\s(?:to|auf|zu|à|a)\s|\s(?:over|beats|wins over|won over|vor)\s|, (?:not|nicht|pas|no|не)\s/iu;
