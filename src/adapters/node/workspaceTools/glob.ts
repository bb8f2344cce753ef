/** A longer glob cannot name any file, and the cost of matching grows with its length. Characters. */
export const LONGEST_GLOB = 256;

/** One step of a glob: a literal character, any one character of a name, or any number of characters. */
type Step =
  | { readonly kind: 'one'; readonly wanted: string | undefined }
  /** `across`: slashes too; `folders`: whole folders, or none. */
  | { readonly kind: 'many'; readonly reach: 'name' | 'across' | 'folders' };

/**
 * Compiles a glob once for many paths (with `/`): `*` within a name, `**` across folders, `?` one character. A glob
 * without `/` is matched against the last name. The time is bounded by the product of the lengths, whatever the glob
 * is: a regular expression made from it could take for ever with many stars.
 */
export function readGlob(glob: string): (path: string) => boolean {
  const steps = readSteps(glob);
  const isPath = glob.includes('/');
  return (path) => matches(isPath ? path : path.slice(path.lastIndexOf('/') + 1), steps);
}

function readSteps(glob: string): readonly Step[] {
  return (glob.match(/\*\*\/|\*\*|./gs) ?? []).map((part): Step => {
    if (part === '**/') return { kind: 'many', reach: 'folders' };
    if (part === '**') return { kind: 'many', reach: 'across' };
    if (part === '*') return { kind: 'many', reach: 'name' };
    return { kind: 'one', wanted: part === '?' ? undefined : part };
  });
}

/** After each step, `reached[end]` is 1 when the steps so far match the first `end` characters. */
function matches(text: string, steps: readonly Step[]): boolean {
  const reached = new Uint8Array(text.length + 1);
  reached[0] = 1;
  for (const step of steps) {
    const isAlive = step.kind === 'one' ? takeOne(reached, text, step.wanted) : takeMany(reached, text, step.reach);
    if (!isAlive) return false;
  }
  return reached[text.length] === 1;
}

function takeOne(reached: Uint8Array, text: string, wanted: string | undefined): boolean {
  let isAlive = false;
  for (let end = text.length; end > 0; end -= 1) {
    const fits = wanted === undefined ? text[end - 1] !== '/' : text[end - 1] === wanted;
    const now = fits && reached[end - 1] === 1;
    reached[end] = now ? 1 : 0;
    isAlive ||= now;
  }
  reached[0] = 0;
  return isAlive;
}

/** Whatever was reached stays reached: "any number" may be none. */
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
