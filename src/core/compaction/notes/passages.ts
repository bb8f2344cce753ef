import { findTestStates, onlyLooks } from '../../ledger/checks.ts';
import { type FileAction, fileActions, isDocument, patchText } from '../../ledger/files.ts';
import { changedLines, isPatch } from '../../ledger/patch.ts';
import { readBlock, type ToolUse } from '../../ledger/reading.ts';
import { toolList } from '../../ledger/todos.ts';
import type { Block } from '../../messages/blocks.ts';
import { saidInDecline } from '../../messages/reply.ts';
import { diffLines } from '../recall/readable.ts';
import { describeSize } from '../shorten.ts';
import { isProse, LEFT_OUT, plainResult, printed, quote, quoteLastLine, quoteLine, quoteOutcome } from './quote.ts';
import type { Passage, Step, Tier, Variant } from './selection.ts';

/** One length at which something is quoted: its worth, and about how many characters. */
type Length = readonly [tier: Tier, limit: number];

/** The lengths of a closing report, up to 8,000: shorter cuts lost what it reported. */
const REPORT: readonly Length[] = [
  ['report', 600],
  ['whole report', 2500],
  ['whole report', 8000],
];
/** Of what the agent said on the way. */
const SAID: readonly Length[] = [
  ['said', 600],
  ['said in full', 2000],
];
/** Of what the human answered inside a tool's result, with its question. */
const REPLY: readonly Length[] = [
  ['reply', 300],
  ['reply', 2000],
  ['whole report', 8000],
];
/** Of another agent's report, and of prose in a command or in arguments. */
const DELEGATED: readonly Length[] = [
  ['said', 400],
  ['said in full', 2000],
];
const PROSE: readonly Length[] = [
  ['said', 400],
  ['said in full', 1500],
];
/** Of a document that was written, and of what another edit puts in. */
const DOCUMENT: readonly Length[] = [...PROSE, ['said in full', 8000]];
const EDIT: readonly Length[] = [
  ['step', 160],
  ['step in full', 600],
];
/** Of what was printed: prose, such as an issue or a page, may be longer. */
const PRINTED = { prose: 1500, other: 480, long: 8000 };
/** Of a command and of how it ended. Characters. */
const COMMAND = { short: 160, long: 500 };
const OUTCOME = { short: 120, failed: 240, long: 400 };
const LAST_LINE = 80;
/** Of what a call was for, what it looked for, and what an edit that adds nothing removes. Characters. */
const PURPOSE = 90;
/** Of a question before its answer; a shorter one says too little by itself. Characters. */
const ASKED = 300;
const LEAST_QUESTION = 60;

/** What `write` makes for each length, without those that say no more than the one before. */
function inLengths(lengths: readonly Length[], write: (limit: number) => string): Variant[] {
  const variants = lengths.map(([tier, limit]) => ({ tier, text: write(limit) }));
  // A copy, since an array that grew by `push` keeps capacity for up to sixteen more.
  return variants.filter((variant, index) => variant.text !== variants[index - 1]?.text).slice();
}

/** In less than ANNOUNCEMENT the agent only announces its next step; of such prose SHORT_PROSE is quoted. Characters. */
const SHORT_PROSE = 600;
const ANNOUNCEMENT = 80;
/** A figure, a name with inner structure (a path, `camelCase`, a version), or something quoted as code. */
const NAMED = /\p{N}|`|[\p{L}\p{N}][/\\._:@#][\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/** What is left of an element when the tool use inside it is removed. */
const EMPTY_ELEMENT = /<([\w-]{1,40})[^<>]{0,200}>\s*<\/\1>/g;

/** Cached by block: blocks never change, and several runs read the same ones. */
const READ = new WeakMap<Block, { readonly next: Block | undefined; readonly said: readonly Passage[] }>();

/** The passages of a block. `next` is the block after it: agents without tool calls get their results as a message. */
export function readPassages(block: Block, next: Block | undefined): readonly Passage[] {
  const known = READ.get(block);
  if (known !== undefined && known.next === next) return known.said;
  const said = read(block, next);
  READ.set(block, { next, said });
  return said;
}

function read(block: Block, next: Block | undefined): readonly Passage[] {
  const { model, uses } = readBlock(block, next);
  const range = { from: block.range.from, to: block.range.from };
  const passages: Passage[] = [];
  const prose = model === undefined ? '' : withoutUses(model, uses);
  const steps = joinEdits(uses).map(stepPassage);
  if (prose !== '' && uses.length === 0)
    passages.push({ range, variants: inLengths(REPORT, (limit) => quote(prose, limit)) });
  else if (prose !== '') passages.push({ range, ...spoken(prose, steps) });
  return [...passages, ...steps];
}

/** The edits that one message makes to one file, joined into one use: many of them say almost the same. */
function joinEdits(uses: readonly ToolUse[]): readonly ToolUse[] {
  const edits = new Map<string, ToolUse>();
  const joined: (ToolUse | string)[] = [];
  for (const use of uses) {
    const path = editedPath(use);
    const known = path === undefined ? undefined : edits.get(path);
    if (path === undefined) joined.push(use);
    else if (known === undefined) {
      edits.set(path, use);
      joined.push(path);
    } else edits.set(path, mergeUses(known, use));
  }
  return joined.flatMap((use) => (typeof use === 'string' ? (edits.get(use) ?? []) : use));
}

function spoken(text: string, steps: readonly Passage[]): Pick<Passage, 'variants' | 'key'> {
  if (text.length >= ANNOUNCEMENT && NAMED.test(text))
    return { variants: inLengths(SAID, (limit) => quote(text, limit)) };
  // Prose between two steps without a name or figure only announces the next step. When the same steps are made
  // again, only what was said with the newest counts.
  const keys = steps.flatMap(({ key }) => key ?? []);
  const key = keys.length === steps.length ? { key: `beside ${keys.join('\n')}` } : {};
  return { variants: [{ tier: 'said in full', text: quoteLine(text, SHORT_PROSE) }], ...key };
}

/** The prose of a model that writes its tool uses as text, without those uses: the steps list them. */
function withoutUses(text: string, uses: readonly { readonly fromCall: boolean; readonly source: string }[]): string {
  let prose = text;
  for (const { fromCall, source } of uses) if (!fromCall && source !== '') prose = prose.replace(source, () => '');
  return prose.replace(EMPTY_ELEMENT, '').trim();
}

/** A command that holds prose, such as a message or a description. */
const PROSE_IN_COMMAND =
  /\b(?:commit|pr|mr|issue|release|comment|review)\b[\s\S]{0,200}?(?:"[^"]{160,}"|'[^']{160,}'|<<-?\s*['"]?\w)/;
/** Fields with the text that an edit puts in, in the form of `fieldName`. */
const NEW_TEXT = [
  'newstring',
  'newstr',
  'newtext',
  'newcontent',
  'newsource',
  'newcode',
  'replacement',
  'replace',
  'replacestring',
  'codeedit',
  'inserttext',
  'insertion',
  'content',
  'contents',
  'filetext',
  'updatedcontent',
];

/** Fields with the text that an edit replaces. */
const OLD_TEXT = ['oldstring', 'oldstr', 'oldtext', 'search', 'before', 'original'];

/** The passage of a tool use: its command or edit with the outcome, and what it printed. */
export function stepPassage(use: ToolUse): Passage {
  const [first] = [...changesOf(use), ...fileActions(use)];
  const range = { from: use.at, to: Math.max(use.at, use.result?.at ?? use.at) };
  const tool = isClientMessage(use) ? 'command or client text' : use.name;
  const step: Step = { range, tool, ...(first !== undefined && { path: first.path }) };
  return { range, step, ...tellUse(use, step) };
}

type Told = Pick<Passage, 'variants' | 'path' | 'key'>;

function tellUse(use: ToolUse, step: Step): Told {
  const { reply, text = '' } = use.result ?? {};
  const said = reply ?? saidInDecline(text);
  if (said !== undefined) return tellReply(use, said, reply === undefined ? '' : 'the user: ');
  if (use.fields.text.has('prompt') && use.command === undefined) return tellDelegated(use);
  if (isClientMessage(use)) return tellClient(use);
  if (use.command !== undefined && !isPatch(use.command)) return tellCommand(use);
  const added = changesOf(use).length === 0 ? undefined : textPutIn(use);
  return added === undefined ? tellOther(use, step) : tellEdit(use, step, added);
}

function isClientMessage(use: ToolUse): boolean {
  return use.source === '' && use.fields.text.size === 0 && use.command === undefined;
}

function changesOf(use: ToolUse): readonly FileAction[] {
  return fileActions(use).filter((action) => action.kind !== 'read');
}

/** The file that a use edits; undefined when it edits none or several, or failed. */
export function editedPath(use: ToolUse): string | undefined {
  const [only, ...more] = changesOf(use);
  if (only === undefined || more.length > 0 || use.command !== undefined || use.result?.failed === true)
    return undefined;
  return textPutIn(use) === undefined ? undefined : only.path;
}

/** Joins two edits of one file: what they put in, one after the other. */
export function mergeUses(first: ToolUse, next: ToolUse): ToolUse {
  const text = new Map(
    [...first.fields.text].filter(([field]) => !OLD_TEXT.includes(field) && !NEW_TEXT.includes(field)),
  );
  text.set('newstring', [[textPutIn(first), textPutIn(next)].join('\n')]);
  return { ...first, fields: { ...first.fields, text }, ...(next.result !== undefined && { result: next.result }) };
}

/** A reply inside a tool's result, after its question; `speaker` is empty where it is not known who wrote it. */
function tellReply(use: ToolUse, reply: string, speaker: string): Told {
  const question = use.command ?? argumentsOf(use);
  // Some clients keep the question only next to the answer.
  const result = plainResult(use.result?.text ?? '');
  const before = result.slice(0, Math.max(0, result.indexOf(reply)));
  const isBeside = question.length < LEAST_QUESTION && before.includes('?');
  const variants = inLengths(REPLY, (limit) => {
    const asked = isBeside ? quote(before, limit) : quoteLine(question, ASKED);
    return `${use.name} ${asked} → ${speaker}${quote(reply, limit)}`;
  });
  return { variants };
}

/** The report of another agent that was given a task. */
function tellDelegated(use: ToolUse): Told {
  const task = quoteLine(use.fields.text.get('description')?.[0] ?? argumentsOf(use), PURPOSE);
  const report = use.result?.text ?? '';
  return { variants: inLengths(DELEGATED, (limit) => `${use.name} ${task} → ${quote(report, limit)}`) };
}

/** A client's text in the user's role; its beginning identifies it. */
function tellClient(use: ToolUse): Told {
  const text = use.result?.text ?? '';
  const variants: Variant[] = [
    { tier: 'step in full', text: `The client: ${quoteLine(text, OUTCOME.short)}` },
    { tier: 'output', text: `The client: ${quote(text, isProse(text) ? PRINTED.prose : PRINTED.other)}` },
    { tier: 'long output', text: `The client: ${quote(text, PRINTED.long)}` },
  ];
  return { variants, key: text };
}

/** Failures rank as high as prose, so that the model does not repeat them. */
function failedTier({ result }: ToolUse): Tier {
  return result?.failed === true ? 'said' : 'step';
}

function tellCommand(use: ToolUse): Told {
  const command = withoutPlace(use.command ?? '');
  const purpose = use.fields.text.get('description')?.[0];
  const says = purpose === undefined ? '' : ` (${quoteLine(purpose, PURPOSE)})`;
  if (PROSE_IN_COMMAND.test(command)) {
    const variants = inLengths(PROSE, (limit) => `$ ${quote(command, limit)}${says}${outcome(use, OUTCOME.short)}`);
    return { variants, key: `$ ${command}` };
  }
  // A lookup without its output is hardly worth quoting, and the count of steps includes it.
  const tier = onlyLooks(command) && isLong(use, OUTCOME.short) ? 'step in full' : failedTier(use);
  const variants: Variant[] = [
    { tier, text: `$ ${quoteLine(command, COMMAND.short)}${outcome(use, OUTCOME.short)}` },
    { tier: 'step in full', text: `$ ${quoteLine(command, COMMAND.long)}${says}${outcome(use, OUTCOME.long)}` },
  ];
  return { variants: withPrinted(use, variants), key: `$ ${command}` };
}

/** True for a use that succeeded and printed more than is quoted of it. */
function isLong({ result }: ToolUse, limit: number): boolean {
  return result !== undefined && !result.failed && printed(result.text).length > limit;
}

function tellEdit(use: ToolUse, step: Step, added: string): Told {
  const failed = use.result?.failed === true ? outcome(use, OUTCOME.short) : '';
  const about = step.path === undefined ? {} : { path: step.path };
  // Longer than any other edit would be quoted.
  if (step.path !== undefined && isDocument(step.path) && added.length > COMMAND.long) {
    const variants = inLengths(DOCUMENT, (limit) => `+ ${quote(added, limit)}${failed}`);
    return { variants, ...about, key: `document ${step.path}` };
  }
  return { variants: inLengths(EDIT, (limit) => `+ ${quoteLine(added, limit)}${failed}`), ...about };
}

function tellOther(use: ToolUse, step: Step): Told {
  const said = argumentsOf(use);
  const about = { key: `${use.name} ${use.source}`, ...(step.path !== undefined && { path: step.path }) };
  // The state has the agent's current list; single changes to it are not quoted.
  const list = toolList(use);
  if (list !== undefined) return { variants: [], ...about };
  if (step.path === undefined && isProse(said)) {
    const variants = inLengths(PROSE, (limit) => `${use.name} ${quote(said, limit)}${outcome(use, OUTCOME.short)}`);
    return { variants, ...about };
  }
  const asked = step.path === undefined ? `${use.name} ${quoteLine(said, PURPOSE)}` : use.name;
  const failed = use.result?.failed === true;
  const variants: Variant[] = [
    { tier: failed ? failedTier(use) : 'step in full', text: `${asked}${outcome(use, OUTCOME.short)}`.trim() },
  ];
  return { variants: withPrinted(use, variants), ...about };
}

/**
 * The variants and, after them, longer ones with what the tool printed; the most for prose, such as an issue, a plan or
 * a page.
 */
function withPrinted(use: ToolUse, variants: readonly Variant[]): Variant[] {
  const last = variants.at(-1);
  const text = use.result === undefined ? '' : plainResult(use.result.text);
  if (last === undefined || text === '' || last.text.includes(text.replace(/(?<!\s)\s*\n\s*/g, ' ⏎ ')))
    return [...variants];
  const limit = isProse(text) ? PRINTED.prose : PRINTED.other;
  return [
    ...variants,
    { tier: 'output', text: `${last.text}\n${quote(text, limit)}` },
    { tier: 'long output', text: `${last.text}\n${quote(text, PRINTED.long)}` },
  ];
}

function outcome(use: ToolUse, limit: number): string {
  const { result } = use;
  if (result === undefined) return ' → no result';
  const { failed } = result;
  const finds = use.command !== undefined && onlyLooks(use.command);
  const code = result.exitCode === undefined || result.exitCode === 0 ? '' : `exit ${result.exitCode} `;
  const errors = quoteOutcome(result.text, { failed, finds }, failed ? Math.max(limit, OUTCOME.failed) : limit);
  const summary = summaryOfTests(use, limit / 2) ?? '';
  const text = [errors, errors.includes(summary) ? '' : summary].filter((part) => part !== '').join(' ⏎ ');
  const told = text === '' ? sizeAndEnd(use, printed(result.text)) : text;
  return code === '' && told === '' ? '' : ` → ${code}${told}`.trimEnd();
}

/** The size of the output and, for a command that did more than look something up, its last line. */
function sizeAndEnd({ command }: ToolUse, output: string): string {
  if (output === '') return '';
  const end = command === undefined || onlyLooks(command) ? '' : quoteLastLine(output, LAST_LINE);
  return end === '' ? describeSize(output) : `${describeSize(output)} ${LEFT_OUT} ${end}`;
}

/** The summary that a run of tests printed at its end; undefined for short output and for anything else. */
function summaryOfTests(use: ToolUse, limit: number): string | undefined {
  if ((use.result?.text.length ?? 0) <= limit) return undefined;
  const lines = findTestStates({ at: use.at, uses: [use] }).filter(({ value, anchor }) => value !== anchor);
  return lines.length === 0 ? undefined : quoteLine(lines.map(({ value }) => value).join(' ⏎ '), limit);
}

/** A command without the `cd` that it begins with. */
function withoutPlace(command: string): string {
  return command.replace(/^\s*cd\s+(?:"[^"\n]{1,300}"|[^\s;&|]{1,300})\s*&&\s*(?:\\\n\s*)?/, '');
}

/** What an edit adds, without what stayed; for one that only removes, the beginning of what it removes. */
function textPutIn(use: ToolUse): string | undefined {
  const patch = patchText(use) ?? use.command;
  if (patch !== undefined) return addedLines(patch.split('\n')) || changedLines(patch);
  const [old] = OLD_TEXT.flatMap((field) => use.fields.text.get(field) ?? []);
  const [now] = NEW_TEXT.flatMap((field) => use.fields.text.get(field) ?? []);
  if (old !== undefined && now !== undefined) {
    const changes = diffLines(old, now);
    const added = addedLines(changes);
    if (added !== '') return added.replace(/^ /gm, '');
    const gone = changes.filter((line) => line.startsWith('-'));
    if (gone.length > 0) {
      const lines = gone.length === 1 ? '1 line' : `${gone.length} lines`;
      return `(only takes out ${lines}: ${quoteLine(gone.map((line) => line.slice(2)).join('\n'), PURPOSE)})`;
    }
  }
  const values = NEW_TEXT.flatMap((field) => use.fields.text.get(field) ?? []);
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
