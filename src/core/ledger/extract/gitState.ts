import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';
import { ends, withoutColours } from '../read/scanLines.ts';
import { cutAtWord } from '../read/sentences.ts';
import { parseShell } from '../read/shellCommand.ts';
import type { ToolUse } from '../read/toolUse.ts';

/** How much of the output is read: git needs few lines, but hooks may print a lot before or after them. Characters. */
const MOST_OUTPUT = 12_000;
const LONGEST_LINE = 160;

interface Row {
  /** What a line is about; the newest line for a key counts. */
  readonly key: 'branch' | 'head' | 'push' | 'request';
  /** The commands that print such a line. */
  readonly verbs: ReadonlySet<string>;
  /** The commands after which the known state is no longer certain, whether or not they print a new one. */
  readonly endedBy: ReadonlySet<string>;
  readonly line: RegExp;
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const MOVES = set('am checkout cherry-pick commit merge pull rebase reset revert switch');

/** Lines as git prints them: git-status(1), git-checkout(1), git-commit(1), git-reset(1), git-push(1) "flag summary from -> to". */
const ROWS: readonly Row[] = [
  {
    key: 'branch',
    verbs: set('status checkout switch'),
    endedBy: set('checkout switch'),
    line: /^(?:On branch \S+$|## \S+\.{3}\S+(?: \[[^\]]+\])?$|HEAD detached at |(?:Switched to (?:a new )?branch|Already on) ')/,
  },
  {
    key: 'head',
    verbs: MOVES,
    endedBy: MOVES,
    line: /^(?:\[[^\]]+ [0-9a-f]{7,40}\] \S|HEAD is now at [0-9a-f]{7,40}\b)/,
  },
  {
    key: 'push',
    verbs: set('push'),
    endedBy: set(''),
    line: /^\s*(?:[*+!=-] )?(?:\[[^\]]+\]|[0-9a-f]{7,40}\.{2,3}[0-9a-f]{7,40})\s+\S+ -> \S/,
  },
  { key: 'request', verbs: set('create'), endedBy: set(''), line: /^https:\/\/\S+\/(?:pull|merge_requests)\/\d+$/ },
];

/** The state of the working copy in the words that git printed: branch and commit, last push, opened request. */
export function findGitState(reading: Reading): Found[] {
  return reading.uses.flatMap(stateAfter);
}

function stateAfter({ command, result }: ToolUse): Found[] {
  if (command === undefined || result === undefined) return [];
  const verbs = parseShell(command).flatMap(({ words }) => verbOf(words));
  if (verbs.length === 0) return [];
  const lines = withoutColours(ends(result.text, MOST_OUTPUT)).split(/\r?\n/);
  return ROWS.flatMap(({ key, verbs: printing, endedBy, line }): Found[] => {
    const printed = verbs.some((verb) => printing.has(verb)) ? lines.findLast((text) => line.test(text)) : undefined;
    if (printed === undefined && !verbs.some((verb) => endedBy.has(verb))) return [];
    // How far the branch is ahead or behind changes soon, so it is left out.
    const value = cutAtWord(printed?.trim().replace(/(?<=^## \S+) \[.*$/, '') ?? '', LONGEST_LINE);
    return [{ class: 'git', key, value, replaces: [key], at: result.at, by: 'tool' }];
  });
}

/**
 * The verb of a git command ("git -C dir commit"); for a tool for pull requests ("gh pr create", "glab mr create"), the
 * last word of those.
 */
function verbOf(words: readonly string[]): string[] {
  const [program, ...rest] = words.filter((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (program === 'gh' || program === 'glab') return /^[pm]r$/.test(rest[0] ?? '') ? rest.slice(1, 2) : [];
  if (program !== 'git') return [];
  const verb = rest.findIndex((word, index) => !word.startsWith('-') && !/^-[cC]$/.test(rest[index - 1] ?? ''));
  // "git checkout -- file" does not change the branch or commit.
  return rest.includes('--') && rest[verb] === 'checkout' ? [] : rest.slice(verb, verb + 1);
}
