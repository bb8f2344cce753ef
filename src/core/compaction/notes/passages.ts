import type { Block } from '../../chat/blocks.ts';
import { cutHead, cutTail } from '../../chat/cut.ts';
import { isDeclined, saidInDecline } from '../../chat/reply.ts';
import { errorLines } from '../../ledger/errors.ts';
import { fileActions, isDocument, onlyLooks, patchText } from '../../ledger/files.ts';
import type { ToolUse } from '../../ledger/outcome.ts';
import { readBlock } from '../../ledger/reading.ts';
import { withoutColours } from '../../ledger/text.ts';
import { toolList } from '../../ledger/todos.ts';
import { diffLines } from '../recall/readable.ts';
import { describeSize, withoutReminders } from '../shorten.ts';
import type { NotePassage, Tier, Variant } from './selection.ts';

/** One length at which something is quoted: its worth, and about how many characters. */
type Length = readonly [tier: Tier, limit: number];

/** The lengths at which each kind of thing is quoted, the shortest first. */
const LENGTHS = {
  /** A closing report, up to 8,000: shorter cuts lost what it reported. */
  report: [
    ['report', 600],
    ['whole report', 2500],
    ['whole report', 8000],
  ],
  /** What the agent said on the way, another agent's report. */
  said: [
    ['said', 500],
    ['said in full', 2000],
  ],
  /** What the human answered inside a tool's result, with its question. */
  reply: [
    ['reply', 300],
    ['reply', 2000],
    ['whole report', 8000],
  ],
  /** A document that was written. */
  document: [
    ['said', 400],
    ['said in full', 1500],
    ['said in full', 8000],
  ],
  /** A command and how it ended, or what an edit puts in. */
  step: [
    ['step', 160],
    ['step in full', 500],
  ],
  /** Failures rank as high as prose, so that the model does not repeat them. */
  failed: [
    ['said', 160],
    ['step in full', 500],
  ],
  other: [['step in full', 160]],
} as const satisfies Readonly<Record<string, readonly Length[]>>;

/** How a step ended takes at most this share of its length; the last line of a long output so many characters. */
const OUTCOME_SHARE = 0.75;
const LAST_LINE = 80;
/** Of what a call looked for, and what an edit that adds nothing removes. Characters. */
const PURPOSE = 90;
/** A document shorter than this is quoted like any other edit. Characters. */
const LONG_DOCUMENT = 500;

/** Longer prose says more than that something is awaited. Characters. */
const REMARK = 250;

/** What `write` makes for each length, without those that say no more than the one before. */
function inLengths(lengths: readonly Length[], write: (limit: number) => string): Variant[] {
  const variants = lengths.map(([tier, limit]) => ({ tier, text: write(limit) }));
  return variants.filter((variant, index) => variant.text !== variants[index - 1]?.text);
}

/** Cached by block: blocks never change, and several runs read the same ones. */
const READ = new WeakMap<Block, readonly NotePassage[]>();

/** The passages of a block. */
export function readPassages(block: Block): readonly NotePassage[] {
  const known = READ.get(block) ?? read(block);
  READ.set(block, known);
  return known;
}

function read(block: Block): readonly NotePassage[] {
  const { model = '', uses } = readBlock(block);
  const steps = uses.map(stepPassage);
  const prose = model.trim();
  if (prose === '') return steps;
  const lengths = steps.length === 0 ? LENGTHS.report : LENGTHS.said;
  const range = { from: block.range.from, to: block.range.from };
  // Where the same calls wait for something again ("still running"), only what was said with the newest counts. What was
  // said beside a file that is read again may be a finding.
  const keys = steps.flatMap(({ key = [], path }, index) => ((path ?? uses[index]?.command) === undefined ? key : []));
  const isRemark = prose.length < REMARK && keys.length > 0 && keys.length === steps.length;
  const key = isRemark ? `beside ${keys.join('\n')}` : undefined;
  return [{ range, variants: inLengths(lengths, (limit) => quote(prose, limit)), key }, ...steps];
}

/** Fields with the text that an edit puts in, and with the text that it replaces, in the form of `fieldname`. */
const NEW_TEXT =
  /^(?:new(?:string|str|text|content|source|code)|replacement|replace(?:string)?|codeedit|insert(?:text|ion)|contents?|filetext|updatedcontent)$/;
const OLD_TEXT = /^(?:old(?:string|str|text)|search|before|original)$/;

/** How a tool use is quoted: its lengths, and what is said in each. */
interface Told extends Pick<NotePassage, 'path' | 'key'> {
  readonly lengths: readonly Length[];
  readonly write: (limit: number) => string;
}

/** The passage of a tool use: its command or edit with the outcome. */
function stepPassage(use: ToolUse): NotePassage {
  const actions = fileActions(use);
  const changed = actions.find(({ kind }) => kind !== 'read');
  const path = (changed ?? actions[0])?.path;
  const range = { from: use.at, to: Math.max(use.at, use.result?.at ?? use.at) };
  const tool = isClientMessage(use) ? 'command or client text' : use.name;
  // The state has the agent's current list; single changes to it are not quoted.
  if (toolList(use) !== undefined) return { range, tool, path, variants: [] };
  const { lengths, write, ...about } = tellUse(use, path, changed !== undefined);
  return { range, tool, ...about, variants: inLengths(lengths, write) };
}

function isClientMessage(use: ToolUse): boolean {
  return use.source === '' && use.fields.text.size === 0 && use.command === undefined;
}

function tellUse(use: ToolUse, path: string | undefined, isEdit: boolean): Told {
  const { reply, text = '', failed = false } = use.result ?? {};
  if (reply !== undefined) return tellReply(use, `${isDeclined(text) ? 'declined; ' : ''}the user: `, reply);
  // Whose words these are is not known, so the whole result is quoted.
  if (saidInDecline(text) !== undefined) return tellReply(use, '', text);
  if (use.fields.text.has('prompt') && use.command === undefined) {
    const task = quoteLine(use.fields.text.get('description')?.[0] ?? argumentsOf(use), PURPOSE);
    return { lengths: LENGTHS.said, write: (limit) => `${use.name} ${task} → ${quote(text, limit)}` };
  }
  if (isClientMessage(use)) {
    // A skill that the client hands over has rules.
    const write = (limit: number): string => `The client: ${quoteLine(text, limit)}`;
    return { lengths: LENGTHS.other, write, key: text };
  }
  const patch = patchText(use);
  if (use.command !== undefined && patch === undefined) return tellCommand(use, use.command);
  const added = isEdit ? textPutIn(use, patch) : undefined;
  if (added === undefined) return tellOther(use, path);
  const end = failed ? outcome(use, PURPOSE) : '';
  if (path !== undefined && isDocument(path) && added.length > LONG_DOCUMENT) {
    const write = (limit: number): string => `+ ${quote(added, limit)}${end}`;
    return { lengths: LENGTHS.document, write, path, key: `document ${path}` };
  }
  return { lengths: LENGTHS.step, write: (limit) => `+ ${quoteLine(added, limit)}${end}`, path };
}

/** A reply inside a tool's result, after its question and what introduces it. */
function tellReply(use: ToolUse, lead: string, reply: string): Told {
  const question = use.command ?? argumentsOf(use);
  const write = (limit: number): string => `${use.name} ${quoteLine(question, limit)} → ${lead}${quote(reply, limit)}`;
  return { lengths: LENGTHS.reply, write };
}

function tellCommand(use: ToolUse, whole: string): Told {
  // Without the `cd` that it begins with.
  const command = whole.replace(/^\s*cd\s+(?:"[^"\n]{1,300}"|[^\s;&|]{1,300})\s*&&\s*(?:\\\n\s*)?/, '');
  const key = `$ ${command}`;
  const write = (limit: number): string => `$ ${quoteLine(command, limit)}${outcome(use, limit * OUTCOME_SHARE)}`;
  const lengths = use.result?.failed === true ? LENGTHS.failed : LENGTHS.step;
  return { lengths, write, key };
}

function tellOther(use: ToolUse, path: string | undefined): Told {
  const said = argumentsOf(use);
  const key = `${use.name} ${use.source}`;
  const asked = path === undefined ? `${use.name} ${quoteLine(said, PURPOSE)}` : use.name;
  const lengths = use.result?.failed === true ? LENGTHS.failed : LENGTHS.other;
  const write = (limit: number): string => `${asked}${outcome(use, limit * OUTCOME_SHARE)}`.trim();
  return { lengths, write, path, key };
}

const WORD = /\p{L}{2}/u;

/**
 * How a use ended, on one line: a short result whole, of a failure its first errors, of all else the size, after a command
 * that did something with its last line with words, which is what most programs end with.
 */
function outcome({ result, command }: ToolUse, limit: number): string {
  if (result === undefined) return ' → no result';
  const { failed, exitCode = 0 } = result;
  const text = printed(result.text).replace(EXIT_LINE, '');
  const code = exitCode === 0 ? '' : `exit ${exitCode} `;
  const quotes = command !== undefined && onlyLooks(command);
  let told: string;
  if (text.length <= Math.max(limit, failed ? 0 : BRIEF)) told = quote(oneLine(text), limit);
  else if (failed) {
    // In what a look-up shows, lines that mention errors are content.
    const errors = quotes ? [] : errorLines(text, MOST_ERRORS);
    told = quoteLine(errors.join(` ${LEFT_OUT} `) || text, limit);
  } else {
    const last = command === undefined || quotes ? undefined : text.split('\n').findLast((line) => WORD.test(line));
    told = last === undefined ? describeSize(text) : `${describeSize(text)} ${LEFT_OUT} ${quoteLine(last, LAST_LINE)}`;
  }
  return `${code}${told}` === '' ? '' : ` → ${code}${told}`.trimEnd();
}

/** What clients print before the output of a failed command. */
const EXIT_LINE = /^exit code:? \d{1,3}\n/i;

/** A result up to this length, a line or two, is quoted even if it must be cut, rather than described by its size. */
const BRIEF = 240;
const MOST_ERRORS = 3;

/** What an edit adds, without what stayed; for one that only removes, the beginning of what it removes. */
function textPutIn(use: ToolUse, patch: string | undefined): string | undefined {
  const fields = [...use.fields.text];
  const old = fields.find(([name]) => OLD_TEXT.test(name))?.[1][0];
  const values = fields.flatMap(([name, texts]) => (NEW_TEXT.test(name) ? texts : []));
  const [now] = values;
  const changes = patch?.split('\n') ?? (old === undefined || now === undefined ? [] : diffLines(old, now));
  const added = addedLines(changes);
  if (added !== '') return added;
  const gone = changes.filter((line) => line.startsWith('-')).map((line) => line.slice(1));
  if (gone.length > 0) return `(only takes out: ${quoteLine(gone.join('\n'), PURPOSE)})`;
  return values.length === 0 ? undefined : values.join('\n');
}

/** The lines that a diff adds, with a mark where unchanged lines are between them; '' when it adds none. */
function addedLines(diff: readonly string[]): string {
  const lines: string[] = [];
  let isGap = false;
  for (const line of diff) {
    if (!line.startsWith('+') || line.startsWith('+++')) isGap ||= lines.length > 0 && !/^[-\\]/.test(line);
    else {
      lines.push(...(isGap ? [LEFT_OUT] : []), line.slice(1));
      isGap = false;
    }
  }
  return lines.join('\n');
}

function argumentsOf(use: ToolUse): string {
  const values = [...use.fields.text.values()].flat().filter((value) => value.trim() !== '');
  return values.length > 0 ? values.join(' · ') : use.source;
}

/** Marks where a quotation leaves something out. */
export const LEFT_OUT = '[…]';
/** The share of a shortened quotation that comes from the text's start; the rest is its end, where conclusions are. */
const HEAD_SHARE = 0.7;

/**
 * A text that exceeds the limit by less than this factor stays whole: a cut would save hardly any room and might take a
 * decisive word.
 */
const LEAST_CUT = 1.25;

/** A text of at most about `limit` characters: the whole text, or its start and end, both cut between words. */
export function quote(text: string, limit: number): string {
  const whole = text.trim();
  if (whole.length <= limit * LEAST_CUT) return whole;
  const start = Math.floor(limit * HEAD_SHARE);
  return `${cutHead(whole, start).trimEnd()} ${LEFT_OUT} ${cutTail(whole, limit - start).trimStart()}`.trim();
}

/** The same on one line. */
export function quoteLine(text: string, limit: number): string {
  return quote(text.replace(/\s+/g, ' '), limit);
}

/** What clients put before what a program printed: a few lines of figures, then this line. */
const OUTPUT_HEAD = /^(?:[^\n]{0,120}\n){0,6}?Output:[ \t]*\n/;

/** What a program printed: a result without colour codes and without what clients put before it. */
function printed(text: string): string {
  return withoutColours(withoutReminders(text)).replace(OUTPUT_HEAD, '').trim();
}

function oneLine(text: string): string {
  return text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ');
}
