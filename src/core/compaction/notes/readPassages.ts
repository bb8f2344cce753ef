import { readBlock } from '../../ledger/read/reading.ts';
import type { ToolUse } from '../../ledger/read/toolUse.ts';
import type { Block } from '../../messages/blocks.ts';
import type { Passage, Variant } from './passage.ts';
import { quote, quoteLine } from './quote.ts';
import { editedPath, mergeUses, stepPassage } from './useSteps.ts';

/** Lengths of quoted prose, in characters. Closing reports get up to 8,000: shorter cuts lost what they reported. */
const REPORT = { short: 600, middle: 2500, long: 8000 };
const SAID = { short: 600, long: 2000 };
/** In less than this the agent only announces its next step. Characters. */
const ANNOUNCEMENT = 80;
/** A figure, a name with inner structure (a path, `camelCase`, a version), or something quoted as code. */
const NAMED = /\p{N}|`|[\p{L}\p{N}][/\\._:@#][\p{L}\p{N}]|\p{Ll}\p{Lu}/u;

/** What is left of an element when the tool use inside it is removed. */
const EMPTY_ELEMENT = /<([\w-]{1,40})[^<>]{0,200}>\s*<\/\1>/g;

/** Cached by block: blocks never change, and several runs read the same ones. */
const READ = new WeakMap<Block, { readonly next: Block | undefined; readonly said: readonly Passage[] }>();

/** The passages of a block. `next` is the block after it: agents without tool calls get their results as a message. */
export function readPassages(block: Block, next: Block | undefined): readonly Passage[] {
  const known = READ.get(block);
  if (known !== undefined && known.next === next) return known.said;
  const said = read(block, next);
  READ.set(block, { next, said });
  return said;
}

function read(block: Block, next: Block | undefined): readonly Passage[] {
  const { model, uses } = readBlock(block, next);
  const range = { from: block.range.from, to: block.range.from };
  const passages: Passage[] = [];
  const prose = model === undefined ? '' : withoutUses(model, uses);
  const steps = joinEdits(uses).map(stepPassage);
  if (prose !== '' && uses.length === 0) passages.push({ range, variants: reported(prose) });
  else if (prose !== '') passages.push({ range, ...spoken(prose, steps) });
  return [...passages, ...steps];
}

/** The edits that one message makes to one file, joined into one use: many of them say almost the same. */
function joinEdits(uses: readonly ToolUse[]): readonly ToolUse[] {
  const edits = new Map<string, ToolUse>();
  const joined: (ToolUse | string)[] = [];
  for (const use of uses) {
    const path = editedPath(use);
    const known = path === undefined ? undefined : edits.get(path);
    if (path === undefined) joined.push(use);
    else if (known === undefined) {
      edits.set(path, use);
      joined.push(path);
    } else edits.set(path, mergeUses(known, use));
  }
  return joined.flatMap((use) => (typeof use === 'string' ? (edits.get(use) ?? []) : use));
}

function reported(text: string): Variant[] {
  return variantsOf(text, ['report', REPORT.short], ['whole report', REPORT.middle], ['whole report', REPORT.long]);
}

function spoken(text: string, steps: readonly Passage[]): Pick<Passage, 'variants' | 'key'> {
  if (text.length >= ANNOUNCEMENT && NAMED.test(text))
    return { variants: variantsOf(text, ['said', SAID.short], ['said in full', SAID.long]) };
  // Prose between two steps that names nothing only announces the next step or a wait. When the same steps are made
  // again, only what was said with the newest counts.
  const keys = steps.flatMap(({ key }) => key ?? []);
  const key = keys.length === steps.length ? { key: `beside ${keys.join('\n')}` } : {};
  return { variants: [{ tier: 'said in full', text: quoteLine(text, SAID.short) }], ...key };
}

function variantsOf(text: string, ...lengths: readonly [Variant['tier'], number][]): Variant[] {
  const variants = lengths.map(([tier, limit]) => ({ tier, text: quote(text, limit) }));
  // A copy, since an array that grew by `push` keeps capacity for up to sixteen more.
  return variants.filter((variant, index) => variant.text !== variants[index - 1]?.text).slice();
}

/** The prose of a model that writes its tool uses as text, without those uses: the steps list them. */
function withoutUses(text: string, uses: readonly { readonly fromCall: boolean; readonly source: string }[]): string {
  let prose = text;
  for (const { fromCall, source } of uses) if (!fromCall && source !== '') prose = prose.replace(source, () => '');
  return prose.replace(EMPTY_ELEMENT, '').trim();
}
