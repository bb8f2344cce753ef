import type { Block } from '../messages/blocks.ts';
import type { MessageId } from '../messages/message.ts';
import { eachInSteps, runAtOnce, type Steps } from '../steps.ts';
import { changesIn } from './changes.ts';
import { findCommands } from './extract/commands.ts';
import { findConstraints } from './extract/constraints.ts';
import { findErrors } from './extract/errors.ts';
import { findFilesChanged, findFilesRead } from './extract/files.ts';
import { findProjectRules } from './extract/projectRules.ts';
import { findTestStates } from './extract/testState.ts';
import { findTodos } from './extract/todos.ts';
import type { Fact } from './fact.ts';
import type { Found } from './found.ts';
import type { Ledger } from './ledger.ts';
import { type Reading, readBlock } from './read/reading.ts';
import { supersede } from './supersede.ts';

/**
 * The extractors, in the order in which facts of one block are listed; when two report the same fact, the later one
 * counts.
 */
const EXTRACTORS: readonly ((reading: Reading) => Found[])[] = [
  findProjectRules,
  findConstraints,
  findTodos,
  findFilesRead,
  findFilesChanged,
  findCommands,
  findTestStates,
  findErrors,
];

/** An empty ledger. It reads each block once, when it is complete; a block that changed since is read again. */
export function createLedger(): Ledger {
  return new BlockLedger();
}

class BlockLedger implements Ledger {
  /** The blocks read so far, with what was found in each. */
  readonly #read: ReadBlock[] = [];
  /**
   * What follows from all of them. A new object after every change, so that sums begun before a change do not count
   * after it.
   */
  #sums: { facts?: readonly Fact[]; changes?: readonly MessageId[] } = {};

  get blocksRead(): number {
    return this.#read.length;
  }

  update(blocks: readonly Block[], upTo = blocks.length): void {
    this.#forgetChanged(blocks);
    for (let index = this.#read.length; index < upTo; index++) {
      const block = blocks[index];
      if (block === undefined || (block.kind === 'tools' && block.open)) break;
      this.#read.push(runAtOnce(extractInSteps(block, blocks[index + 1])));
      this.#forgetSums();
    }
  }

  *settle(): Steps<void> {
    yield* this.#sumFacts();
    yield* this.#sumChanges();
  }

  facts(): readonly Fact[] {
    return runAtOnce(this.#sumFacts());
  }

  changes(): readonly MessageId[] {
    return runAtOnce(this.#sumChanges());
  }

  *#sumFacts(): Steps<readonly Fact[]> {
    const sums = this.#sums;
    sums.facts ??= yield* supersede(yield* this.#found());
    return sums.facts;
  }

  *#sumChanges(): Steps<readonly MessageId[]> {
    const sums = this.#sums;
    sums.changes ??= yield* changesIn(yield* this.#found());
    return sums.changes;
  }

  *#found(): Steps<Found[]> {
    const all: Found[] = [];
    yield* eachInSteps(this.#read.slice(), ({ found }) => all.push(...found));
    return all;
  }

  #forgetSums(): void {
    this.#sums = {};
  }

  /** Forgets blocks that have changed, and an assistant block whose answer has come since. */
  #forgetChanged(blocks: readonly Block[]): void {
    for (let last = this.#read.at(-1); last !== undefined; last = this.#read.at(-1)) {
      const index = this.#read.length - 1;
      const same = blocks[index] === last.block;
      if (same && (last.block.kind !== 'assistant' || blocks[index + 1] === last.next)) return;
      this.#read.pop();
      this.#forgetSums();
      if (same) return;
    }
  }
}

/** A block, the block that it was read together with, and what was found in it. */
interface ReadBlock {
  readonly block: Block;
  readonly next: Block | undefined;
  readonly found: readonly Found[];
}

/** A cache, so that a label for many blocks does not read them again. Blocks never change. */
const READ = new WeakMap<Block, ReadBlock>();

const NOTHING: readonly Found[] = [];

/** The facts of one block, regardless of earlier and later ones. */
export function extract(block: Block, next?: Block): readonly Found[] {
  return runAtOnce(extractInSteps(block, next)).found;
}

/** The same with a pause after each extractor: the first blocks have to compile all regular expressions. */
export function* extractInSteps(block: Block, next?: Block): Steps<ReadBlock> {
  // Only an assistant's text without calls is read together with the block after it.
  const after = block.kind === 'assistant' ? next : undefined;
  const known = READ.get(block);
  if (known !== undefined && known.next === after) return known;
  const reading = readBlock(block, after);
  const latest = new Map<string, Found>();
  for (const find of EXTRACTORS) {
    for (const fact of find(reading)) {
      const key = `${fact.class}\n${fact.key}`;
      latest.delete(key);
      latest.set(key, fact);
    }
    yield;
  }
  const found = latest.size === 0 ? NOTHING : [...latest.values()].sort((a, b) => a.at - b.at);
  const made = { block, next: after, found };
  READ.set(block, made);
  return made;
}
