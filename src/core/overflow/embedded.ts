import { parseJson } from '../messages/parseJson.ts';

/** What a string contains: JSON, the prose around it without echoes of the request, codes where JSON does not parse. */
export interface EmbeddedReading {
  readonly values: readonly unknown[];
  readonly text: string;
  readonly codes: readonly string[];
}

/** A key as in the text of an object: `"input":`, `'prompt':`, `input_value=`. Bounded, so it is linear. */
const KEY_IN_TEXT = /\\{0,4}["'](\w{1,40})\\{0,4}["']\s{0,3}:\s{0,3}|\b(input_value|input)=/g;
const CODE_IN_TEXT =
  /\\{0,4}["'](?:code|type|status|reason|error_type)\\{0,4}["']\s{0,3}:\s{0,3}\\{0,4}["']?([\w.-]{2,60})/gi;

/** Separates JSON, whole or in parts, from a string's prose. Removes request echoes, even where they are cut off. */
export function readEmbedded(text: string, echoKeys: RegExp): EmbeddedReading {
  if (/^\s{0,20}"/.test(text) && /"\s{0,20}$/.test(text)) {
    const inner = parseJson(text);
    if (typeof inner === 'string') return { values: [inner], text: '', codes: [] };
  }
  const open = text.search(/\{|\[\s{0,20}\{/);
  const close = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (open >= 0 && close > open) {
    const json = text.slice(open, close + 1);
    // A terminal may have wrapped the JSON: a line break within its strings is then a space.
    const parsed =
      parseJson(json) ?? (json.includes('\n') ? parseJson(json.replace(/\s{0,40}\n\s{0,40}/g, ' ')) : undefined);
    if (typeof parsed === 'object') {
      const around = `${text.slice(0, open)} ${text.slice(close + 1)}`;
      return { values: [parsed], text: /\w/.test(around) ? around : '', codes: [] };
    }
  }
  const prose = dropEchoes(text, echoKeys);
  const codes = [...prose.matchAll(CODE_IN_TEXT)].flatMap(([, code]) =>
    code === undefined ? [] : [code.toLowerCase()],
  );
  return { values: [], text: prose, codes };
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

/** The end of the quoted or bracketed value at `start`; `start` for any other value; the text's end if cut off. */
function endOfValue(text: string, start: number): number {
  const opening = /^\\{0,4}["']|^[[{]/.exec(text.slice(start, start + 5))?.[0];
  if (opening === undefined) return start;
  if (opening !== '{' && opening !== '[') return endOfString(text, start + opening.length, opening);
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = endOfString(text, at + 1, '"') - 1;
    depth += '{['.includes(character) ? 1 : '}]'.includes(character) ? -1 : 0;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** Where the string that `quote` opened ends, past its closing quote. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += text.charAt(at) === '\\' ? 2 : 1) {
    if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}
