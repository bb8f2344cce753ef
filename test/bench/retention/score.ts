import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { countTokens } from '../../../src/engine.ts';
import { type Age, ageOf, type FactClass, type PlantedFact } from './fact.ts';
import { flatten, hasValue, isRetained, messageTexts, normalize, type ReadView, readView } from './probes.ts';

/** What one contender left of one transcript. */
export interface Outcome {
  readonly view: readonly ChatMessage[];
  readonly recall: Recall;
  /** Everything that a summarizer was shown; '' when none was asked. */
  readonly shown: string;
  /** Processor time of this thread: what other programs take at the same time does not count. */
  readonly milliseconds: number;
  readonly modelCalls: number;
  /** Why nothing changed, when nothing did. */
  readonly remark?: string;
}

/** What became of one fact. */
export interface Verdict {
  readonly fact: PlantedFact;
  readonly age: Age;
  readonly retained: boolean;
  readonly recoverable: boolean;
  readonly visible: boolean;
}

/** The figures of one run. */
export interface Score {
  readonly verdicts: readonly Verdict[];
  readonly inventions: readonly string[];
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens before the first message that changed, as a share of all before. */
  readonly prefixKept: number;
  readonly milliseconds: number;
  readonly modelCalls: number;
  readonly remark?: string;
}

/** Asks every probe of what a contender left. */
export async function scoreOutcome(
  source: readonly ChatMessage[],
  facts: readonly PlantedFact[],
  outcome: Outcome,
): Promise<Score> {
  const view = readView(outcome.view, source);
  const recovery = new Recovery(view, outcome.recall);
  const shown = readView([{ role: 'user', content: outcome.shown }], []);
  const verdicts: Verdict[] = [];
  for (const fact of facts) {
    const retained = isRetained(fact, view);
    verdicts.push({
      fact,
      age: ageOf(fact, source.length),
      retained,
      recoverable: retained || (await recovery.has(fact)),
      visible: outcome.shown !== '' && hasValue(fact, shown),
    });
  }
  return {
    verdicts,
    inventions: findInvented(view, new SourceTokens(source)),
    tokensBefore: countTokens(source),
    tokensAfter: countTokens(outcome.view),
    prefixKept: prefixKept(source, outcome.view),
    milliseconds: outcome.milliseconds,
    modelCalls: outcome.modelCalls,
    ...(outcome.remark !== undefined && { remark: outcome.remark }),
  };
}

function prefixKept(source: readonly ChatMessage[], view: readonly ChatMessage[]): number {
  const changed = source.findIndex((message, index) => JSON.stringify(message) !== JSON.stringify(view[index]));
  return changed < 0 ? 1 : countTokens(source.slice(0, changed)) / Math.max(1, countTokens(source));
}

/** Shares over some verdicts; undefined when there are none. */
export interface Shares {
  readonly count: number;
  readonly retained: number;
  readonly recoverable: number;
  readonly visible: number;
  readonly lost: number;
}

export function shares(verdicts: readonly Verdict[]): Shares | undefined {
  const count = verdicts.length;
  if (count === 0) return undefined;
  const share = (holds: (verdict: Verdict) => boolean): number => verdicts.filter(holds).length / count;
  return {
    count,
    retained: share(({ retained }) => retained),
    recoverable: share(({ recoverable }) => recoverable),
    visible: share(({ visible }) => visible),
    lost: share(({ recoverable, visible }) => !recoverable && !visible),
  };
}

export function ofClass(verdicts: readonly Verdict[], ...classes: readonly FactClass[]): Verdict[] {
  return verdicts.filter(({ fact }) => classes.includes(fact.class));
}

const TOKEN = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:-]*[\p{L}\p{N}_$]/gu;
/** Figures and names that Karl computes: handles, counts of a label, the frame of a note. */
const COMPUTED: readonly RegExp[] = [
  /<\/?karl-history[^>]*>/g,
  /karl_recall\("[^"]*"\)/g,
  /\bt\d+(?:-\d+)?\b/g,
  /\+\d+ more\b/g,
  /\b\d+ (?:messages?|lines?|characters|errors?|images?|tokens)\b/g,
  // `not quoted: 6 Read, 3 of a.ts; 12 Bash`
  /(?<=[:,;] )\d+ (?:of )?\w+(?=[,;\]]|$)/g,
];

/** P4: paths, identifiers, numbers of two or more digits and error codes in new text that the source does not have. */
export function findInvented(view: ReadView, source: SourceTokens): string[] {
  const invented = new Set<string>();
  for (const { text, raw } of view.lines) {
    if (raw) continue;
    let line = text;
    for (const pattern of COMPUTED) line = line.replace(pattern, ' ');
    for (const match of line.matchAll(TOKEN)) {
      // A word that was cut, and says so, is no claim of its own.
      if (line[match.index + match[0].length] === '…') continue;
      for (const claim of claims(match[0])) if (!source.has(claim)) invented.add(claim);
    }
  }
  return [...invented];
}

function claims(token: string): string[] {
  return token.split(PARTS).filter((part) => {
    if (/^\d[\d.]*\d$/.test(part) || /^[A-Z]{1,8}\d{2,6}$/.test(part)) return true;
    return part.length >= 6 && /[a-z][A-Z]|\w_\w/.test(part) ? true : token.includes('/') && part.length > 2;
  });
}

/** Paths are compared folder by folder: a note may name a file by the end of its path. */
const PARTS = /[/:@-]|\.(?=\D)|(?<=\D)\./;

/** The words of the source, whole and in the parts that `findInvented` compares. */
export class SourceTokens {
  readonly #parts = new Set<string>();
  readonly #text: string;

  constructor(source: readonly ChatMessage[]) {
    // The arguments also as they were written: their field names are words of the source.
    const written = source.flatMap(({ tool_calls: calls }) => (calls ?? []).map((call) => call.function.arguments));
    this.#text = normalize([...source.flatMap(messageTexts), ...written].join('\n'));
    for (const [token] of this.#text.matchAll(TOKEN)) {
      this.#parts.add(token);
      for (const part of token.split(PARTS)) this.#parts.add(part);
    }
  }

  has(claim: string): boolean {
    return this.#parts.has(claim) || this.#text.includes(claim);
  }
}

/** Opens handles: `karl_recall`, or nothing for what has no handles. */
export type Recall = (handle: string) => Promise<readonly { readonly handle: string; readonly text: string }[]>;

const HANDLE = /\bt(\d+)(?:-(\d+))?\b/g;

/** What stands behind one handle of a view, opened once. */
interface Opened {
  readonly from: number;
  readonly to: number;
  readonly text: { readonly flat: string; readonly lines: readonly { readonly text: string }[] };
}

/** P5: answers whether a fact that a view does not have can be had through a handle that the view shows. */
export class Recovery {
  readonly #handles: { from: number; to: number; name: string }[] = [];
  readonly #opened = new Map<string, Opened>();
  readonly #recall: Recall;

  constructor(view: ReadView, recall: Recall) {
    this.#recall = recall;
    const seen = new Set<string>();
    for (const { text, raw } of view.lines) {
      if (raw) continue;
      for (const [name, from, to] of text.matchAll(HANDLE)) {
        if (seen.has(name)) continue;
        seen.add(name);
        this.#handles.push({ name, from: Number(from), to: Number(to ?? from) });
      }
    }
  }

  /** Opens the handles that cover the fact's message, smallest range first, until one has it. */
  async has(fact: PlantedFact): Promise<boolean> {
    const covering = this.#handles
      // A result stands behind the handle of its call, and the other way round.
      .filter(({ from, to }) => from - 8 <= fact.messageIndex && fact.messageIndex <= to + 8)
      .sort((left, right) => left.to - left.from - (right.to - right.from));
    for (const handle of covering) {
      const opened = await this.#open(handle);
      const found =
        fact.class === 'todo' ? opened.text.flat.includes(flatten(fact.value)) : hasValue(fact, readable(opened));
      if (found) return true;
    }
    return false;
  }

  /** True when the text behind some handle passes. */
  async some(passes: (flat: string) => boolean): Promise<boolean> {
    for (const handle of this.#handles) if (passes((await this.#open(handle)).text.flat)) return true;
    return false;
  }

  async #open(handle: { from: number; to: number; name: string }): Promise<Opened> {
    const known = this.#opened.get(handle.name);
    if (known !== undefined) return known;
    // A range opens as an outline, which names each of its messages: what is behind them counts.
    const names = Array.from({ length: handle.to - handle.from + 1 }, (_, index) => `t${handle.from + index}`);
    const text = (await this.#recall(names.join(' '))).map((found) => found.text).join('\n');
    // Arguments that are no JSON come as the model wrote them: escapes are read once beside the text itself.
    const plain = normalize(`${text}\n${text.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1')}`);
    const opened = {
      from: handle.from,
      to: handle.to,
      text: { flat: flatten(plain), lines: plain.split('\n').map((line) => ({ text: line })) },
    };
    this.#opened.set(handle.name, opened);
    return opened;
  }
}

function readable(opened: Opened): Pick<ReadView, 'flat' | 'lines'> {
  return { flat: opened.text.flat, lines: opened.text.lines.map(({ text }) => ({ text, raw: false })) };
}
