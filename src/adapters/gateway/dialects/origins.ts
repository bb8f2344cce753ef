import type { ChatMessage } from '../../../core/messages/chat.ts';
import { countSame } from '../../../core/messages/growing.ts';

/** Keeps what was made of a client's objects, for as long as these live. */
export class Made<Value> {
  readonly #made = new WeakMap<object, { readonly from: readonly unknown[]; readonly value: Value }>();

  /** What was made of just these before, or what `make` makes: bodies that were read bring the same objects again. */
  of(from: readonly [object, ...unknown[]], make: () => Value): Value {
    const known = this.#made.get(from[0]);
    if (known?.from.length === from.length && countSame(known.from, from) === from.length) return known.value;
    const value = make();
    this.#made.set(from[0], { from, value });
    return value;
  }
}

/** What a chat message was made from: some parts of a message of the client. */
interface Origin<Own, Part> {
  readonly message: Own;
  readonly parts: readonly Part[];
  /** How many chat messages were made from that message. */
  readonly of: number;
}

/** How messages of an API are put together. */
export interface OwnForm<Own, Part> {
  readonly make: (role: string, parts: readonly Part[]) => Own;
  readonly roleOf: (message: Own) => string;
  readonly partsOf: (message: Own) => readonly Part[];
  /** The parts of a message that Karl made or changed. */
  readonly toParts: (message: ChatMessage) => readonly Part[];
}

/** Chat messages, each with the parts of a client's message that it was made from. */
export type Translated<Part> = readonly (readonly [ChatMessage, readonly Part[]])[];

/** What calls and results were made from, by the ids of the calls. */
interface CallParts<Part> {
  /** All parts of the message with the call. */
  readonly calls: ReadonlyMap<unknown, readonly Part[]>;
  readonly results: ReadonlyMap<unknown, Part>;
}

/** The messages of clients, in whose form a message has parts, and the chat messages that were made from each. */
export class Origins<Own extends object, Part> {
  readonly #made = new Made<readonly ChatMessage[]>();
  readonly #calls = new Made<CallParts<Part>>();
  readonly #origins = new WeakMap<ChatMessage, Origin<Own, Part>>();

  /** The chat messages that are made of a message of a client, and of what else they depend on. */
  translate(from: readonly [Own, ...unknown[]], make: () => Translated<Part>): readonly ChatMessage[] {
    return this.#made.of(from, () => {
      const [message] = from;
      const made = make();
      for (const [chat, parts] of made) this.#origins.set(chat, { message, parts, of: made.length });
      return made.map(([chat]) => chat);
    });
  }

  /** The message of the client that a message was made from. */
  of(message: ChatMessage): Own | undefined {
    return this.#origins.get(message)?.message;
  }

  /** The parts that a message was made from. */
  partsOf(message: ChatMessage): readonly Part[] | undefined {
    return this.#origins.get(message)?.parts;
  }

  /** What the calls in the messages of a request and their results were made from; looked for once. */
  callParts(messages: readonly ChatMessage[]): CallParts<Part> {
    return this.#calls.of([messages], () => {
      const [calls, results] = [new Map<unknown, readonly Part[]>(), new Map<unknown, Part>()];
      for (const message of messages) {
        const parts = this.partsOf(message) ?? [];
        for (const { id } of message.tool_calls ?? []) calls.set(id, parts);
        if (message.role === 'tool' && parts[0] !== undefined) results.set(message.tool_call_id, parts[0]);
      }
      return { calls, results };
    });
  }

  /**
   * The messages of a view in the client's form: the client's own objects where all of a message is kept, its own parts
   * where part of it is.
   */
  toOwn(view: readonly ChatMessage[], { make, roleOf, partsOf, toParts }: OwnForm<Own, Part>): Own[] {
    const messages: Own[] = [];
    /** The last message is of the user's role and was put together here: what follows of that role joins it. */
    let isOpen = false;
    const add = (role: string, parts: readonly Part[]) => {
      const last = messages.at(-1);
      if (isOpen && role === 'user' && last !== undefined)
        messages[messages.length - 1] = make(role, [...partsOf(last), ...parts]);
      else if (parts.length > 0) messages.push(make(role, parts));
      isOpen = role === 'user';
    };
    for (let at = 0; at < view.length; ) {
      const message = view[at] as ChatMessage;
      const origin = this.#origins.get(message);
      if (origin === undefined) {
        add(message.role === 'tool' ? 'user' : message.role, toParts(message));
        at += 1;
        continue;
      }
      let end = at;
      while (end < view.length && this.of(view[end] as ChatMessage) === origin.message) end += 1;
      if (end - at === origin.of) {
        messages.push(origin.message);
        isOpen = false;
      } else {
        const parts = view.slice(at, end).flatMap((kept) => this.partsOf(kept) ?? []);
        add(roleOf(origin.message), parts);
      }
      at = end;
    }
    return messages;
  }
}
