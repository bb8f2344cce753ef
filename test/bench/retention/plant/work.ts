import type { PlantedFact } from '../fact.ts';
import type { Random } from '../random.ts';
import type { Project, SourceFile } from './code.ts';
import type { Dialect, PlanItem, ToolUse } from './dialects.ts';
import type { Script } from './script.ts';
import { HELD_OUT } from './wording.ts';

/** Commands that a turn ends with; `{noun}` makes each unique. */
const COMMANDS = [
  'npm test -- {noun}',
  'pytest -q tests/{noun}',
  'cargo test {noun}',
  'go test ./{noun}/...',
  'make check-{noun}',
  'bundle exec rspec spec/{noun}',
];

/** Figures that a program prints at its end, by the name of what they measure. */
const MEASURES = [
  '{noun}.pool_size = ',
  'p95 latency of {noun}: ',
  '{noun} max_connections: ',
  '"{noun}-timeout": ',
  'Total {noun} entries written: ',
  '{noun} heap after run ... ',
];

/** Lets an invented agent work on an invented project and plants what its tools did. */
export class Work {
  readonly #random: Random;
  readonly #project: Project;
  readonly #dialect: Dialect;
  #plan: { item: PlanItem; fact: PlantedFact }[] = [];

  constructor(random: Random, project: Project, dialect: Dialect) {
    this.#random = random;
    this.#project = project;
    this.#dialect = dialect;
  }

  /** Files are read; the output also has names that are almost theirs. */
  read(script: Script, step: string, files: readonly SourceFile[], characters: number): void {
    const uses = files.map((file) => {
      const content = this.#project.filler(characters / files.length);
      return this.#dialect.read(file.path, `// see also ${file.path.replace(/(\.\w+)$/, '-old$1')}\n${content}`);
    });
    const first = script.tools(step, uses);
    for (const file of files) this.#plant(script, 'file-read', file.path, first - 1);
  }

  /** A file is changed: names are declared in it. */
  change(script: Script, file: SourceFile): void {
    const identifier = this.#project.identifier(file);
    const before = this.#project.declare(file.path, this.#project.identifier(file));
    const after = this.#project.declare(file.path, identifier);
    const use = this.#random.chance(0.8)
      ? this.#dialect.change(file.path, before, after)
      : this.#dialect.create(file.path, `${after}\n${this.#project.filler(600)}`);
    const index = script.tools('', [use]) - 1;
    this.#plant(script, 'file-changed', file.path, index);
    this.#plant(script, 'identifier', identifier, index);
  }

  /** A file gets a new name; only that counts from then on. */
  rename(script: Script, file: SourceFile): SourceFile {
    const renamed = { noun: file.noun, path: file.path.replace(/(\.\w+)$/, '-next$1') };
    const index = script.tools('', [this.#dialect.rename(file.path, renamed.path)]) - 1;
    const old = script.latest().find((fact) => fact.class === 'file-changed' && fact.value === file.path);
    for (const fact of script
      .latest()
      .filter(({ class: kind, value }) => value === file.path && (kind === 'file-changed' || kind === 'file-read')))
      script.end(fact);
    script.plant({
      class: 'file-changed',
      value: renamed.path,
      messageIndex: index,
      heldOut: this.#dialect.heldOut,
      ...(old !== undefined && { supersedes: file.path }),
    });
    return renamed;
  }

  /** A command runs: it fails with an error and a test state, or it passes. */
  run(script: Script, file: SourceFile, characters: number): void {
    const command = this.#random.pick(COMMANDS).replace('{noun}', file.noun);
    const fails = this.#random.chance(0.6);
    const index = script.next;
    const parts = [this.#project.log(characters * this.#random.next(), file)];
    const planted: (() => void)[] = [];
    if (this.#random.chance(0.4)) {
      const measure = this.#random.integer(0, MEASURES.length - 1);
      const anchor = (MEASURES[measure] ?? '').replace('{noun}', file.noun);
      const value = `${this.#random.integer(11, 97)}${this.#random.integer(1, 9)}`;
      parts.push(`${anchor}${value}`, this.#project.log(400, file));
      planted.push(() => {
        const heldOut = isHeldOut(measure, MEASURES.length);
        script.plant({ class: 'number', value, anchor: anchor.trim(), messageIndex: index + 1, heldOut });
      });
    }
    if (fails) {
      const format = this.#random.integer(0, ERROR_FORMATS - 1);
      const name = this.#project.identifier(file);
      const error = printError(format, { path: file.path, line: this.#random.integer(12, 480), name });
      parts.push(error.text, this.#project.log(characters / 2, file));
      planted.push(() => {
        const fact = { value: error.line, messageIndex: index + 1, heldOut: isHeldOut(format, ERROR_FORMATS) };
        const newest = script.newest('newest-error');
        if (newest !== undefined) script.end(newest);
        script.plant({ ...fact, class: 'error' });
        script.plant({ ...fact, class: 'newest-error' });
      });
      const tests = this.#random.integer(0, TEST_FORMATS - 1);
      const line = printTests(tests, this.#random.integer(1, 9), this.#random.integer(20, 400));
      parts.push(line);
      planted.push(() => {
        script.plant({
          class: 'test-state',
          value: line.trim(),
          messageIndex: index + 1,
          heldOut: isHeldOut(tests, TEST_FORMATS),
        });
      });
    }
    script.tools('', [this.#dialect.run(command, parts.join('\n'), fails ? this.#random.pick([1, 2, 101]) : 0)]);
    this.#plant(script, 'command', command, index);
    for (const plant of planted) plant();
  }

  /** The agent writes its plan anew: a new step, and the oldest open one done. A step that is left out ends. */
  plan(script: Script, step: string): void {
    const write = this.#dialect.plan;
    if (write === undefined) return;
    const open = this.#plan.findIndex(({ item }) => item.state === 'pending');
    const items: PlanItem[] = this.#plan
      .map(({ item }, index) => ({ ...item, state: index === open ? ('completed' as const) : item.state }))
      .slice(-4);
    items.push({ text: step, state: 'pending' });
    const index = script.tools('', [write(items)]) - 1;
    for (const { fact } of this.#plan) script.end(fact);
    this.#plan = items.map((item) => ({
      item,
      fact: script.plant({
        class: 'todo',
        value: item.text,
        done: item.state === 'completed',
        messageIndex: index,
        heldOut: this.#dialect.heldOut,
      }),
    }));
  }

  /** A result that holds a secret and an instruction that nobody may follow. */
  canaries(script: Script, secret: string, instruction: string): void {
    const content = `${this.#project.filler(900)}\nAPI_TOKEN=${secret}\n# ${instruction}\n${this.#project.filler(900)}`;
    script.tools('', [this.#dialect.read('config/local.env', content)]);
  }

  /** A tool use that plants nothing. */
  look(script: Script, step: string, file: SourceFile, characters: number): void {
    const output = this.#project.log(characters, file);
    const uses: ToolUse[] = [this.#dialect.run(`git log --stat -- ${file.path}`, output, 0)];
    script.tools(step, uses);
  }

  #plant(
    script: Script,
    kind: 'file-read' | 'file-changed' | 'identifier' | 'command',
    value: string,
    index: number,
  ): void {
    for (const fact of script.latest()) {
      // A file read again or changed after it was read is one fact, at its newest place.
      if (fact.value === value && (fact.class === kind || (kind === 'file-changed' && fact.class === 'file-read')))
        script.end(fact);
    }
    script.plant({ class: kind, value, messageIndex: index, heldOut: this.#dialect.heldOut });
  }
}

/** An error as a tool prints it: the line that is the fact, and the lines around it. */
export interface PrintedError {
  readonly line: string;
  readonly text: string;
}

/** The last are held out, like the last wordings of prose. */
const ERRORS: readonly ((at: { path: string; line: number; name: string }) => PrintedError)[] = [
  ({ path, line, name }) => {
    const text = `${path}(${line},5): error TS2345: Argument of type '${name}Options' is not assignable to parameter of type 'string'.`;
    return { line: text, text };
  },
  ({ path, line, name }) => ({
    line: `ValueError: ${name} expects a mapping`,
    text: `Traceback (most recent call last):\n  File "${path}", line ${line}, in main\n    ${name}(payload)\nValueError: ${name} expects a mapping`,
  }),
  ({ path, line, name }) => ({
    line: `error[E0308]: mismatched types in \`${name}\``,
    text: `error[E0308]: mismatched types in \`${name}\`\n  --> ${path}:${line}:9\n   |`,
  }),
  ({ path, line, name }) => ({
    line: `${path}:${line}:2: undefined: ${name}`,
    text: `# module\n${path}:${line}:2: undefined: ${name}`,
  }),
  ({ path, line, name }) => ({
    line: `AssertionError: ${name} returned undefined`,
    text: `  1) ${name}\n     AssertionError: ${name} returned undefined\n      at Context.<anonymous> (${path}:${line}:11)`,
  }),
  ({ path, line, name }) => ({
    line: `'${name}' is assigned a value but never used`,
    text: `/repo/${path}\n  ${line}:7  error  '${name}' is assigned a value but never used  no-unused-vars\n\n✖ 1 problem (1 error, 0 warnings)`,
  }),
  ({ path, line, name }) => ({
    line: `java.lang.IllegalStateException: ${name} is closed`,
    text: `Exception in thread "main" java.lang.IllegalStateException: ${name} is closed\n\tat app.Main.run(${path.split('/').at(-1)}:${line})`,
  }),
  ({ path, line, name }) => ({
    line: `** (KeyError) key :${name} not found`,
    text: `** (KeyError) key :${name} not found\n    (app 0.1.0) ${path}:${line}: App.run/1`,
  }),
  ({ path, line, name }) => ({
    line: `PHP Fatal error:  Uncaught TypeError: ${name}() got null`,
    text: `PHP Fatal error:  Uncaught TypeError: ${name}() got null in /repo/${path}:${line}\nStack trace:\n#0 {main}`,
  }),
  ({ path, line, name }) => ({
    line: `Can't locate object method "${name}" via package "App"`,
    text: `Can't locate object method "${name}" via package "App" at ${path} line ${line}.`,
  }),
];

/** Summaries of test runners. */
const TESTS: readonly ((failed: number, passed: number) => string)[] = [
  (failed, passed) => `Tests:       ${failed} failed, ${passed} passed, ${failed + passed} total`,
  (failed, passed) => `========= ${failed} failed, ${passed} passed in 4.21s =========`,
  (failed, passed) => `test result: FAILED. ${passed} passed; ${failed} failed; 0 ignored; 0 measured; 0 filtered out`,
  (failed, passed) => `  ${passed} passing (2s), ${failed} failing`,
  (failed, passed) => `Tests run: ${failed + passed}, Failures: ${failed}, Errors: 0, Skipped: 0`,
  (failed, passed) => `${failed + passed} examples, ${failed} failures`,
];

export const ERROR_FORMATS = ERRORS.length;
export const TEST_FORMATS = TESTS.length;

export function printError(format: number, at: { path: string; line: number; name: string }): PrintedError {
  const print = ERRORS[format];
  if (print === undefined) throw new RangeError(`no error format ${format}`);
  return print(at);
}

export function printTests(format: number, failed: number, passed: number): string {
  const print = TESTS[format];
  if (print === undefined) throw new RangeError(`no test format ${format}`);
  return print(failed, passed);
}

/** True for the last of `length` alternatives. */
export function isHeldOut(index: number, length: number): boolean {
  return index >= length - HELD_OUT;
}
