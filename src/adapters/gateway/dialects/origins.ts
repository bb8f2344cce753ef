import type { ChatMessage, ChatPart, ChatToolCall } from '../../../core/chat/wire.ts';
import { countSame } from '../../../core/result.ts';
import { isFields } from '../../fields.ts';
import { modelMessage } from './translation.ts';

/** Remembers what was made from a client's objects for as long as these live. */
export class Made<Value> {
  readonly #made = new WeakMap<object, { readonly from: readonly unknown[]; readonly value: Value }>();

  /** What was made from exactly these before, or a new value: later bodies of a conversation have the same objects. */
  of(from: readonly [object, ...unknown[]], make: () => Value): Value {
    const known = this.#made.get(from[0]);
    if (known?.from.length === from.length && countSame(known.from, from) === from.length) return known.value;
    const value = make();
    this.#made.set(from[0], { from, value });
    return value;
  }
}

/** What the parts of an API's messages (blocks, items) say, and how they are written. */
export interface PartForm<Part> {
  /** The field of a reply with the server's own parts: Karl's own calls are sent back with what was thought before them. */
  readonly ownField: string;
  /** A part as a call. Without an id, it gets one from `place` (its message) and `at` (which call of that message). */
  callOf(part: Part, at: number, place: string): ChatToolCall | undefined;
  /** Whether a part is the call with this id; `at`: which call of its message it is. */
  isCallOf(part: Part, at: number, id: string): boolean;
  /** What was thought, '' if that cannot be read; undefined for other parts. */
  thoughtOf(part: Part): string | undefined;
  /** What is said; undefined for other parts. */
  textOf(part: Part): string | undefined;
  /** A part that is neither call, thought nor text, in chat completions. */
  toChat(part: Part): ChatPart;
  /** What a message says, without its calls. */
  said(message: ChatMessage): readonly Part[];
  /** A call; `own`: the part that it was made from, perhaps with other arguments. */
  call(call: ChatToolCall, own: Part | undefined): Part;
  /** A result; `own`: the part that it was made from, perhaps with other content. `name`: of the tool. */
  result(message: ChatMessage, own: Part | undefined, name: string | undefined): Part;
}

/** How messages of an API are put together of parts. */
export interface MessageForm<Own, Part> {
  readonly make: (role: string, parts: readonly Part[]) => Own;
  readonly roleOf: (message: Own) => string;
  readonly partsOf: (message: Own) => readonly Part[];
}

/** Chat messages, each with the parts of a client's message that it was made from. */
export type Translated<Part> = readonly (readonly [ChatMessage, readonly Part[]])[];

/** What calls and results were made from, by the ids of the calls. */
interface CallParts<Part> {
  /** All parts of the message with the call. */
  readonly calls: ReadonlyMap<unknown, readonly Part[]>;
  readonly results: ReadonlyMap<unknown, Part>;
}

/** The messages of clients of one API, whose messages have parts, and the chat messages that were made from each. */
export class Origins<Own extends object, Part> {
  readonly #made = new Made<readonly ChatMessage[]>();
  readonly #calls = new Made<CallParts<Part>>();
  /** The message of the client that a chat message was made from, which parts, and how many messages were made from it. */
  readonly #origins = new WeakMap<ChatMessage, { message: Own; parts: readonly Part[]; of: number }>();
  readonly #form: PartForm<Part>;

  constructor(form: PartForm<Part>) {
    this.#form = form;
  }

  /** The chat messages made from a client's message; `from` is that message and what else they depend on. */
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

  /** A model's message. `place`: see `PartForm`. */
  toAssistant(parts: readonly Part[], place = ''): ChatMessage {
    const calls: ChatToolCall[] = [];
    const others: ChatPart[] = [];
    let [text, thought] = ['', ''];
    for (const part of parts) {
      const call = this.#form.callOf(part, calls.length, place);
      const [thinks, says] = [this.#form.thoughtOf(part), this.#form.textOf(part)];
      if (call !== undefined) calls.push(call);
      else if (thinks !== undefined) thought += thinks;
      else if (says !== undefined) text += says;
      else others.push(this.#form.toChat(part));
    }
    return modelMessage({ text, thought, calls, others });
  }

  /** The same of a reply, with its own parts, since no client sends Karl's own calls back. */
  toReply(parts: readonly Part[]): ChatMessage {
    return { ...this.toAssistant(parts, crypto.randomUUID()), [this.#form.ownField]: parts };
  }

  /** The parts of a message of a view that Karl made or changed. `all`: the messages of the request. */
  toParts(message: ChatMessage, view: readonly ChatMessage[], all: readonly ChatMessage[]): readonly Part[] {
    const form = this.#form;
    const known = this.#callParts(all);
    const { tool_calls: calls = [], tool_call_id } = message;
    if (message.role === 'tool') {
      const own = known.results.get(tool_call_id);
      const isIts = ({ id }: ChatToolCall) => id === tool_call_id;
      const call = own === undefined ? view.flatMap(({ tool_calls = [] }) => tool_calls).find(isIts) : undefined;
      return [form.result(message, own, call?.function.name)];
    }
    if (calls.length === 0) return form.said(message);
    const own = (message[form.ownField] ?? known.calls.get(calls[0]?.id) ?? []) as readonly Part[];
    const ownCalls = own.flatMap((part) => {
      const call = form.callOf(part, 0, '');
      return call === undefined ? [] : [{ part, text: call.function.arguments }];
    });
    const uses = calls.map((call) => {
      const before = ownCalls.find(({ part }, at) => form.isCallOf(part, at, call.id));
      return before?.text === call.function.arguments ? before.part : form.call(call, before?.part);
    });
    // A model that thinks wants its thoughts back, word for word, with the calls that followed them.
    return [...own.filter((part) => form.thoughtOf(part) !== undefined), ...form.said(message), ...uses];
  }

  /** What the calls in a request and their results were made from; searched for once. */
  #callParts(messages: readonly ChatMessage[]): CallParts<Part> {
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
  toOwn(view: readonly ChatMessage[], all: readonly ChatMessage[], form: MessageForm<Own, Part>): Own[] {
    const { make, roleOf, partsOf } = form;
    const messages: Own[] = [];
    /** The last message has the user's role and was assembled here, so the next one with that role joins it. */
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
        add(message.role === 'tool' ? 'user' : message.role, this.toParts(message, view, all));
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

/** The messages of one request, or of a stored session, as chat messages. */
export abstract class History<Own extends object, Part> {
  readonly messages: ChatMessage[] = [];
  protected readonly origins: Origins<Own, Part>;

  /** `prompt`: the system prompt, where it is a field of its own; '' for none. */
  constructor(origins: Origins<Own, Part>, prompt: string) {
    this.origins = origins;
    if (prompt !== '') this.messages.push({ role: 'system', content: prompt });
  }

  /** The chat messages of a message of the client; `index`: its place in the request. */
  protected abstract translate(message: Own, index: number): readonly ChatMessage[];

  /** Adds messages of the client. Anything else is refused, by its index, where messages are checked. */
  add(list: readonly unknown[]): void {
    for (const [index, one] of list.entries())
      this.messages.push(...(isFields(one) ? this.translate(one as Own, index) : [one as ChatMessage]));
  }

  /** A view without the prompt that the request has in a field of its own. */
  protected withoutPrompt(view: readonly ChatMessage[]): readonly ChatMessage[] {
    const [prompt] = view;
    return prompt?.role === 'system' && this.origins.of(prompt) === undefined ? view.slice(1) : view;
  }
}
