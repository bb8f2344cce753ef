import { fileActions } from '../../ledger/read/fileActions.ts';
import type { ToolUse } from '../../ledger/read/toolUse.ts';
import { isDone } from '../../ledger/todoState.ts';
import { anyOf } from '../../messages/anyOf.ts';
import { isDeclined } from '../../messages/reply.ts';
import { termsOf } from '../recall/terms.ts';
import { type Act, type Evidence, sentencesOf } from './evidence.ts';
import { namesIn } from './namesIn.ts';
import { plain } from './sources.ts';

/** What a statement may claim was done, and which tool use does that. The verbs of the prompt's second section. */
const ACTS: readonly {
  readonly claimed: RegExp;
  readonly did: (use: ToolUse, claim: string) => boolean;
  /** An answer of the agent is enough: a request is finished when it was answered. */
  readonly answered?: true;
}[] = [
  { claimed: /\b(?:re)?committed\b/i, did: (use) => ran(use, /\bcommit\b/) },
  { claimed: /\bpushed\b/i, did: (use) => ran(use, /\bpush\b/) },
  { claimed: /\bmerged\b/i, did: (use) => ran(use, /\b(?:merge|pull|rebase)\b/) },
  {
    claimed: /\b(?:passed|passes|pass(?:ing)?|green|succeed(?:ed|s)?|clean again|all ok)\b/i,
    did: (use) => CHECKS.test(`${use.name} ${use.command ?? ''}`),
  },
  {
    claimed: /\b(?:tested|tried|verified|confirmed|checked|validated)\b/i,
    did: (use) => use.command !== undefined || /test|check|lint|build|run|diagnos/i.test(use.name),
  },
  {
    claimed: /\b(?:removed|deleted|cleaned up)\b/i,
    did: (use) => fileActions(use).some(({ kind }) => kind === 'delete') || takesOut(use) || ran(use, REMOVES),
  },
  {
    claimed: anyOf(
      /\b(?:implemented|fixed|resolved|restored|reverted|(?:re)?written|renamed|replaced|moved|migrated)\b/i,
      /\b(?:switched|converted|added|updated|revised|created|built|closed)\b/i,
    ),
    did: (use, claim) =>
      changed(use) || worked(use) || `${use.name} ${use.command ?? ''}`.toLowerCase().includes(stemOf(claim)),
  },
  {
    claimed: /\b(?:done|finished|completed?|ticked|carried out|investigated)\b/i,
    did: (use) => changed(use) || ticked(use) || worked(use),
    answered: true,
  },
];

/** Words after which the rest of a clause does not claim that something was done: negations, plans, conditions. */
const NOT_DONE =
  /\b(?:not?|none|nothing|neither|without|never|yet to|still|todo|pending|open|claim\w*|should|must|to be|will|let me|let's|next|if|until|unless|once|before|would|can)\b|n't\b/i;
/** Words that say that something was tried in vain. */
const IN_VAIN = /\b(?:fail|reject|declin|refus|abort|interrupt|error)/i;
const CLAUSE = /[,;:()\u2013\u2014]\s|\s(?:and|but|then|while|though)\s/;

const QUOTED = /`[^`\n]*`|"[^"\n]*"/g;
/**
 * An act or a sentence is about a statement when it has this share of the statement's words; any number of names counts
 * as one word.
 */
const SHARED_WORDS = 0.2;
/** A statement with fewer words does not say what was done. */
const LEAST_WORDS = 2;
/** Shorter words occur everywhere. Characters. */
const SHORTEST_WORD = 4;
/** How much of each argument of an act, and of both ends of its output, says what it was about. Characters. */
const ABOUT = 300;

/**
 * Whether what a text claims was done was done: by an act about the same thing, or according to a sentence or line that
 * claims the same.
 */
export function wasDone(text: string, evidence: Evidence): boolean {
  // Text in code or quotation marks is a name or somebody's words, not a claim: `committed.go`, "All tests pass".
  const claim = text.replace(QUOTED, ' ');
  const words = new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD));
  const claims = ACTS.filter(({ claimed }) => isClaimed(claim, claimed));
  if (claims.length === 0 || words.size < LEAST_WORDS) return true;
  const names = namesIn(text).flatMap(({ forms, base = '' }) => (base === '' ? forms : [...forms, base]));
  const namesAny = (source: string): boolean => {
    const flat = plain(source);
    return names.some((name) => flat.includes(name));
  };
  const acts = evidence.acts.filter(wentWell);
  const said = evidence.said.concat(
    acts.flatMap(({ printed }) => sentencesOf(printed)),
    mixedOutcomes(text, evidence),
  );
  return claims.every(({ claimed, did, answered }) => {
    const [verb = ''] = claimed.exec(claim) ?? [];
    const own = new Set(termsOf(verb));
    const object = [...words].filter((word) => !own.has(word));
    const isAbout = (source: string): boolean => {
      const there = new Set(termsOf(source));
      const shared = object.filter((word) => there.has(word)).length;
      return Math.max(shared, namesAny(source) ? 1 : 0) >= words.size * SHARED_WORDS;
    };
    return (
      acts.some((act) => did(act.use, verb) && isAbout(aboutOf(act))) ||
      said.some((sentence) => isClaimed(sentence, claimed) && isAbout(sentence)) ||
      (answered === true && evidence.answers.some(isAbout))
    );
  });
}

/** What failed was not done, and what the human declined never ran. */
function wentWell({ use }: Act): boolean {
  return use.result?.failed === false && !isDeclined(use.result.text);
}

/** What failed acts printed of which a text tells with its figures, the failure among it: "41 passed, 3 failed". */
function mixedOutcomes(text: string, { acts }: Evidence): readonly string[] {
  const figures: readonly string[] = text.match(/\d+/g) ?? [];
  if (figures.length === 0 || !IN_VAIN.test(text)) return [];
  return acts
    .filter(({ use }) => use.result?.failed === true && !isDeclined(use.result.text))
    .flatMap(({ printed }) => sentencesOf(printed))
    .filter(
      (sentence) =>
        IN_VAIN.test(sentence) && (sentence.match(/\d+/g) ?? []).every((figure) => figures.includes(figure)),
    );
}

/** Whether every attempt to change what a text names failed or was declined, while the text does not say so. */
export function onlyFailed(text: string, { acts }: Evidence): boolean {
  const names = namesIn(text).flatMap(({ forms, base = '' }) => (base === '' ? forms : [...forms, base]));
  const tried = acts.filter(({ use, called }) => {
    const flat = changed(use) ? plain(called.join('\n')) : '';
    return names.some((name) => flat.includes(name));
  });
  return tried.length > 0 && !tried.some(wentWell) && !NOT_DONE.test(text) && !IN_VAIN.test(text);
}

/** True when a text makes a claim in a clause that does not negate it first. */
function isClaimed(text: string, claimed: RegExp): boolean {
  return text.split(CLAUSE).some((clause) => {
    const found = claimed.exec(clause);
    return found !== null && !NOT_DONE.test(clause.slice(0, found.index));
  });
}

/** Names of programs and tools that check something. */
const CHECKS = /test|check|lint|build|run|vet\b|spec|compile|verif|diagnos|tsc|\bci\b|make/i;
/** Commands that remove something. */
const REMOVES = /\brm\b|\brmdir\b|\bunlink\b|-D\b|delet|remov|prune|clean|drop|uninstall|kill/i;

/** True for an edit that says what it takes out, and for a patch. */
function takesOut(use: ToolUse): boolean {
  return (
    changed(use) &&
    [...use.fields.text.keys()].some((field) => /^(?:old|search|original|patch|input|diff|edits)/.test(field))
  );
}

function ran({ command }: ToolUse, words: RegExp): boolean {
  return command !== undefined && words.test(command);
}

function changed(use: ToolUse): boolean {
  return /write|edit|patch/i.test(use.name) || fileActions(use).some(({ kind }) => kind !== 'read');
}

/** True for a command that does more than read files. */
function worked(use: ToolUse): boolean {
  return use.command !== undefined && fileActions(use).length === 0;
}

/** True for a use that marks a to-do as done. */
function ticked(use: ToolUse): boolean {
  return [...use.fields.text.values()].flat().some(isDone);
}

/** The part that all forms of a verb share: `close`, `closed`; `write`, `written`; `build`, `built`. */
function stemOf(claim: string): string {
  return claim
    .toLowerCase()
    .replace(/^re-?(?=wr)| .*$/g, '')
    .replace(/(?:e?d|ten|t)$/, '');
}

/** Says what an act was about: the beginnings of its arguments, and both ends of its output. */
function aboutOf({ called, printed }: Act): string {
  return [...called.map((part) => part.slice(0, ABOUT)), printed.slice(0, ABOUT), printed.slice(-ABOUT)].join('\n');
}
