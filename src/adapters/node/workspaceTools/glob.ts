import { expand } from 'brace-expansion';

/** A longer glob cannot match any file name, and would only be slow. Characters. */
export const LONGEST_GLOB = 256;

/** The most globs that braces and commas may expand to; further ones are left out. */
const MOST_GLOBS = 64;

/** One step of a glob: one character of a name, or any number of characters. */
type Step =
  | { readonly kind: 'one'; readonly fits: (character: string) => boolean }
  /** `name`: within a name; `across`: slashes too; `folders`: whole folders, or none. */
  | { readonly kind: 'many'; readonly reach: 'name' | 'across' | 'folders' };

/**
 * Compiles globs as VS Code and ripgrep read them, for paths with `/`: `*` within a name, `**` across folders, `?` one
 * character, `[a-z]`, `{a,b}`, several globs separated by commas, `!` for exclusions, a trailing `/` for everything below
 * a folder. A glob without `/` matches the last name; a leading `./` or `/` anchors it at the start. The time is bounded
 * by the product of the lengths, whereas a regular expression made from many stars could take for ever.
 */
export function readGlob(globs: string): (path: string) => boolean {
  const all = splitList(globs).flatMap((glob) => {
    const isWithout = glob.startsWith('!');
    return expand(isWithout ? glob.slice(1) : glob, { max: MOST_GLOBS }).map((one) => ({
      isWithout,
      fits: readOne(one),
    }));
  });
  const [without, wanted] = [true, false].map((is) =>
    all.slice(0, MOST_GLOBS).filter(({ isWithout }) => isWithout === is),
  );
  return (path) =>
    (wanted?.length === 0 || wanted?.some(({ fits }) => fits(path)) === true) &&
    without?.some(({ fits }) => fits(path)) !== true;
}

/** The globs of a list: commas inside braces belong to a glob. */
function splitList(globs: string): readonly string[] {
  const list = [''];
  let depth = 0;
  for (const character of globs) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (character === ',' && depth <= 0) list.push('');
    else list[list.length - 1] += character;
  }
  return list.map((glob) => glob.trim()).filter((glob) => glob !== '');
}

function readOne(glob: string): (path: string) => boolean {
  const isRooted = /^\.?\//.test(glob);
  const plain = glob.replace(/^(?:\.\/)+|^\/+/, '');
  const whole = plain.endsWith('/') ? `${plain}**` : plain;
  const steps = readSteps(whole);
  const isPath = isRooted || whole.includes('/');
  return (path) => matches(isPath ? path : path.slice(path.lastIndexOf('/') + 1), steps);
}

function readSteps(glob: string): readonly Step[] {
  return (glob.match(/\*\*\/|\*\*|\[[!^]?[^\]/][^\]/]*\]|./gs) ?? []).map((part): Step => {
    if (part === '**/') return { kind: 'many', reach: 'folders' };
    if (part === '**') return { kind: 'many', reach: 'across' };
    if (part === '*') return { kind: 'many', reach: 'name' };
    if (part === '?') return { kind: 'one', fits: (character) => character !== '/' };
    return { kind: 'one', fits: part.length > 2 && part.startsWith('[') ? readClass(part) : (one) => one === part };
  });
}

/** `[a-z_]`, `[!0-9]`. */
function readClass(part: string): (character: string) => boolean {
  const isNot = /^\[[!^]/.test(part);
  const ranges = [...part.slice(isNot ? 2 : 1, -1).matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, only = '']) => [from ?? only, to ?? only] as const,
  );
  return (one) => one !== '/' && ranges.some(([from, to]) => from <= one && one <= to) !== isNot;
}

/** After each step, `reached[end]` is 1 when the steps so far match the first `end` characters. */
function matches(text: string, steps: readonly Step[]): boolean {
  const reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const step of steps) {
    const isAlive = step.kind === 'one' ? takeOne(reached, text, step.fits) : takeMany(reached, text, step.reach);
    if (!isAlive) return false;
  }
  return reached[text.length] === 1;
}

function takeOne(reached: Uint8Array, text: string, fits: (character: string) => boolean): boolean {
  let isAlive = false;
  for (let end = text.length; end > 0; end -= 1) {
    const now = reached[end - 1] === 1 && fits(text.charAt(end - 1));
    reached[end] = now ? 1 : 0;
    isAlive ||= now;
  }
  reached[0] = 0;
  return isAlive;
}

/** Everything reached stays reached, since "any number" may be none. */
function takeMany(reached: Uint8Array, text: string, reach: 'name' | 'across' | 'folders'): boolean {
  let isOpen = false;
  for (let end = 0; end <= text.length; end += 1) {
    const isBehindFolder = end > 0 && text[end - 1] === '/';
    if (isBehindFolder && reach === 'name') isOpen = false;
    const before = reached[end] === 1;
    isOpen ||= before;
    reached[end] = before || (isOpen && (reach !== 'folders' || isBehindFolder)) ? 1 : 0;
  }
  return true;
}
