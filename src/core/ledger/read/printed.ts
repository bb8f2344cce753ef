import { parseJson } from '../../messages/parseJson.ts';

/** Fields in which a tool that answers with JSON puts what its program printed. */
const PRINTED = /^(?:\w{0,20}(?:output|stdout|stderr|std_?out|std_?err)|out|err|logs?|console)$/i;

/** An answer with more fields than this is data of its own, not a wrapper. */
const MOST_FIELDS = 8;

/** Longer results are not taken apart, characters. */
const LONGEST_WRAPPED = 400_000;

/** A file that a tool prints as a block of code with its name in the first line. */
const FENCED_FILE = /^```[\w+-]{0,20}\r?\n(?=(?:\/\/|#|--|<!--|\/\*) ?filepath: )/;

/**
 * What a program or file says, without what a tool wraps it in: the fields of JSON that name printed text
 * (`{"output":"…","metadata":{"exit_code":1}}`), any other JSON with its texts of several lines unfolded, the block of
 * code around a file. Any other result as it is, and one that is too long to be taken apart in one go.
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

/** JSON, whole or cut short, with each text of several lines on lines of its own; what stands around it stays. */
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

/** Where the string of JSON that opens at `start` ends, and whether it holds a line break. */
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
