import { type Block, blockMessages } from '../../chat/blocks.ts';
import { quoteHead } from '../../chat/cut.ts';
import { underLabel } from '../../chat/fence.ts';
import { handleOf, type NamedRange, parseHandles } from '../../chat/handle.ts';
import type { Message, MessageId, MessageRange } from '../../chat/message.ts';
import type { Transcript } from '../../chat/transcript.ts';
import { mapInSteps, type Steps } from '../../steps.ts';
import { blockOf, describeMessage, Excerpts, oneLine, type RecallAnswer, type Recalled } from './excerpts.ts';
import { type IndexedPassage, isIn, numberedLines, PassageIndex } from './passageIndex.ts';
import { readableCall, readableText } from './readable.ts';

/** No answer is longer, with what a label or two takes: characters, some 2,500 tokens. */
const ANSWER_ROOM = 8_000;

/** Only this much of a request is read, and this many of its phrases: a model may ask with a whole file. Characters. */
const LONGEST_QUERY = 4_000;
const MOST_PHRASES = 8;

/** Words are looked for within this many handles. */
const MOST_RANGES = 20;

/** The search stops after this many passages that do not fit. */
const MOST_PASSED_OVER = 60;

/** So many messages that are not shown are named, in this much of a longer answer. Characters. */
const MOST_NAMED = 8;
const NAMES_ROOM = 120;
const LONGER = 1_200;

/** Passages that are compared with the phrases in one step. */
const COMPARED_IN_STEP = 200;

/** A request to look into the raw messages. */
export interface RecallRequest {
  /** Handles (`t41`, `t12, t40-58`), lines of one (`t13:100-165`), words about one (`t8 "words"`), or words. */
  readonly query: string;
  /** The most characters of the answer; 8,000 at most, and by default. What is cut off is named with the call for it. */
  readonly room?: number;
}

/**
 * Opens handles and finds words in a transcript. Handles go by position only: one that a tool printed opens the message
 * at that position and nothing else.
 */
export class Recall {
  readonly #transcript: Transcript;
  /** The full-text index of the raw messages; up to date after `update`. */
  readonly index: PassageIndex;

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
    this.index = new PassageIndex(transcript.messages);
  }

  /** Answers a request; when nothing is found, a notice says so. Several may run at once. */
  *answer({ query: asked, ...request }: RecallRequest): Steps<RecallAnswer> {
    const room = Math.min(request.room ?? ANSWER_ROOM, ANSWER_ROOM);
    const query = asked.slice(0, LONGEST_QUERY);
    const ranges = parseHandles(query);
    if (ranges.length === 0) {
      const hint = 'Try other or fewer words, a part of a name, a file name, or a handle such as "t41".';
      const { length } = this.#transcript.messages;
      const where = `what was said, called and printed in ${length} messages. ${hint}`;
      return yield* this.#search({ query, within: ANYWHERE, room, where });
    }
    const about = quotedPhrases(query.replace(/\[[^[\]]*\]/g, ' '));
    if (about.length === 0) return yield* openHandles(this.#transcript, ranges, room);
    const within = ranges.slice(0, MOST_RANGES).map((range) => this.#whole(range));
    const where = `${clip(within.map(handleOf).join(', '))}. Open it without words, or by its lines.`;
    return yield* this.#search({ query: about.map((phrase) => `"${phrase}"`).join(' '), within, room, where });
  }

  /** A call stands for its results too. */
  #whole({ from, to }: NamedRange): MessageRange {
    const block = blockOf(this.#transcript, from);
    return { from, to: block?.kind === 'tools' && block.range.from === from ? Math.max(to, block.range.to) : to };
  }

  *#search({ query, within, room, where }: WordSearch): Steps<RecallAnswer> {
    yield* this.index.update();
    const hits = yield* this.#rank(query, within);
    if (hits.length === 0)
      return { kind: 'searched', found: [], notice: `Nothing found for ${JSON.stringify(clip(query))} in ${where}` };
    const absent = this.index.absent(query);
    const notices = (writeAbsent(absent)?.length ?? 0) + (room < LONGER ? 0 : NAMES_ROOM);
    const excerpts = new Excerpts(this.#transcript, room - notices);
    let passedOver = 0;
    for (const passage of hits) {
      if (passedOver > MOST_PASSED_OVER) break;
      const place = passage.places.findLast((one) => isIn(one, within));
      if (!excerpts.add(passage, place)) passedOver += 1;
      yield;
    }
    const found = excerpts.write();
    const shown = found.map(({ text }) => text.toLowerCase()).join('\n');
    // A part of a longer word is no word to the index, but the reader sees it.
    const missing = writeAbsent(absent.filter((word) => !shown.includes(word.toLowerCase())));
    const said = [missing, room < LONGER ? undefined : nameOthers(hits, found, within)].filter(
      (one) => one !== undefined,
    );
    return { kind: 'searched', found, ...(said.length > 0 && { notice: said.join(' ') }) };
  }

  /**
   * The passages for some words, best first: those in which the whole query or quoted phrases of it occur word for word, then
   * those with the most significant words. The prompt is not searched, since it is always in the view.
   */
  *#rank(query: string, within: readonly MessageRange[]): Steps<readonly IndexedPassage[]> {
    const among = ({ kind, places }: IndexedPassage): boolean =>
      kind !== 'system' && places.some((place) => isIn(place, within));
    const matches = this.index.search(query, { among });
    const scores = new Map(matches.map(({ passage, score }) => [passage, { phrases: 0, score }]));
    yield;
    const asked = [...new Set([phraseOf(query), ...quotedPhrases(query)])].filter((phrase) => phrase !== '');
    const phrases = asked.slice(0, MOST_PHRASES);
    for (const [at, passage] of this.index.passages.entries()) {
      if (at % COMPARED_IN_STEP === COMPARED_IN_STEP - 1) yield;
      const has = phrases.filter((phrase) => hasPhrase(passage.text, phrase)).length;
      if (has > 0 && among(passage)) scores.set(passage, { score: scores.get(passage)?.score ?? 0, phrases: has });
    }
    return [...scores]
      .sort(([, left], [, right]) => right.phrases - left.phrases || right.score - left.score)
      .map(([passage]) => passage);
  }
}

/** How many messages were found, and the best of those that are not shown, which can be opened; undefined if all are. */
function nameOthers(
  hits: readonly IndexedPassage[],
  found: readonly Recalled[],
  within: readonly MessageRange[],
): string | undefined {
  const handles = new Set(hits.map(({ places }) => `t${places.findLast((place) => isIn(place, within))?.message}`));
  const all = handles.size;
  for (const { handle } of found) handles.delete(handle);
  if (handles.size === 0) return undefined;
  return `The best of ${all} messages; others: ${[...handles].slice(0, MOST_NAMED).join(', ')}.`;
}

function writeAbsent(words: readonly string[]): string | undefined {
  return words.length === 0 ? undefined : `Not in this conversation: ${clip(words.join(', '))}.`;
}

/** A search for words. */
interface WordSearch {
  readonly query: string;
  readonly within: readonly MessageRange[];
  /** For handles, labels and excerpts together, characters. */
  readonly room: number;
  /** Where nothing was found, and what to try instead. */
  readonly where: string;
}

const ANYWHERE: readonly MessageRange[] = [{ from: 0, to: Number.POSITIVE_INFINITY }];

/** The most of a question that an answer repeats, in characters: a model may ask with a whole file. */
const MOST_REPEATED = 200;

function clip(text: string): string {
  return text.length > MOST_REPEATED ? `${text.slice(0, MOST_REPEATED).toWellFormed()}…` : text;
}

/** Text in quotation marks (straight, typographic) or backticks, of two characters or more. */
const QUOTED = /"([^"]{2,400})"|“([^”]{2,400})”|„([^“”]{2,400})[“”]|«([^»]{2,400})»|`([^`]{2,400})`/g;

/** The quoted phrases of a query, in the form of `phraseOf`. */
function quotedPhrases(query: string): readonly string[] {
  return [...query.matchAll(QUOTED)].map((match) => phraseOf(match.slice(1).find((part) => part !== undefined) ?? ''));
}

/** A text in the form in which it is compared: case and white space do not count. */
function phraseOf(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}

/** True when a text has a phrase (of `phraseOf`) word for word. */
function hasPhrase(text: string, phrase: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes(phrase)) return true;
  const blank = phrase.indexOf(' ');
  return blank > 0 && lower.includes(phrase.slice(0, blank)) && phraseOf(text).includes(phrase);
}

/** Handles that an answer had no room for are named up to this many. */
const MOST_REFUSED = 20;

/**
 * Opens handles by position only: a single one gives the whole message or the lines asked for, a range its outline.
 * What does not fit is cut at the end of a line, and the call for the rest is named.
 *
 * @param answerRoom for the whole answer, characters
 */
export function* openHandles(
  transcript: Transcript,
  ranges: readonly NamedRange[],
  answerRoom: number,
): Steps<RecallAnswer> {
  const found: Recalled[] = [];
  const missing: string[] = [];
  const rest: string[] = [];
  let used = 0;
  for (const range of ranges) {
    const room = answerRoom - used;
    if (found.length > 0 && room <= 0) {
      rest.push(handleOf(range));
      continue;
    }
    const opened = yield* range.from === range.to
      ? openMessage(transcript, range, room)
      : openRange(transcript, range, room);
    if (opened === undefined) missing.push(handleOf(range));
    else {
      found.push(opened);
      used += opened.what.length + opened.text.length;
    }
  }
  const { length } = transcript.messages;
  const there = length === 0 ? 'no messages yet' : `the messages t0 to t${length - 1}`;
  const notices = [
    ...(missing.length === 0 ? [] : [`No ${list(missing)}: the conversation has ${there}.`]),
    ...(rest.length === 0 ? [] : [`No room for ${list(rest)}: ask for them in another call.`]),
  ];
  return { kind: 'opened', found, ...(notices.length > 0 && { notice: notices.join(' ') }) };
}

function list(handles: readonly string[]): string {
  const more = handles.length - MOST_REFUSED;
  return `${handles.slice(0, MOST_REFUSED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** The prompt belongs to the newest request, so an older one is never shown. */
const ALWAYS_THERE = 'Instructions are always in the window as they are now.';

function* openMessage(transcript: Transcript, range: NamedRange, room: number): Steps<Recalled | undefined> {
  const message = transcript.messages[range.from];
  const block = blockOf(transcript, range.from);
  if (message === undefined || block === undefined) return undefined;
  yield;
  if (block.kind === 'system')
    return { handle: handleOf(range), what: describeMessage(block, range.from), text: ALWAYS_THERE };
  const hasCalls = message.role === 'assistant' && message.calls.length > 0;
  const text = hasCalls ? stepsOf(block).map(writeStep).join('\n') : underLabel(readableText(message));
  const what = describeMessage(block, range.from, hasCalls ? 0 : undefined);
  const handle = handleOf({ from: range.from, to: range.to });
  if (range.lines === undefined && text.length <= room) return { handle, what, text };
  const lines = [...numberedLines(text)];
  const { from, to } = range.lines ?? { from: 1, to: lines.length };
  const last = Math.min(to, lines.length);
  if (from > last) return { handle, what, text: `[${handle} has ${lines.length} lines]` };
  let end = from;
  for (let size = lines[from - 1]?.length ?? 0; end < last; end += 1) {
    size += lines[end]?.length ?? 0;
    if (size > room) break;
  }
  const shown = lines
    .slice(from - 1, end)
    .join('')
    .replace(/\n$/, '');
  const cut = end < last ? `\n[the rest: karl_recall("${handle}:${end + 1}-${last}")]` : '';
  return { handle, what: `${what} · lines ${from}-${end} of ${lines.length}`, text: `${shown}${cut}` };
}

/**
 * The blocks of a range: whole if that fits in the room; else one line per step (what was said stays in full), as many as
 * fit, and where to go on. At least one step is shown.
 */
function* openRange(transcript: Transcript, range: NamedRange, room: number): Steps<Recalled | undefined> {
  if (blockOf(transcript, range.from) === undefined) return undefined;
  const blocks = transcript.blocks.filter(
    ({ kind, range: { from, to } }) => kind !== 'system' && from <= range.to && range.from <= to,
  );
  const steps = (yield* mapInSteps(blocks, stepsOf, 1)).flat();
  const whole = steps.map(writeStep).join('\n');
  const count = Math.min(range.to, transcript.nextId - 1) - range.from + 1;
  const text = whole.length <= room ? whole : writeLines(steps, range, room);
  return { handle: handleOf(range), what: `${count} messages`, text };
}

/** In an outline, how much is shown of output that belongs to no call. Characters. */
const OUTPUT_START = 200;

/** One line per call with its outcome; results have no line of their own. */
function writeLines(all: readonly BlockStep[], range: MessageRange, room: number): string {
  const steps = all.filter(({ kind }) => kind !== 'result');
  const last = Math.min(range.to, all.at(-1)?.id ?? range.to);
  const shown: string[] = [];
  let size = 0;
  for (const [index, step] of steps.entries()) {
    const text = writeLine(step);
    size += text.length + 1;
    // Steps of one message are never separated, since going on at its handle shows all of them.
    if (index > 0 && size > room && steps[index - 1]?.id !== step.id) {
      return `${shown.join('\n')}\n[the rest, ${last - step.id + 1} messages: karl_recall("t${step.id}-${last}")]`;
    }
    shown.push(text);
  }
  return shown.join('\n');
}

function writeLine(step: BlockStep): string {
  if (step.kind === 'said') return writeStep(step);
  return step.kind === 'output' ? writeStep({ ...step, text: quoteHead(step.text, OUTPUT_START) }) : step.label;
}

/** One step of a block: what somebody said, a call, or a result. */
interface BlockStep {
  readonly id: MessageId;
  /** `[t41 npm test · exit 1 · 212 lines]` */
  readonly label: string;
  readonly text: string;
  /**
   * `said` by human or agent; a `call`; its `result`; `output` that belongs to no call, such as what a client wrote.
   */
  readonly kind: 'said' | 'call' | 'result' | 'output';
}

/** The steps of a block, in order. A call's label has its outcome; its result is labelled `result`. */
function stepsOf(block: Block): readonly BlockStep[] {
  return blockMessages(block).flatMap((message) => stepsOfMessage(block, message));
}

function stepsOfMessage(block: Block, message: Message): BlockStep[] {
  const { id, text } = message;
  if (message.role === 'assistant') {
    const said =
      text.trim() === '' ? [] : [{ id, label: `[t${id} agent]`, text: underLabel(text), kind: 'said' as const }];
    const calls = message.calls.map((call, index) => ({
      id,
      label: `[t${id} ${oneLine(call.name)}: ${describeMessage(block, id, index)}]`,
      text: underLabel(readableCall(call)),
      kind: 'call' as const,
    }));
    return [...said, ...calls];
  }
  if (message.role === 'tool' && block.kind === 'tools')
    return [{ id, label: `[t${id} result]`, text: underLabel(readableText(message)), kind: 'result' }];
  const kind = message.role === 'user' && message.by === 'human' ? 'said' : 'output';
  return [{ id, label: `[t${id} ${describeMessage(block, id)}]`, text: underLabel(readableText(message)), kind }];
}

/** The label and text of a step. */
function writeStep({ label, text }: BlockStep): string {
  return text === '' ? label : `${label}\n${text}`;
}
