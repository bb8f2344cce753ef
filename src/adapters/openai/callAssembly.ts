import type { ChatToolCall } from '../../core/messages/chat.ts';
import { MALFORMED_CALL } from '../../core/session/envelope/envelope.ts';
import { JsonEnd } from './jsonEnd.ts';
import { type Fields, isFields, mergeTopField } from './mergeFields.ts';

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
  readonly end: JsonEnd;
  readonly other: Fields;
}

/**
 * Assembles tool calls from their deltas. Handles what servers really send: no index, index 0 for every call, the id
 * only once or every time, a name in pieces or repeated, arguments in pieces, repeated whole, or as an object.
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
    const slot = this.#findSlot(delta.index, id, name) ?? this.#open(delta.index);
    slot.id ??= id;
    slot.name = joinName(slot.name, name);
    const piece = newPiece(slot.arguments, argumentText(called.arguments));
    slot.arguments += piece;
    slot.end.push(piece);
    for (const [field, value] of Object.entries(delta)) {
      if (!['index', 'id', 'function', 'type'].includes(field)) mergeTopField(slot.other, field, value);
    }
    return { index: slot.position, name: slot.name, arguments: piece };
  }

  /**
   * The calls in the form in which they are appended. A call without an id gets one (nine alphanumerics: Mistral
   * requires exactly that).
   */
  finish(): ChatToolCall[] {
    return this.#slots.map((slot, position) => ({
      ...slot.other,
      id: slot.id ?? `call${String(position + 1).padStart(5, '0')}`,
      type: 'function',
      function: {
        name: slot.name === '' ? MALFORMED_CALL : slot.name,
        arguments: slot.arguments.trim() === '' ? '{}' : slot.arguments,
      },
    }));
  }

  #findSlot(index: unknown, id: string | undefined, name: string): CallSlot | undefined {
    if (typeof index === 'number') {
      return this.#slots.findLast(
        (slot) => slot.wireIndex === index && (id === undefined || slot.id === undefined || slot.id === id),
      );
    }
    if (id !== undefined) return this.#slots.find((slot) => slot.id === id);
    const last = this.#slots.at(-1);
    const startsNext = last !== undefined && name !== '' && last.name !== '' && last.end.isWhole(last.arguments);
    return startsNext ? undefined : last;
  }

  #open(index: unknown): CallSlot {
    const wireIndex = typeof index === 'number' ? index : undefined;
    const position = this.#slots.length;
    const slot: CallSlot = {
      position,
      wireIndex,
      id: undefined,
      name: '',
      arguments: '',
      end: new JsonEnd(),
      other: {},
    };
    this.#slots.push(slot);
    return slot;
  }
}

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
