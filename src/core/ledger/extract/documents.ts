import type { Found } from '../found.ts';
import { documentOf, type PrintedDocument } from '../read/documents.ts';
import { BOLD, type Paragraph, paragraphsOf } from '../read/paragraphs.ts';
import type { Reading } from '../read/reading.ts';
import { cutAtWord, LONGEST_SENTENCE, looksLikeCode, normalizeWords, sentences } from '../read/sentences.ts';
import { choiceOf } from '../same/choiceOf.ts';
import {
  DECISION_LABEL,
  headsDecision,
  isNorm,
  NOT_IN_FORCE,
  POINTS_TO_DECISIONS,
  PREFERENCE_HEADING,
  STATUS,
  STATUS_HEADING,
  tellsPreference,
  UNDECIDED,
} from '../words/documentCues.ts';
import { DROPS } from '../words/rejectionCues.ts';
import { tellsHowThingsStand } from '../words/standingCues.ts';
import { decisionsIn, rejectedIn } from './decisions.ts';
import { rulesOf } from './projectRules.ts';

/** At most this many of each kind are taken from one document; it can be read again. */
const MOST_NORMS = 12;
const MOST_DECISIONS = 8;
const MOST_PREFERENCES = 12;

/**
 * What documents say that a tool printed: decisions (a record's `## Decision`, `Decision: …` in an issue, the part of a
 * protocol with that heading), rules, what the user prefers, and how things stand outside of the code. All of it is
 * quoted, weighs less than what is said in the conversation, and ends with a newer reading of the same file.
 */
export function findDocumented(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const document = documentOf(use);
    return document === undefined ? [] : factsIn(document);
  });
}

type Said = { readonly class: 'decision' | 'constraint' | 'preference'; readonly value: string };

function factsIn(document: PrintedDocument): Found[] {
  const paragraphs = document.read ? paragraphsOf(document.text) : [];
  const said: Said[] = [
    ...rulesOf(document).map((value): Said => ({ class: 'constraint', value })),
    ...decisionsOf(document, paragraphs),
    ...otherwiseSaid(document, paragraphs),
  ];
  const keys = new Set<string>();
  return said.flatMap((fact): Found[] => {
    const key = normalizeWords(fact.value);
    if (keys.has(`${fact.class} ${key}`)) return [];
    keys.add(`${fact.class} ${key}`);
    return [
      {
        ...fact,
        ...(fact.class === 'decision'
          ? { ...rejectedIn(fact.value), choice: choiceOf(sentences(fact.value)[0] ?? fact.value) }
          : {}),
        ...(fact.class === 'constraint' ? { anchor: document.name } : {}),
        key,
        at: document.at,
        strength: 'soft',
        by: 'tool',
        ...(document.edition === undefined ? {} : { list: `${LISTS[fact.class]} ${document.edition}` }),
      },
    ];
  });
}

const LISTS = { decision: 'decisions', constraint: 'rules', preference: 'preferences' } as const;

/** Rules, states and preferences, in their order. */
function otherwiseSaid(document: PrintedDocument, paragraphs: readonly Paragraph[]): Said[] {
  const found: Said[] = [];
  const left = { constraint: MOST_NORMS, preference: MOST_PREFERENCES };
  const add = (kind: 'constraint' | 'preference', value: string): void => {
    if (left[kind] > 0) found.push({ class: kind, value });
    left[kind] -= 1;
  };
  const remembers = document.kind === 'memory' || document.kind === 'rules';
  let liked = false;
  for (const { heading, text, item } of paragraphs) {
    if (heading !== undefined) {
      liked = remembers && PREFERENCE_HEADING.test(text);
      continue;
    }
    for (const [index, sentence] of sentences(text).entries()) {
      if (looksLikeCode(sentence) || sentence.startsWith('|') || /[:：]\**$/.test(sentence)) continue;
      if (tellsPreference(sentence, remembers) || (liked && item && index === 0)) add('preference', sentence);
      else if (isNorm(sentence) || tellsHowThingsStand(sentence)) add('constraint', sentence);
    }
    if (left.constraint <= 0 && left.preference <= 0) break;
  }
  return found;
}

/** What a document says was decided; a record that is only proposed, or no longer holds, decides nothing. */
function decisionsOf(document: PrintedDocument, paragraphs: readonly Paragraph[]): Said[] {
  const found: string[] = [];
  let under: number | undefined;
  let status = false;
  let inTable = false;
  for (const { heading, text, item } of paragraphs) {
    if (found.length >= MOST_DECISIONS) break;
    if (heading !== undefined) {
      status = STATUS_HEADING.test(text);
      if (headsDecision(text)) under = heading;
      else if (under !== undefined && heading > under && NUMBERED.test(text)) found.push(text);
      else if (heading < BOLD) under = undefined;
      continue;
    }
    if (status || STATUS.test(text)) {
      const state = STATUS.exec(text)?.[1] ?? text;
      status = false;
      if (document.kind !== 'thread' && NOT_IN_FORCE.test(state.replace(/supersedes.*/i, ''))) return [];
      continue;
    }
    const isRow = text.startsWith('|');
    if (inTable && !isRow) under = undefined;
    inTable = isRow;
    if (under !== undefined) {
      const said = isRow ? rowOf(text) : firstSaid(text);
      if (said !== undefined) found.push(said);
      // Of a record's prose the first paragraph decides, the others explain; of a list each item.
      if (!item && !isRow) under = undefined;
    } else if (DECISION_LABEL.test(text)) {
      const said = UNDECIDED.test(text) ? undefined : firstSaid(text);
      if (said !== undefined) found.push(said);
    } else if (document.kind === 'thread' || document.kind === 'memory') found.push(...decisionsIn(text));
  }
  return found.slice(0, MOST_DECISIONS).map((value): Said => ({ class: 'decision', value }));
}

/** The first sentence, with the second where it says what was turned down. */
function firstSaid(text: string): string | undefined {
  const [first, second] = sentences(text);
  if (
    first === undefined ||
    looksLikeCode(first) ||
    POINTS_TO_DECISIONS.test(first) ||
    normalizeWords(first).length < SHORTEST
  )
    return undefined;
  if (second === undefined || !DROPS.test(second)) return first;
  const both = [`${first} ${second}`, `${first}${second}`].find((pair) => text.includes(pair));
  return both === undefined || both.length > LONGEST_SENTENCE ? first : both;
}

/** A row of a table, other than its head. */
function rowOf(row: string): string | undefined {
  return POINTS_TO_DECISIONS.test(row) || !/\p{L}/u.test(row) ? undefined : cutAtWord(row.trim(), LONGEST_SENTENCE);
}

const SHORTEST = 6;
/** `### D2: take A`: a decision that is a heading itself. */
const NUMBERED = /^(?:\p{L}{1,4}[- ]?)?\d{1,4}[.):\s—–-]+\S.{8,}/u;
