import { fileActions } from '../../ledger/read/fileActions.ts';
import { isDocument } from '../../ledger/read/paths.ts';
import { readBlock } from '../../ledger/read/reading.ts';
import { hereDocuments } from '../../ledger/read/shellCommand.ts';
import type { ToolUse } from '../../ledger/read/toolUse.ts';
import type { Block } from '../../messages/blocks.ts';
import { namesIn } from './namesIn.ts';
import { isHuman, plain } from './sources.ts';

/** What some blocks show to be so, as opposed to what is only planned or asked. */
export interface Evidence {
  /** The sentences of human and agent that are not questions. */
  readonly said: readonly string[];
  /** The agent's messages after one of the human's that is among the blocks. */
  readonly answers: readonly string[];
  readonly acts: readonly Act[];
}

/** A use of a tool that has its result. */
export interface Act {
  readonly use: ToolUse;
  /** The tool's name, its command and its arguments, without text that it wrote into a document. */
  readonly called: readonly string[];
  readonly printed: string;
}

const QUESTION = /[?\uff1f\u061f]\W*$/;

/**
 * Reads the evidence in some blocks. What a call writes into a document or a message (a plan, a prompt, the steps of a
 * test) only says what somebody intends, and so does its result; a document that `statement` names counts, because the
 * statement is about it.
 */
export function evidenceIn(blocks: readonly Block[], statement: string): Evidence {
  const named = namesIn(statement).flatMap(({ base }) => base ?? []);
  const readings = blocks.map((block) => readBlock(block, undefined));
  const uses = readings.flatMap((reading) => reading.uses);
  return {
    said: readings
      .flatMap(({ human = '', model = '' }) => [human, model])
      .concat(uses.flatMap(({ result }) => result?.reply ?? []))
      .flatMap(sentencesOf)
      .filter((sentence) => !QUESTION.test(sentence)),
    answers: blocks
      .slice(blocks.some(isHuman) ? blocks.findIndex(isHuman) : blocks.length)
      .flatMap((block) => (block.kind === 'assistant' ? [block.messages[0].text] : [])),
    acts: uses.filter(({ result }) => result !== undefined).map((use) => readAct(use, named)),
  };
}

/** The sentences and lines of a text. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:;])\s+|\n/);
}

/** Whether everything a statement names was said, called or printed. */
export function isShown(statement: string, { said, acts }: Evidence): boolean {
  const shown = plain([...said, ...acts.flatMap(({ called, printed }) => [...called, printed])].join('\n'));
  return namesIn(statement).every(({ forms, base = forms[0] }) =>
    [...forms, base].some((form) => form !== undefined && shown.includes(form)),
  );
}

function readAct(use: ToolUse, named: readonly string[]): Act {
  const files = fileActions(use).map(({ path }) => path);
  const isText = files.length > 0 && files.every((path) => isDocument(path));
  if (isText && !files.some((path) => named.some((name) => path.toLowerCase().endsWith(name))))
    return { use, called: [use.name, ...files], printed: '' };
  const { command = '' } = use;
  const bare = hereDocuments(command).reduce((left, text) => left.replace(text, () => ''), command);
  const fields = [...use.fields.text.values()].flat().filter((field) => field !== command);
  return { use, called: [use.name, bare, ...fields], printed: use.result?.text ?? '' };
}
