import { rulesIn } from '../../ledger/extract/constraints.ts';
import { sentences } from '../../ledger/read/sentences.ts';
import { anyOf } from '../../messages/anyOf.ts';
import type { Block } from '../../messages/blocks.ts';
import type { PassageIndex } from '../recall/passageIndex.ts';
import { SECTIONS } from '../summarizers/prompt.ts';
import { sentencesOf } from './evidence.ts';
import { namesIn } from './namesIn.ts';
import { isNoLonger, isReversal, saysLifted, saysReversal } from './reversals.ts';
import { idsOf, isHuman, plain, type Sources, wordsOfHuman } from './sources.ts';
import type { Statement } from './statements.ts';
import { share, tellingWords } from './words.ts';

/**
 * Shares of the words of a statement about what the user wants. USER_SHARE must be in what the user wrote together with
 * what that answers; OWN_SHARE in the user's own words, unless those are fewer than the statement's ("yes, the second"
 * only makes sense with what it answers). Medians over six notes by models: 0.82 and 0.75 for true statements, 0.43 and
 * 0.17 for invented ones.
 */
const USER_SHARE = 0.5;
const OWN_SHARE = 0.3;
/** A statement with fewer words claims nothing that could be checked: "Finished.", "Open as task 4." */
const LEAST_WORDS = 3;
/** Without citations: the share of a statement's words that a message of the human must have. */
const FOUND_SHARE = 0.15;

/** A later clause of a statement that is about the user. */
const LATER_OF_THE_USER =
  /[;:]\s(?:and |but )?(?:the )?(?:user|developer|human)\b(?!'s| was (?:told|asked|shown|given)| has not| did not)/iu;
/** A statement about what the user wants, said or allowed: it begins with the user, or gives the user as its reason. */
const OF_THE_USER = anyOf(
  /^\W*(?:the )?(?:user|developer|human)\b(?!'s| was (?:told|asked|shown|given)| has not| did not)/iu,
  /\b(?:as|because|since|per) the (?:user|developer)\b/iu,
  /^\P{L}*(?:der |die )?(?:be)?nutzer(?:in)?\b|^\P{L}*(?:der |die )?(?:anwender|entwickler)(?:in)?\b/iu,
  /^\P{L}*l['\u2019]utilisat(?:eur|rice)\b|^\P{L}*(?:le |la )?développeu(?:r|se)\b/iu,
  /^\P{L}*(?:el |la |o |a )?(?:usu[aá]ri[oa]|desarrollador|desenvolvedor)a?\b|^\P{L}*l['\u2019]utente\b/iu,
  /^\P{L}*(?:пользовател|разработчи)|^\P{L}*(?:用户|用戶|使用者|开发者|ユーザー|利用者|사용자|개발자)/iu,
);
/**
 * Words that notes use for what the user demanded: to say that a rule was lifted is to say something about the user.
 */
const RULE = anyOf(
  /\b(?:rules?|wish(?:es)?|bans?|demands?|restrictions?|constraints?|requirements?|preferences?)\b/iu,
  /(?<!\p{L})(?:regeln?|verbote?|vorgaben?|règles?|interdictions?|reglas?|regras?|regol[ae]|prohibici\p{L}+)(?!\p{L})/iu,
  /правил|запрет|规则|規則|禁令|禁止|ルール|규칙/iu,
);
/** Whoever set it. */
const USER = anyOf(
  /\b(?:user|developer|human)\b|(?<!\p{L})(?:(?:be)?nutzer|anwender|entwickler|utilisat|développeu|usu[aá]ri|utente)/iu,
  /(?<!\p{L})(?:desarrollad|desenvolvedor|пользовател|разработчи)|用户|用戶|使用者|开发者|ユーザー|利用者|사용자|개발자/iu,
);

/** Of a statement that the user took something back, this share of its words must be in one sentence of the user's. */
const REVERSED_SHARE = 0.5;

/** What a statement is checked with: the cited blocks, its words, and where else to look. */
export interface Support {
  readonly blocks: readonly Block[];
  readonly words: ReadonlySet<string>;
  readonly sources: Sources;
  readonly index: PassageIndex;
}

/**
 * Whether the human said what a statement tells of the human: what is wanted, allowed or lifted, and what was decided. True
 * for a statement that is about something else.
 */
export function isTheUsers(statement: Statement, support: Support): boolean {
  if (!isDecided(statement, support)) return false;
  const isAbout = saysOfTheUser(statement) || takesBack(statement, support.words, support.index);
  const about = isAbout ? statement : laterClause(statement);
  if (about === undefined || isOfFile(statement, support)) return true;
  return isSaidByTheUser(about, { ...support, words: tellingWords(about.text) });
}

function saysOfTheUser({ text, section }: Statement): boolean {
  const lifts = RULE.test(text) && isReversal(text);
  return lifts || section.toLowerCase().startsWith(SECTIONS.wishes.toLowerCase()) || OF_THE_USER.test(text);
}

/** What a later clause of a cited statement says about the user. Without a source nothing tells where that would be. */
function laterClause(statement: Statement): Statement | undefined {
  const at = statement.cites.length === 0 ? -1 : statement.text.search(LATER_OF_THE_USER);
  return at < 0 ? undefined : { ...statement, text: statement.text.slice(at + 1) };
}

/** Says of something whether it must be. */
const NECESSARY = anyOf(
  /\b(?:necessary|needed|required|wanted)\b|(?<!\p{L})(?:nötig|notwendig|erforderlich|gewünscht|nécessaire|besoin)/iu,
  /(?<!\p{L})(?:necess?[aá]ri|hace falta|precis[ao]|нужн|надо|обязательн)|必要|需要|필요/iu,
);

/**
 * Whether a statement says that something which the user has set is no longer so, or no longer needed. That something no
 * longer happens of which the user complained ("the page crashes") takes nothing back.
 */
function takesBack({ text }: Statement, words: ReadonlySet<string>, index: PassageIndex): boolean {
  if (!isNoLonger(text)) return false;
  if (RULE.test(text) || USER.test(text)) return true;
  const said = index.search(text, { most: 3, among: ({ kind }) => kind === 'human' });
  const set = said.flatMap(({ passage }) => (NECESSARY.test(text) ? sentences : rulesIn)(passage.text));
  return set.some((sentence) => share(words, tellingWords(sentence)) >= REVERSED_SHARE);
}

/**
 * True when a statement cites a file that it names, and no message of the user: the prompt asks to tell files' rules
 * like that.
 */
function isOfFile({ text }: Statement, { blocks, sources }: Support): boolean {
  if (OF_THE_USER.test(text) || blocks.length === 0 || blocks.some(isHuman)) return false;
  const cited = idsOf(blocks);
  return namesIn(text).some((name) => name.base !== undefined && sources.isIn(name, cited));
}

/** What was decided. */
const DECIDED = anyOf(
  /\b(?:decided|agreed|settled on)\b|(?<!\p{L})(?:beschlossen|entschieden|vereinbart|décidé|convenu)(?!\p{L})/iu,
  /(?<!\p{L})(?:decidi|acordad|acordó|deciso|решен|решил|решено)|决定|決定|결정/iu,
);
/** A sentence that has this share of the words of a decision says it, or offers it. */
const DECIDED_SHARE = 0.5;

/** Whether a sentence of the cited messages says what is called decided. It may be a question that was answered. */
function isDecided({ text, cites }: Statement, { blocks, words, sources }: Support): boolean {
  if (cites.length === 0 || !DECIDED.test(text) || words.size < LEAST_WORDS) return true;
  const sentences = sentencesOf(sources.textOf(idsOf(withAnswered(blocks, sources))));
  return sentences.some((sentence) => share(words, tellingWords(sentence)) >= DECIDED_SHARE);
}

/** Blocks with what a message of the human among them answers: a short answer ("yes, the second") takes its words from there. */
function withAnswered(blocks: readonly Block[], sources: Sources): readonly Block[] {
  const answered = blocks.filter(isHuman).map(({ range }) => ({ from: range.from - 1, to: range.to }));
  return blocks.concat(sources.blocksOf(answered));
}

/** Whether a message of the human says it: a cited one or, without citations, one that a search for the words finds. */
function isSaidByTheUser(statement: Statement, { blocks, words, sources, index }: Support): boolean {
  if (words.size < LEAST_WORDS) return true;
  if (statement.cites.length > 0) {
    const human = blocks.filter(isHuman);
    const near = idsOf(withAnswered(blocks, sources));
    const said = sources.textOf(idsOf(human));
    // What is said inside the result of a tool may forbid something, but it never lifts a rule.
    const speaking = saysLifted(statement.text) ? human.filter(({ kind }) => kind === 'user') : human;
    if (isReversal(statement.text)) return isReversedIn(speaking.flatMap(wordsOfHuman), statement.text, words);
    if (quotes(statement.text, said)) return true;
    const own = tellingWords(said);
    const isAnswer = own.size < words.size;
    return (
      human.length > 0 &&
      (isAnswer || share(words, own) >= OWN_SHARE) &&
      share(words, tellingWords(sources.textOf(near))) >= USER_SHARE
    );
  }
  const found = index.search(statement.text, { most: 3, among: ({ kind }) => kind === 'human' });
  const said = found.map(({ passage }) => passage.text);
  if (isReversal(statement.text)) return isReversedIn(said, statement.text, words);
  return said.some((text) => share(words, tellingWords(text)) >= FOUND_SHARE);
}

/**
 * Whether one sentence of the user's texts takes back what a statement says was taken back, or the statement is nothing
 * but the user's words.
 */
function isReversedIn(texts: readonly string[], statement: string, words: ReadonlySet<string>): boolean {
  const takesBack = (said: string) =>
    saysReversal(statement, said) && share(words, tellingWords(said)) >= REVERSED_SHARE;
  return texts.some((text) => isQuotation(statement, plain(text)) || sentences(text).some(takesBack));
}

/** This many words in a row that a message has too are a quotation of it. */
const QUOTED_WORDS = 5;

/**
 * True when a text repeats a stretch of another one word for word. The words around a quotation of the user need no
 * proof.
 */
function quotes(text: string, source: string): boolean {
  const words = wordsOf(plain(text));
  const said = ` ${wordsOf(source).join(' ')} `;
  return words.some(
    (_, at) => at + QUOTED_WORDS <= words.length && said.includes(` ${words.slice(at, at + QUOTED_WORDS).join(' ')} `),
  );
}

/** True when a whole text is in another one, word for word; dots show where something was left out. */
function isQuotation(text: string, source: string): boolean {
  const said = ` ${wordsOf(source).join(' ')} `;
  return text.split(/\.{3}|\u2026/).every((part) => said.includes(` ${wordsOf(plain(part)).join(' ')} `));
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORDS) ?? [];
}

const WORDS = /[\p{L}\p{N}_]+/gu;
