import type { ChatMessage } from '../../../../src/core/messages/chat.ts';
import type { FactClass, PlantedFact } from '../fact.ts';
import type { Random } from '../random.ts';
import type { Project, SourceFile } from './code.ts';
import type { ToolUse } from './dialects.ts';
import { say, type Wording } from './wording.ts';
import { isHeldOut } from './work.ts';

/** A transcript in the making, with the facts planted in it so far. */
export class Script {
  readonly messages: ChatMessage[] = [];
  readonly facts: PlantedFact[] = [];
  /** Facts that a later one has replaced; they are no longer asked for. */
  readonly #ended = new Set<string>();
  #calls = 0;

  /** The index of the next message. */
  get next(): number {
    return this.messages.length;
  }

  user(text: string): void {
    this.plant({ class: 'user-message', value: text, messageIndex: this.next, heldOut: false });
    this.messages.push({ role: 'user', content: text });
  }

  /** A user-role message that a client made. */
  client(text: string): void {
    this.messages.push({ role: 'user', content: text });
  }

  assistant(text: string): void {
    this.messages.push({ role: 'assistant', content: text });
  }

  /** One assistant message with its calls, and their results. Returns the index of the first result. */
  tools(text: string, uses: readonly ToolUse[]): number {
    const calls = uses.map((use) => {
      this.#calls += 1;
      return { id: `call_${this.#calls}`, type: 'function', function: { name: use.name, arguments: use.arguments } };
    });
    this.messages.push({ role: 'assistant', content: text === '' ? null : text, tool_calls: calls });
    const first = this.next;
    uses.forEach((use, index) => {
      this.messages.push({ role: 'tool', tool_call_id: calls[index]?.id ?? '', content: use.result });
    });
    return first;
  }

  plant(fact: Omit<PlantedFact, 'id'>): PlantedFact {
    const planted = { ...fact, id: `f${this.facts.length}` };
    this.facts.push(planted);
    return planted;
  }

  end(fact: PlantedFact): void {
    this.#ended.add(fact.id);
  }

  /** The facts that hold when the first `length` messages are all there is. */
  latest(): PlantedFact[] {
    return this.facts.filter((fact) => !this.#ended.has(fact.id));
  }

  /** The newest fact of a class that still holds. */
  newest(kind: FactClass): PlantedFact | undefined {
    return this.latest().findLast((fact) => fact.class === kind);
  }
}

/** What is said in one turn: sentences that plant facts, for the human's message or for the model's report. */
export interface Said {
  readonly text: string;
  /** Plants the facts of the sentence once it is known in which message it stands. */
  plant(script: Script, messageIndex: number): void;
}

/** Technical choices; each comes with the part of the program that it is made for, so that it is unique. */
const CHOICES = [
  ['cursor pagination', 'offset pagination'],
  ['an append-only log', 'a mutable table'],
  ['SQLite', 'PostgreSQL'],
  ['a worker pool', 'one thread a request'],
  ['protobuf', 'JSON lines'],
  ['server-sent events', 'polling'],
  ['a bloom filter', 'a full index'],
  ['optimistic locking', 'row locks'],
] as const;

/** Makes sentences of one language that state facts. */
export class Speech {
  readonly #wording: Wording;
  readonly #random: Random;
  readonly #project: Project;
  #todos = 0;

  constructor(wording: Wording, random: Random, project: Project) {
    this.#wording = wording;
    this.#random = random;
    this.#project = project;
  }

  request(noun: string): string {
    return say(this.#random.pick(this.#wording.request), { noun });
  }

  report(noun: string): string {
    return say(this.#random.pick(this.#wording.report), { noun });
  }

  step(noun: string): string {
    return say(this.#random.pick(this.#wording.step), { noun });
  }

  constraint(file: SourceFile): Said {
    const value = say(this.#random.pick(this.#wording.protected), { path: file.path });
    return this.#single('constraint', this.#wording.constraint, { value });
  }

  implicitConstraint(): Said {
    const value = say(this.#random.pick(this.#wording.circumstance), { noun: this.#project.noun() });
    return this.#single('implicit-constraint', this.#wording.implicitConstraint, { value });
  }

  preference(): Said {
    const value = say(this.#random.pick(this.#wording.liking), { noun: this.#project.noun() });
    return this.#single('preference', this.#wording.preference, { value });
  }

  decision(by: 'human' | 'model'): Said {
    const [chosen, rejected] = this.#random.pick(CHOICES);
    const noun = this.#project.noun();
    const wordings = by === 'human' ? this.#wording.decision : this.#wording.decisionOfModel;
    return this.#single('decision', wordings, { value: `${chosen} (${noun})`, anchor: rejected });
  }

  number(): Said {
    const anchor = say(this.#random.pick(this.#wording.measured), { noun: this.#project.noun() });
    return this.#single('number', this.#wording.number, { value: this.#figure(), anchor });
  }

  /** A later value of a number that was said before. */
  numberChanged(before: PlantedFact): Said {
    const anchor = before.anchor ?? '';
    const value = before.value.replace(/\d+/, (digits) => String(Number(digits) + 1));
    return this.#single('number', this.#wording.numberChanged, { value, anchor }, { supersedes: before.value }, before);
  }

  todo(): Said {
    this.#todos += 1;
    const value = say(this.#random.pick(this.#wording.task), { noun: this.#project.noun() });
    const id = String(this.#todos);
    return this.#single('todo', this.#wording.todo, { value, id }, { anchor: `#${id}`, done: false });
  }

  todoDone(before: PlantedFact): Said {
    const slots = { value: before.value, id: before.anchor?.slice(1) ?? '' };
    const more = { done: true, anchor: before.anchor ?? '' };
    return this.#single('todo', this.#wording.todoDone, slots, more, before);
  }

  /** A step of a plan. */
  planned(): string {
    return say(this.#random.pick(this.#wording.task), { noun: this.#project.noun() });
  }

  #figure(): string {
    return `${this.#random.integer(11, 97)}${this.#random.integer(1, 9)} ${this.#random.pick(['ms', 'MB', 's'])}`;
  }

  #single(
    kind: PlantedFact['class'],
    wordings: readonly string[],
    slots: Readonly<Record<string, string>>,
    more: Partial<PlantedFact> = {},
    ends?: PlantedFact,
  ): Said {
    const index = this.#random.integer(0, wordings.length - 1);
    const wording = wordings[index] ?? '';
    const text = say(wording, slots);
    const { value = '', anchor } = slots;
    return {
      text: wording.startsWith('{anchor}') ? text.replace(/^\p{Ll}/u, (first) => first.toUpperCase()) : text,
      plant: (script, messageIndex) => {
        if (ends !== undefined) script.end(ends);
        const heldOut = isHeldOut(index, wordings.length);
        script.plant({ class: kind, value, messageIndex, heldOut, ...(anchor !== undefined && { anchor }), ...more });
      },
    };
  }
}
