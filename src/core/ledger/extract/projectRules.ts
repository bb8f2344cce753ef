import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { ruleFileOf } from '../read/ruleFile.ts';
import { normalizeWords, sentences } from '../read/sentences.ts';
import { MOST_PER_TEXT, saysRule } from './constraints.ts';

/**
 * Rules in a project's own instruction files (`AGENTS.md`) that a tool printed, each with its file. They are not the
 * human's words and can be read again. A newer reading of the whole file ends rules that it no longer has.
 */
export function findProjectRules(reading: Reading): Found[] {
  return reading.uses.flatMap((use): Found[] => {
    const file = ruleFileOf(use);
    if (file === undefined) return [];
    const rules = sentences(file.text).filter(saysRule).slice(0, MOST_PER_TEXT);
    return rules.map(
      (value): Found => ({
        class: 'constraint',
        value,
        anchor: file.path,
        key: `${file.path} ${normalizeWords(value)}`,
        at: file.at,
        strength: 'soft',
        by: 'tool',
        ...(file.whole ? { list: `file ${file.path}` } : {}),
      }),
    );
  });
}
