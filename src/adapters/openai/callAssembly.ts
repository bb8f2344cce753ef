import { randomInt } from 'node:crypto';
import type { ChatToolCall } from '../../core/chat/wire.ts';
import { MALFORMED_CALL } from '../../core/session/envelope/envelope.ts';
import { at, type Fields, isFields, textAt } from '../fields.ts';
import { JsonScan } from './bodies.ts';
import { mergeTopField } from './mergeFields.ts';

/** The known fields of a call's delta; all others are kept as they are. */
const CALL_FIELDS: ReadonlySet<string> = new Set(['index', 'id', 'type', 'function']);

interface CallSlot {
  /** The position among the calls of the reply. */
  readonly position: number;
  /** The server's own index; some servers use 0 for every call, so that only ids tell them apart. */
  readonly wireIndex: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  /** Tells whether the arguments are complete; fed piece by piece, so that no piece is read twice. */
  scan: JsonScan;
  readonly other: Fields;
}

/**
 * Assembles tool calls from their deltas. Handles what servers really send: no index, index 0 for every call, the id
 * only once, every time, late or different each time; a name in pieces or repeated; arguments in pieces, repeated whole,
 * as an object, or after an empty `{}`; and empty entries.
 */
export class CallAssembly {
  readonly #slots: CallSlot[] = [];

  get size(): number {
    return this.#slots.length;
  }

  /** Takes one entry of `delta.tool_calls`. Returns the call's position, its name so far, and the new piece of its arguments. */
  add(delta: unknown): { readonly index: number; readonly name: string; readonly arguments: string } | undefined {
    if (!isFields(delta)) return undefined;
    const id = textAt(delta, 'id');
    const name = textAt(delta, 'function', 'name') ?? '';
    const text = argumentText(at(delta, 'function', 'arguments'));
    if (id === undefined && name === '' && text === '' && this.#slots.length === 0) return undefined;
    const slot = this.#findSlot(delta.index, id, name) ?? this.#open(delta.index);
    slot.id ??= id;
    slot.name = joinName(slot.name, name);
    const isEmpty = slot.arguments.length <= LONGEST_EMPTY && /^\{\s*\}$/.test(slot.arguments.trim());
    if (isEmpty && text.trimStart().startsWith('{')) {
      // The arguments replace an empty placeholder.
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

  /** Whether there are calls, all with complete arguments. */
  get isWhole(): boolean {
    return (
      this.#slots.length > 0 && this.#slots.every(({ arguments: text, scan }) => text === '' || scan.isWhole(text))
    );
  }

  /** The finished calls. A call whose id is missing, repeated or in `taken` gets a new one. */
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
      // Another id begins another call, unless the previous call is incomplete.
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

/** A random id, unique in a conversation: nine alphanumerics, as Mistral requires. */
export function newCallId(): string {
  return Array.from({ length: 9 }, () => ALPHANUMERICS.charAt(randomInt(ALPHANUMERICS.length))).join('');
}

const ALPHANUMERICS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Longer arguments are not an empty object. Characters. */
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
 * The new part of a delta, for servers that repeat the arguments so far: after an opening `{`, text that begins with all
 * earlier text cannot continue valid JSON. Compares lengths first, so that small pieces cost little.
 */
function newPiece(existing: string, incoming: string): string {
  const repeats = incoming.length >= existing.length && existing.startsWith('{') && incoming.startsWith(existing);
  return repeats ? incoming.slice(existing.length) : incoming;
}
