import { randomInt } from 'node:crypto';
import type { ChatToolCall } from '../../core/messages/chat.ts';
import { MALFORMED_CALL } from '../../core/session/envelope/envelope.ts';
import { JsonScan } from './jsonScan.ts';
import { type Fields, isFields, mergeTopField } from './mergeFields.ts';

/** The known fields of a call's delta; all others are kept as they come. */
export const CALL_FIELDS: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

/** What one delta added to a call: its position in the reply, its name so far, and the new piece of its arguments. */
export interface CallGrowth {
  readonly index: number;
  readonly name: string;
  readonly arguments: string;
}

interface CallSlot {
  /** The position among the calls of the reply. */
  readonly position: number;
  /** The server's own index; servers that number every call 0 are told apart by the ids. */
  readonly wireIndex: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  /** Tells whether the arguments may be whole: fed piece by piece, so that earlier pieces are not read again. */
  scan: JsonScan;
  readonly other: Fields;
}

/**
 * Assembles tool calls from their deltas. Handles what servers really send: no index, index 0 for every call, the id
 * only once, every time, late or another one each time, a name in pieces or repeated, arguments in pieces, repeated
 * whole, as an object, or after an empty `{}`, and entries without anything.
 */
export class CallAssembly {
  readonly #slots: CallSlot[] = [];

  get size(): number {
    return this.#slots.length;
  }

  /** Takes one entry of `delta.tool_calls`. */
  add(delta: unknown): CallGrowth | undefined {
    if (!isFields(delta)) return undefined;
    const called = isFields(delta.function) ? delta.function : {};
    const id = typeof delta.id === 'string' && delta.id !== '' ? delta.id : undefined;
    const name = typeof called.name === 'string' ? called.name : '';
    const text = argumentText(called.arguments);
    if (id === undefined && name === '' && text === '' && this.#slots.length === 0) return undefined;
    const slot = this.#findSlot(delta.index, id, name) ?? this.#open(delta.index);
    slot.id ??= id;
    slot.name = joinName(slot.name, name);
    const isEmpty = slot.arguments.length <= LONGEST_EMPTY && /^\{\s*\}$/.test(slot.arguments.trim());
    if (isEmpty && text.trimStart().startsWith('{')) {
      // The arguments come after an empty placeholder.
      slot.arguments = '';
      slot.scan = new JsonScan();
    }
    const piece = newPiece(slot.arguments, text);
    slot.arguments += piece;
    slot.scan.push(piece);
    for (const [field, value] of Object.entries(delta)) {
      if (!CALL_FIELDS.has(field)) mergeTopField(slot.other, field, value);
    }
    return { index: slot.position, name: slot.name, arguments: piece };
  }

  /** Whether there are calls and the arguments of each are whole. */
  get isWhole(): boolean {
    return (
      this.#slots.length > 0 && this.#slots.every(({ arguments: text, scan }) => text === '' || scan.isWhole(text))
    );
  }

  /** The calls as they are appended. One without an id, or with one that another or `taken` has, gets its own. */
  finish(taken: ReadonlySet<string>): ChatToolCall[] {
    const ids = new Set(taken);
    for (const slot of this.#slots) {
      if (slot.id === undefined || ids.has(slot.id)) slot.id = newCallId();
      ids.add(slot.id);
    }
    return this.#slots.map((slot) => ({
      ...slot.other,
      id: slot.id ?? newCallId(),
      type: 'function',
      function: {
        name: slot.name === '' ? MALFORMED_CALL : slot.name,
        arguments: slot.arguments.trim() === '' ? '{}' : slot.arguments,
      },
    }));
  }

  #findSlot(index: unknown, id: string | undefined, name: string): CallSlot | undefined {
    if (typeof index === 'number') {
      const last = this.#slots.findLast((slot) => slot.wireIndex === index);
      if (last === undefined || id === undefined || last.id === undefined || last.id === id) return last;
      const known = this.#slots.findLast((slot) => slot.wireIndex === index && slot.id === id);
      // Another id begins another call, unless the call before it is still without its end.
      const goesOn = last.arguments !== '' && !last.scan.isWhole(last.arguments);
      return known ?? (name === '' || goesOn ? last : undefined);
    }
    if (id !== undefined) return this.#slots.find((slot) => slot.id === id);
    const last = this.#slots.at(-1);
    const startsNext = last !== undefined && name !== '' && last.name !== '' && last.scan.isWhole(last.arguments);
    return startsNext ? undefined : last;
  }

  #open(index: unknown): CallSlot {
    const wireIndex = typeof index === 'number' ? index : undefined;
    const position = this.#slots.length;
    const empty = { id: undefined, name: '', arguments: '', scan: new JsonScan(), other: {} };
    const slot: CallSlot = { position, wireIndex, ...empty };
    this.#slots.push(slot);
    return slot;
  }
}

/** Nine alphanumerics: Mistral requires exactly that. Random, so that no two calls of a conversation share one. */
export function newCallId(): string {
  return Array.from({ length: 9 }, () => ALPHANUMERICS.charAt(randomInt(ALPHANUMERICS.length))).join('');
}

const ALPHANUMERICS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** An empty object, with white space: looked for only in what is this short. Characters. */
const LONGEST_EMPTY = 8;

/** A name may come whole once, whole every time, growing, or in pieces. */
function joinName(existing: string, incoming: string): string {
  if (incoming === '' || existing === incoming) return existing;
  return incoming.length > existing.length && incoming.startsWith(existing) ? incoming : existing + incoming;
}

function argumentText(value: unknown): string {
  if (typeof value === 'string') return value;
  return isFields(value) ? JSON.stringify(value) : '';
}

/**
 * What a delta adds: if a server repeats the whole arguments (or all of them so far), only what is new. After an
 * opening `{`, text that begins with everything so far can never be a continuation of valid JSON. Lengths are compared
 * first, so that earlier pieces are not read again for each small one.
 */
function newPiece(existing: string, incoming: string): string {
  const repeats = incoming.length >= existing.length && existing.startsWith('{') && incoming.startsWith(existing);
  return repeats ? incoming.slice(existing.length) : incoming;
}
