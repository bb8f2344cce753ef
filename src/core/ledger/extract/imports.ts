import type { Found } from '../found.ts';
import type { Reading } from '../read/reading.ts';

/** Imports stand at the top of a file; this much of a text is looked at, characters. */
const SCANNED = 16_000;
/** A bundle imports hundreds of modules; a file that people write, fewer than this. */
const MOST_IMPORTS = 60;

/** `from './a.js'`, `import './a.css'`, `import('../a.ts')`, `require("./a.json")`: a module of the project by a relative path. */
const IMPORT = /(?:\bfrom|\bimport|\brequire\()[ \t]{0,4}\(?['"](\.{1,2}\/[^'"\s\\]{1,160}\.[A-Za-z]{1,5})['"]/g;

/**
 * Modules that printed or written source files import by a relative path with an ending. They name the neighbours of a
 * file, which an agent that moves or writes code names next. `soft`: the first to go when space is short.
 */
export function findImports(reading: Reading): Found[] {
  return reading.uses.flatMap((use) => {
    const modules = new Set<string>();
    for (const text of [use.result?.text ?? '', ...[...use.fields.text.values()].flat()]) collect(text, modules);
    return [...modules].map(
      (value): Found => ({
        class: 'identifier',
        value,
        key: `import ${value}`,
        strength: 'soft',
        at: use.at,
        by: 'tool',
      }),
    );
  });
}

function collect(text: string, modules: Set<string>): void {
  const start = text.slice(0, SCANNED);
  if (!start.includes("'./") && !start.includes('"./') && !start.includes("'../") && !start.includes('"../')) return;
  for (const [, path] of start.matchAll(IMPORT)) {
    if (modules.size >= MOST_IMPORTS) return;
    if (path !== undefined) modules.add(path);
  }
}
