import { parseJson } from '../../messages/parseJson.ts';

/** Fields in which tools that answer with JSON put a program's output. */
const PRINTED = /^(?:\w{0,20}(?:output|stdout|stderr|std_?out|std_?err)|out|err|logs?|console)$/i;

/** JSON with more fields is data in itself, not a wrapper around output. */
const MOST_FIELDS = 8;

/** Longer results are not unwrapped. Characters. */
const LONGEST_WRAPPED = 400_000;

/** A file printed as a code block with its name in the first line. */
const FENCED_FILE = /^```[\w+-]{0,20}\r?\n(?=(?:\/\/|#|--|<!--|\/\*) ?filepath: )/;

/**
 * What a program or file says, without what a tool wraps around it: JSON is reduced to the fields for output
 * (`{"output":"…","metadata":{"exit_code":1}}`), other JSON gets its multi-line strings unfolded, and a code block
 * around a file is removed. Any other result, or one too long to unwrap at once, is returned as it is.
 */
export function readPrinted(result: string): string {
  if (result.length > LONGEST_WRAPPED) return result;
  if (FENCED_FILE.test(result.slice(0, 80))) {
    return result
      .replace(FENCED_FILE, '')
      .replace(/^[^\n]*\n/, '')
      .replace(/\n```\s*$/, '');
  }
  if (!/^\s*[[{]/.test(result)) return result;
  return printedFields(result) ?? unfold(result);
}

function printedFields(result: string): string | undefined {
  if (!/^\s*\{\s*"/.test(result) || !/\}\s*$/.test(result.slice(-40))) return undefined;
  const parsed = parseJson(result);
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const fields = Object.entries(parsed);
  if (fields.length > MOST_FIELDS) return undefined;
  const printed = fields.flatMap(([name, value]) => (PRINTED.test(name) && typeof value === 'string' ? [value] : []));
  return printed.length === 0 ? undefined : printed.join('\n');
}

/** JSON, complete or cut off, with each multi-line string on lines of its own; the rest stays. */
function unfold(result: string): string {
  if (!/^\s*(?:\{\s*"|\[\s*[{"])/.test(result) || !result.includes('\\n')) return result;
  let unfolded = '';
  let kept = 0;
  for (let open = result.indexOf('"'); open >= 0; ) {
    const { end, lines } = stringEnd(result, open);
    if (lines) {
      const literal = result.slice(open, end);
      const text = parseJson(literal.endsWith('"') ? literal : `${literal.replace(/\\[^\\]{0,5}$/, '')}"`);
      if (typeof text === 'string') {
        unfolded += `${result.slice(kept, open)}\n${text}\n`;
        kept = end;
      }
    }
    open = result.indexOf('"', end);
  }
  return kept === 0 ? result : unfolded + result.slice(kept);
}

/** The end of the JSON string that begins at `start`, and whether it contains a line break. */
function stringEnd(json: string, start: number): { readonly end: number; readonly lines: boolean } {
  let lines = false;
  for (let at = start + 1; at < json.length; at++) {
    const char = json[at];
    if (char === '"') return { end: at + 1, lines };
    if (char !== '\\') continue;
    at += 1;
    if (json[at] === 'n') lines = true;
  }
  return { end: json.length, lines };
}
