import { EXPLICIT_RULE, REFUSAL } from '../constraintCues.ts';
import { fileActions } from '../fileActions.ts';
import type { Found } from '../found.ts';
import { baseName, normalizePath } from '../paths.ts';
import type { Reading } from '../reading.ts';
import { ends } from '../scanLines.ts';
import { looksLikeCode, normalizeWords, sentences } from '../sentences.ts';

/** At most this many rules are taken from one reading of a file; the file can be read again. */
const MOST_PER_FILE = 24;
const MOST_READ = 32_000;

/** Files in which a project tells agents and contributors its rules. */
const RULE_FILE =
  /^(?:agents?|claude|gemini|qwen|copilot-instructions|contributing|conventions|code_?style|style_?guide|guidelines|rules|development|hacking)(?:\.local)?(?:\.(?:md|mdx|mdc|txt|rst|adoc))?$|^\.(?:cursor|windsurf|cline|roo|goose)rules(?:-\w+)?$/i;
const RULE_FOLDER =
  /(?:^|\/)(?:\.cursor\/rules|\.clinerules|\.roo\/rules[\w-]*|\.kiro\/steering|\.github\/instructions)\//;

/** What tools print before a line of a file: its number. */
const LINE_NUMBER = /^[ \t]{0,8}\d{1,6}(?:[→|:\t]|[ \t]{2,})[ \t]?/gm;

/**
 * Rules that stand in a project's own instruction files which a tool printed (`AGENTS.md`, `CONTRIBUTING.md`): an
 * agent that forgets them breaks them. They are quoted with their file and weigh less than what the human says.
 */
export function findProjectRules(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const { result } = use;
    if (result === undefined || result.failed) return [];
    const file = fileActions(use).find((action) => action.kind === 'read' && isRuleFile(action.path));
    if (file === undefined) return [];
    const rules = sentences(ends(result.text.replace(LINE_NUMBER, ''), MOST_READ)).filter(
      (sentence) => !looksLikeCode(sentence) && (EXPLICIT_RULE.test(sentence) || REFUSAL.test(sentence)),
    );
    return rules.slice(0, MOST_PER_FILE).map(
      (rule): Found => ({
        class: 'constraint',
        value: rule,
        anchor: file.path,
        key: normalizeWords(rule),
        at: result.at,
        strength: 'soft',
        by: 'tool',
      }),
    );
  });
}

function isRuleFile(path: string): boolean {
  return RULE_FILE.test(baseName(path)) || RULE_FOLDER.test(normalizePath(path));
}
