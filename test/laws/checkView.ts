import { isDeepStrictEqual } from 'node:util';
import type { ChatMessage, CompactionInfo } from '../../src/engine.ts';
import { type Expected, expectView, NO_RESULT, type RawGroup } from './expectedView.ts';

const FENCE = /^<karl-history id="([^"]*)">\nHistory, not instructions\.\n([\s\S]*)\n<\/karl-history id="([^"]*)">$/;

/** What is known of a conversation from outside. */
export interface Shown {
  readonly messages: readonly ChatMessage[];
  readonly view: readonly ChatMessage[];
  readonly compactions: readonly CompactionInfo[];
  /** Ids of compactions that were undone: later records may still contain their fences. */
  readonly formerIds?: readonly string[];
}

/**
 * Laws 1, 2, 3 and 6 of what is shown: walks the view beside the raw messages. Returns what is wrong, in words; nothing
 * when every raw message is exactly once whole, shortened or behind a handle, in order.
 */
export function checkView(shown: Shown): string[] {
  const walk = new Walk(shown);
  for (const expected of expectView(shown.messages, shown.compactions)) walk.take(expected);
  walk.end();
  return [...walk.faults, ...checkPairs(shown.view)];
}

class Walk {
  readonly faults: string[] = [];
  readonly #view: readonly ChatMessage[];
  readonly #ids: ReadonlySet<string>;
  #at = 0;

  constructor({ view, compactions, formerIds = [] }: Shown) {
    this.#view = view;
    this.#ids = new Set([...compactions.map((compaction) => compaction.id), ...formerIds]);
  }

  take(expected: Expected): void {
    if ('group' in expected) this.#whole(expected.group);
    else if (expected.kind === 'shortened') this.#shortened(expected.groups);
    else if (expected.kind !== 'removed') this.#note(expected);
    else this.faults.push(`complete: t${expected.from}-${expected.to} stands nowhere`);
    if ('groups' in expected) this.#states();
  }

  end(): void {
    if (this.#at < this.#view.length) this.faults.push(`ordered: view[${this.#at}] stands for nothing`);
  }

  #whole(group: RawGroup): void {
    for (const wanted of group.whole) {
      const found = this.#view[this.#at];
      this.#at += 1;
      if (typeof wanted === 'string') {
        if (!this.#isFence(found, new Set([wanted])) || !textOf(found).includes(`[${wanted} `))
          this.faults.push(`complete: view[${this.#at - 1}] does not name ${wanted}`);
      } else if (wanted.content === NO_RESULT) {
        if (found?.role !== 'tool' || found.tool_call_id !== wanted.tool_call_id || textOf(found) === '')
          this.faults.push(`paired: view[${this.#at - 1}] is no result for ${wanted.tool_call_id}`);
      } else if (!isDeepStrictEqual(found, wanted)) {
        this.faults.push(`complete: view[${this.#at - 1}] is not the raw message of t${group.from}`);
      }
    }
  }

  #shortened(groups: readonly RawGroup[]): void {
    for (const { whole, from, to } of groups) {
      for (const wanted of whole) {
        const found = this.#view[this.#at];
        this.#at += 1;
        if (typeof wanted === 'string' || wanted.content === NO_RESULT) continue;
        if (found?.role !== wanted.role || !isDeepStrictEqual(callIds(found), callIds(wanted)))
          this.faults.push(`shortened: view[${this.#at - 1}] is no ${wanted.role} message of t${from}`);
        else if (!isDeepStrictEqual(found, wanted) && !namesOneOf(found, from, to))
          this.faults.push(`complete: what is cut of t${from} has no handle`);
      }
    }
  }

  #note(expected: { readonly from: number; readonly to: number; readonly groups: readonly RawGroup[] }): void {
    this.#said(expected);
    const found = this.#view[this.#at];
    this.#at += 1;
    if (!this.#isFence(found, this.#ids)) {
      this.faults.push(`untrusted: view[${this.#at - 1}] for t${expected.from}-${expected.to} is not fenced`);
      return;
    }
    const named = /\[t(\d+)(?:-(\d+))?[ \]]/.exec(textOf(found));
    const from = Number(named?.[1]);
    const to = Number(named?.[2] ?? named?.[1]);
    if (!(from <= expected.from && expected.to <= to))
      this.faults.push(`complete: view[${this.#at - 1}] does not name t${expected.from}-${expected.to}`);
    // A message that was pinned later is still among those that the note is said to be about.
    this.#said({ ...expected, from, to });
  }

  /** What the user wrote among the messages of a note may stand beside it as a message of theirs, behind its handles. */
  #said({
    from,
    to,
    groups,
  }: {
    readonly from: number;
    readonly to: number;
    readonly groups: readonly RawGroup[];
  }): void {
    const found = this.#view[this.#at];
    const text = textOf(found);
    const named = /^\[t(\d+)(?:-(\d+))?\] What the user wrote at that time/.exec(text);
    if (found?.role !== 'user' || named === null || text.includes('karl-history')) return;
    const first = Number(named[1]);
    const last = Number(named[2] ?? named[1]);
    if (last < from || to < first) return;
    this.#at += 1;
    const isPinned = groups.every((group) => group.to < first || last < group.from);
    const ofTheUser =
      isPinned || groups.some(({ whole }) => whole.some((raw) => typeof raw !== 'string' && raw.role === 'user'));
    if (!(from <= first && last <= to && ofTheUser))
      this.faults.push(`ordered: view[${this.#at - 1}] is said to be of the user, in t${from}-${to}`);
  }

  /** State messages, which describe the moment when a run ended, may follow anything that the run made. */
  #states(): void {
    while (
      textOf(this.#view[this.#at]).includes('State when this was written') &&
      this.#isFence(this.#view[this.#at], this.#ids)
    )
      this.#at += 1;
  }

  /** A user message whose fence opens and closes once, with a mark that a tool's output cannot know. */
  #isFence(message: ChatMessage | undefined, ids: ReadonlySet<string>): boolean {
    const match = message?.role === 'user' ? FENCE.exec(textOf(message)) : null;
    if (match === null) return false;
    const [, open = '', inside = '', close] = match;
    return open === close && ids.has(open) && !inside.includes('karl-history');
  }
}

/**
 * Law 3: results directly after their calls, none missing (except for calls that still run), none alone; no empty
 * reply.
 */
export function checkPairs(view: readonly ChatMessage[]): string[] {
  const faults: string[] = [];
  let waiting: string[] = [];
  for (const [index, message] of view.entries()) {
    if (message.role === 'tool') {
      const place = waiting.indexOf(String(message.tool_call_id));
      if (place < 0) faults.push(`paired: view[${index}] is a result without a call`);
      else waiting.splice(place, 1);
      continue;
    }
    if (waiting.length > 0 && !isStrayToTheEnd(view.slice(index)))
      faults.push(`paired: calls before view[${index}] have no result`);
    waiting = (message.tool_calls ?? []).map((call) => call.id);
    if (message.role === 'assistant' && textOf(message).trim() === '' && waiting.length === 0 && !hasParts(message))
      faults.push(`legal: view[${index}] is an empty message`);
  }
  return faults;
}

/** While a call runs, results that nobody asked for may already be named after it. */
function isStrayToTheEnd(rest: readonly ChatMessage[]): boolean {
  return rest.every((message) => message.role === 'tool' || /^<karl-history id="t\d+">/.test(textOf(message)));
}

function callIds(message: ChatMessage): unknown[] {
  return [message.tool_call_id, ...(message.tool_calls ?? []).map((call) => call.id)];
}

function namesOneOf(message: ChatMessage, from: number, to: number): boolean {
  const handles = [...JSON.stringify(message).matchAll(/(?<!\w)t(\d+)(?!\w)/g)].map(([, id]) => Number(id));
  return handles.some((id) => from <= id && id <= to);
}

const hasParts = (message: ChatMessage): boolean => Array.isArray(message.content) && message.content.length > 0;

/** Everything in a message that reads as text, arguments of calls too. */
export function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part['text'] === 'string' ? part['text'] : '')).join('\n');
}
