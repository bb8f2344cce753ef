import type { PrintedDocument } from '../read/documents.ts';
import { looksLikeCode, sentences } from '../read/sentences.ts';
import { EXPLICIT_RULE, REFUSAL } from '../words/constraintCues.ts';

/** At most this many rules are taken from one reading of a file; the file can be read again. */
const MOST_PER_FILE = 24;

/** A heading under which each item of a list is a rule. */
const RULE_HEADING =
  /(?<!\p{L})(?:(?:ground |house |hard |coding |golden )?rules?|conventions?|guidelines?|standards|polic(?:y|ies)|principles|constraints|contributing|code style|coding style|(?:do|must)s? (?:and|&) don['’]?ts?|don['’]?ts?|must|regeln|konventionen|richtlinien|vorgaben|verboten|règles|consignes|reglas|normas|convenciones|regras|convenções|diretrizes|regole|convenzioni|regels|afspraken|zasady|reguły|правила|соглашения|kurallar)(?!\p{L})|规则|规范|约定|准则|守则|规定|規則|規約|ルール|決まり|규칙|규약|컨벤션|지침/iu;

/** Of an item elsewhere in a file of rules: it tells what has to be so. */
const NORMATIVE =
  /(?<!\p{L})(?:lives? (?:only )?in|belongs? (?:in|to)|goes? (?:in|to|through)|needs?|requires?|prefer|braucht|brauchen|gehört|gehören|steht (?:nur|ausschließlich)|stehen|benötig\p{L}+|nécessite\p{L}*|requiert|requièrent|va dans|requiere[n]?|necesita[n]?|va en|exige[m]?|precisa[m]?|fica[m]? em|richied\p{L}+|va in|vereist|hoort|wymaga\p{L}*|требу\p{L}+|gerekir)(?!\p{L})|需要|须|应|放在|必要|べき|置く|한다$|둔다|필요/iu;
const IMPERATIVE =
  /^\W{0,3}(?:use|run|keep|add|write|put|ensure|follow|place|update|test|name|document|return|import|commit|verwende|nutze|schreibe?|halte|führe|utilise[rz]?|usa[r]?|use|execute|mantenha|mantén|ejecuta|usare?|gebruik|używaj|используй\p{L}*)(?!\p{L})/iu;

/**
 * Rules that stand in a project's own instruction files which a tool printed (`AGENTS.md`, `CONTRIBUTING.md`), and in
 * parts of other pages that are headed as rules (there only what is worded as one): an agent that forgets them breaks
 * them.
 */
export function rulesOf(document: PrintedDocument): string[] {
  return document.kind === 'thread' ? [] : rulesIn(document.text, document.kind === 'rules');
}

/** At most `MOST_PER_FILE`, in their order; what is said in so many words goes before what only looks like a rule. */
function rulesIn(text: string, ruleFile: boolean): string[] {
  const sure: { at: number; rule: string }[] = [];
  const likely: { at: number; rule: string }[] = [];
  let headed = false;
  let fenced = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || line.trim() === '') continue;
    const heading =
      /^\s{0,3}#{1,6}\s+(.{1,100})$/.exec(line)?.[1] ?? /^\s{0,3}\*\*([^*]{1,80})\*\*:?\s*$/.exec(line)?.[1];
    if (heading !== undefined) {
      headed = RULE_HEADING.test(heading);
      continue;
    }
    const item = /^\s*(?:[-*+•]|\d{1,2}[.)])\s+\S/.test(line);
    if (!ruleFile && !(headed && item)) continue;
    for (const [index, rule] of sentences(line).entries()) {
      if (looksLikeCode(rule)) continue;
      if (EXPLICIT_RULE.test(rule) || REFUSAL.test(rule)) sure.push({ at, rule });
      else if (item && index === 0 && ((headed && ruleFile) || NORMATIVE.test(rule) || IMPERATIVE.test(rule)))
        likely.push({ at, rule });
    }
  }
  const chosen = [...sure.slice(0, MOST_PER_FILE), ...likely].slice(0, MOST_PER_FILE);
  return chosen.sort((a, b) => a.at - b.at).map(({ rule }) => rule);
}
