import type { PlantedFact } from './fact.ts';
import { hasValue } from './probes.ts';
import { flatten, normalize, type ReadView } from './readView.ts';

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
