import { fileActions } from '../../ledger/read/fileActions.ts';
import { humanReplyIn } from '../../ledger/read/humanReply.ts';
import { readBlock } from '../../ledger/read/reading.ts';
import type { ToolUse } from '../../ledger/read/toolUse.ts';
import { isDone } from '../../ledger/todoState.ts';
import { anyOf } from '../../messages/anyOf.ts';
import type { Block } from '../../messages/blocks.ts';
import { termsOf } from '../recall/terms.ts';
import { namesIn } from './namesIn.ts';
import { plain } from './sources.ts';

/** What a statement may claim to have been done, and which use of a tool does it. The words of the prompt's second section. */
const ACTS: readonly { readonly claimed: RegExp; readonly did: (use: ToolUse, claim: string) => boolean }[] = [
  { claimed: /\b(?:re)?committed\b/i, did: (use) => ran(use, /\bcommit\b/) },
  { claimed: /\bpushed\b/i, did: (use) => ran(use, /\bpush\b/) },
  { claimed: /\bmerged\b/i, did: (use) => ran(use, /\b(?:merge|pull|rebase)\b/) },
  {
    claimed:
      /\b(?:tested|tried|passed|passes|pass(?:ing)?|green|succeed(?:ed|s)?|clean again|verified|confirmed|checked|validated|all ok)\b/i,
    did: (use) => use.command !== undefined || /test|check|lint|build|run|diagnos/i.test(use.name),
  },
  {
    claimed: anyOf(
      /\b(?:implemented|fixed|resolved|removed|deleted|restored|reverted|(?:re)?written|renamed|replaced|moved|migrated)\b/i,
      /\b(?:switched|converted|cleaned up|added|updated|revised|created|built|closed)\b/i,
    ),
    did: (use, claim) => changed(use) || `${use.name} ${use.command ?? ''}`.toLowerCase().includes(stemOf(claim)),
  },
  {
    claimed: /\b(?:done|finished|completed?|ticked|carried out|investigated)\b/i,
    did: (use) => changed(use) || ticked(use) || worked(use),
  },
];

/** Says that something is not so, or is to be: what follows in the same clause is not claimed to be done. */
const NOT_DONE =
  /\b(?:not?|none|nothing|neither|without|never|yet to|still|todo|pending|open|claim\w*|should|must|to be|will|let me|let's|next|if|until|unless|once|before|would|can)\b|n't\b/i;
const CLAUSE = /[,;:()\u2013\u2014]\s|\s(?:and|but|then|while|though)\s/;

const QUOTED = /`[^`\n]*`|"[^"\n]*"/g;
/** A use of a tool, or a sentence, is about a statement when it has so many of its words, or a name of it. */
const SHARED_WORDS = 2;
/** Shorter words stand everywhere. Characters. */
const SHORTEST_WORD = 4;
/** Of the arguments of a use and of what it printed, so much tells what it was about. Characters. */
const ABOUT = 300;

/**
 * Whether what a text claims to have been done was done in some blocks: by a use of a tool that did not fail and was
 * about the same, or in words of human or agent that claim the same.
 */
export function wasDone(text: string, blocks: readonly Block[]): boolean {
  // What stands in code or quotation marks is a name or somebody's words: `committed.go`, "All tests pass".
  const claim = text.replace(QUOTED, ' ');
  const words = new Set(termsOf(text).filter((term) => term.length >= SHORTEST_WORD));
  const claims = ACTS.filter(({ claimed }) => isClaimed(claim, claimed));
  if (claims.length === 0 || words.size < SHARED_WORDS) return true;
  const names = namesIn(text).flatMap(({ forms, base }) => (base === undefined ? forms : [...forms, base]));
  const isAbout = (source: string, own: RegExp): boolean => {
    const flat = plain(source);
    if (names.some((name) => flat.includes(name))) return true;
    const said = new Set(termsOf(source.replace(own, ' ')));
    let shared = 0;
    for (const word of words) if (said.has(word)) shared += 1;
    return shared >= SHARED_WORDS;
  };
  const readings = blocks.map((block) => readBlock(block, undefined));
  const uses = readings.flatMap((reading) => reading.uses).filter(({ result }) => result?.failed === false);
  const sentences = readings.flatMap(({ human, model, uses: all }) =>
    [human, model, ...all.map(humanReplyIn)].flatMap((said) => said?.split(/(?<=[.!?:;])\s+|\n/) ?? []),
  );
  return claims.every(
    ({ claimed, did }) =>
      uses.some((use) => did(use, claimed.exec(claim)?.[0] ?? '') && isAbout(aboutOf(use), claimed)) ||
      sentences.some((said) => isClaimed(said, claimed) && isAbout(said, claimed)),
  );
}

/** True where a text has the words of a claim in a clause that does not take them back before. */
function isClaimed(text: string, claimed: RegExp): boolean {
  return text.split(CLAUSE).some((clause) => {
    const found = claimed.exec(clause);
    return found !== null && !NOT_DONE.test(clause.slice(0, found.index));
  });
}

function ran({ command }: ToolUse, words: RegExp): boolean {
  return command !== undefined && words.test(command);
}

function changed(use: ToolUse): boolean {
  return fileActions(use).some(({ kind }) => kind !== 'read');
}

/** True for a command that does more than read files. */
function worked(use: ToolUse): boolean {
  return use.command !== undefined && fileActions(use).length === 0;
}

/** True for a use that calls a to-do done. */
function ticked(use: ToolUse): boolean {
  return [...use.fields.text.values()].flat().some(isDone);
}

/** What the forms of a verb have in common: `close`, `closed`; `write`, `written`; `build`, `built`. */
function stemOf(claim: string): string {
  return claim
    .toLowerCase()
    .replace(/^re-?(?=wr)| .*$/g, '')
    .replace(/(?:e?d|ten|t)$/, '');
}

/** What a use was about: its command, its files, the beginnings of its arguments, the beginning and the end of its result. */
function aboutOf(use: ToolUse): string {
  const fields = [...use.fields.text.values()].flat().map((value) => value.slice(0, ABOUT));
  const printed = use.result?.text ?? '';
  return [use.name, use.command ?? '', ...fields, printed.slice(0, ABOUT), printed.slice(-ABOUT)].join('\n');
}
