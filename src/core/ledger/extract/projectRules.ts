import { fieldName } from '../callFields.ts';
import { EXPLICIT_RULE, REFUSAL } from '../constraintCues.ts';
import { fileActions } from '../fileActions.ts';
import type { Found } from '../found.ts';
import { baseName, normalizePath } from '../paths.ts';
import type { Reading } from '../reading.ts';
import { ends } from '../scanLines.ts';
import { looksLikeCode, normalizeWords, sentences } from '../sentences.ts';
import type { ToolUse } from '../toolUse.ts';

/** At most this many rules are taken from one reading of a file; the file can be read again. */
const MOST_PER_FILE = 24;
const MOST_READ = 32_000;
const MOST_NAMED = 4000;

/** Files in which a project tells agents and contributors its rules. */
const RULE_FILE =
  /^(?:agents?|claude|gemini|qwen|copilot-instructions|contributing|conventions|code_?style|style_?guide|guidelines|rules|development|hacking)(?:\.local)?(?:\.(?:md|mdx|mdc|txt|rst|adoc))?$|^\.(?:cursor|windsurf|cline|roo|goose)rules(?:-\w+)?$/i;
const RULE_FOLDER =
  /(?:^|\/)(?:\.cursor\/rules|\.clinerules|\.roo\/rules[\w-]*|\.kiro\/steering|\.github\/instructions)\//;

/** Pages that may have a part with rules beside much else. */
const PAGE = /\.(?:md|mdx|txt|rst|adoc)$|^readme$/i;

/** A heading under which each item of a list is a rule. */
const RULE_HEADING =
  /(?<!\p{L})(?:(?:ground |house |hard |coding |golden )?rules?|conventions?|guidelines?|standards|polic(?:y|ies)|principles|constraints|contributing|code style|coding style|(?:do|must)s? (?:and|&) don['’]?ts?|don['’]?ts?|must|regeln|konventionen|richtlinien|vorgaben|verboten|règles|consignes|reglas|normas|convenciones|regras|convenções|diretrizes|regole|convenzioni|regels|afspraken|zasady|reguły|правила|соглашения|kurallar)(?!\p{L})|规则|规范|约定|准则|守则|规定|規則|規約|ルール|決まり|규칙|규약|컨벤션|지침/iu;

/** Of an item elsewhere in a file of rules: it tells what has to be so. */
const NORMATIVE =
  /(?<!\p{L})(?:lives? (?:only )?in|belongs? (?:in|to)|goes? (?:in|to|through)|needs?|requires?|prefer|braucht|brauchen|gehört|gehören|steht (?:nur|ausschließlich)|stehen|benötig\p{L}+|nécessite\p{L}*|requiert|requièrent|va dans|requiere[n]?|necesita[n]?|va en|exige[m]?|precisa[m]?|fica[m]? em|richied\p{L}+|va in|vereist|hoort|wymaga\p{L}*|требу\p{L}+|gerekir)(?!\p{L})|需要|须|应|放在|必要|べき|置く|한다$|둔다|필요/iu;
const IMPERATIVE =
  /^\W{0,3}(?:use|run|keep|add|write|put|ensure|follow|place|update|test|name|document|return|import|commit|verwende|nutze|schreibe?|halte|führe|utilise[rz]?|usa[r]?|use|execute|mantenha|mantén|ejecuta|usare?|gebruik|używaj|используй\p{L}*)(?!\p{L})/iu;

/** What tools print before a line of a file: its number. */
const LINE_NUMBER = /^[ \t]{0,8}\d{1,6}(?: ?[→|:\t]|[ \t]{2,})[ \t]?/gm;
/** `12. text`: only where all lines begin so, else it is a list. */
const LINE_COUNTED = /^[ \t]{0,8}\d{1,6}\.(?: |$)/;

/**
 * Rules that stand in a project's own instruction files which a tool printed (`AGENTS.md`, `CONTRIBUTING.md`), and in
 * parts of other pages that are headed as rules (there only what is worded as one): an agent that forgets them breaks them. They are quoted with their
 * file and weigh less than what the human says. A whole reading of a file ends what an older one said.
 */
export function findProjectRules(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const { result } = use;
    if (result === undefined || result.failed || !namesPage(use)) return [];
    const read = fileActions(use).filter((action) => action.kind === 'read');
    const file =
      read.find((action) => isRuleFile(action.path)) ?? read.find((action) => PAGE.test(baseName(action.path)));
    if (file === undefined) return [];
    const rules = rulesIn(withoutFrame(result.text), isRuleFile(file.path));
    const whole = readsWhole(use) && read.length === 1;
    return rules.map(
      (rule): Found => ({
        class: 'constraint',
        value: rule,
        anchor: file.path,
        key: normalizeWords(rule),
        at: result.at,
        strength: 'soft',
        by: 'tool',
        ...(whole ? { list: `rules ${normalizePath(file.path)}` } : {}),
      }),
    );
  });
}

/** True when a call may name such a file; most calls do not, and are not looked at further. */
function namesPage(use: ToolUse): boolean {
  const source = use.command ?? (use.source === '' ? [...use.fields.text.values()].flat().join(' ') : use.source);
  return /\.(?:md|mdx|mdc|txt|rst|adoc)\b|rules|steering|instructions|agents|claude|gemini|qwen|contributing|conventions|guide|development|hacking|style|readme/i.test(
    source.slice(0, MOST_NAMED),
  );
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

/** The file without what a tool puts around it: line numbers, a fence with the file's name. */
function withoutFrame(printed: string): string {
  const text = ends(printed, MOST_READ).replace(
    /^\s*(`{3,})[^\n]{0,40}\n(?:[^\n]{0,8}filepath:[^\n]*\n)?([\s\S]*?)\n?\1\s*$/,
    '$2',
  );
  const lines = text.split('\n');
  const counted = lines.length > 2 && lines.slice(0, -1).every((line) => LINE_COUNTED.test(line));
  return counted ? lines.map((line) => line.replace(LINE_COUNTED, '')).join('\n') : text.replace(LINE_NUMBER, '');
}

const PARTIAL = ['offset', 'limit', 'viewrange', 'linerange', 'ranges', 'starts', 'pages'];

/** True when a reading has no sign that it shows a part of the file. */
function readsWhole(use: ToolUse): boolean {
  if (use.command !== undefined) return /^\s*cat\s+\S+\s*$/.test(use.command);
  const named = isRecord(use.fields.parsed) ? Object.keys(use.fields.parsed).map(fieldName) : [];
  return !named.some((name) => PARTIAL.includes(name) || /^(?:start|end|from|to)line/.test(name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isRuleFile(path: string): boolean {
  return RULE_FILE.test(baseName(path)) || RULE_FOLDER.test(normalizePath(path));
}
