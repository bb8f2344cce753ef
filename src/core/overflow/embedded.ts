/** A string, read as what it holds. */
export interface EmbeddedReading {
  /** Values parsed from JSON inside the string. */
  readonly values: readonly unknown[];
  /** The prose around them, without the fields that echo a request. */
  readonly text: string;
  /** Codes of `code`, `type` and `status` fields in text that does not parse: Python reprs, truncated JSON. Lower case. */
  readonly codes: readonly string[];
}

/** A key that looks like one of an object in text: `"input":`, `'prompt':`, `input_value=`. Bounded, so linear. */
const KEY_IN_TEXT = /\\{0,4}["'](\w{1,40})\\{0,4}["']\s{0,3}:\s{0,3}|\b(input_value|input)=/g;
const CODE_IN_TEXT =
  /\\{0,4}["'](?:code|type|status|reason|error_type)\\{0,4}["']\s{0,3}:\s{0,3}\\{0,4}["']?([\w.-]{2,60})/gi;

/** Separates JSON, whole or in parts, from the prose of a string; request echoes are dropped even where the JSON is cut off. */
export function readEmbedded(text: string, echoKeys: RegExp): EmbeddedReading {
  const inner = parseString(text);
  if (inner !== undefined) return { values: [inner], text: '', codes: [] };
  const open = text.search(/\{|\[\s{0,20}\{/);
  const close = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (open >= 0 && close > open) {
    const parsed = parseObject(text.slice(open, close + 1));
    if (parsed !== undefined) {
      const around = `${text.slice(0, open)} ${text.slice(close + 1)}`;
      return { values: [parsed], text: /\w/.test(around) ? around : '', codes: [] };
    }
  }
  const prose = dropEchoes(text, echoKeys);
  const codes = [...prose.matchAll(CODE_IN_TEXT)].flatMap((match) =>
    match[1] === undefined ? [] : [match[1].toLowerCase()],
  );
  return { values: [], text: prose, codes };
}

/** A string that was stringified once more. */
function parseString(text: string): string | undefined {
  if (!/^\s{0,20}"/.test(text) || !/"\s{0,20}$/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined; // only quoted
  }
}

/** JSON as it is, or as a terminal wrapped it: a line break within its strings is a blank. */
function parseObject(text: string): object | undefined {
  return (
    parseExactly(text) ?? (text.includes('\n') ? parseExactly(text.replace(/\s{0,40}\n\s{0,40}/g, ' ')) : undefined)
  );
}

function parseExactly(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // not JSON: the caller reads it as prose
  }
}

function dropEchoes(text: string, echoKeys: RegExp): string {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(KEY_IN_TEXT)) {
    const start = match.index + match[0].length;
    const key = match[1] ?? match[2] ?? '';
    if (match.index < from || !echoKeys.test(key)) continue;
    const end = endOfValue(text, start);
    if (end === start || (key === 'param' && /\s/.test(text.slice(start, end)))) continue; // a sentence, no name of a field
    kept += `${text.slice(from, match.index)} `;
    from = end;
  }
  return kept + text.slice(from);
}

/** Where the quoted or bracketed value at `start` ends; `start` itself for any other value; the text's end where it is cut off. */
function endOfValue(text: string, start: number): number {
  const opening = /^\\{0,4}["']|^[[{]/.exec(text.slice(start, start + 5))?.[0];
  if (opening === undefined) return start;
  if (opening !== '{' && opening !== '[') {
    const end = endOfString(text, start + opening.length, opening);
    return end;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1, '"') - 1;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return text.length;
}

/** Where the string that `quote` opened ends, past its closing quote. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    if (text.startsWith(quote, at)) return at + quote.length;
    if (text.charAt(at) === '\\') at += 1;
  }
  return text.length;
}
