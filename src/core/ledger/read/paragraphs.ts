/** A heading, an item of a list, or a paragraph of a document. */
export interface Paragraph {
  readonly text: string;
  /** The depth of a heading; absent for text. */
  readonly heading?: number;
  /** True for an item of a list. */
  readonly item: boolean;
}

/** The depth of a line in bold letters, which heads what follows it. */
export const BOLD = 7;

/** A line shorter than this ends where its writer wanted it to, characters. */
const WRAPPED = 50;
const LONGEST_LINE = 2000;

const ITEM = /^\s{0,12}(?:[-*+•]|\d{1,2}[.)])\s+\S/;
const FENCE = /^\s{0,8}(?:```|~~~)/;
/** `# a`, `== a`, `**a**`. */
const HEADING = /^\s{0,3}(#{1,6}|={2,6})\s+(\S.{0,100})$/;
const BOLD_HEADING = /^\s{0,3}(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)[:：]?\s{0,4}$/;
/** The line under a heading. */
const UNDERLINE = /^\s{0,3}(={3,80}|-{3,80}|~{3,80})\s{0,4}$/;

/**
 * The parts of a document in their order. Lines that a writer wrapped are joined again; blocks of code are left out, and
 * so are lines that only rule off.
 */
export function paragraphsOf(document: string): Paragraph[] {
  const found: Paragraph[] = [];
  let open: { text: string; item: boolean; last: string } | undefined;
  const close = (): void => {
    for (const text of open === undefined ? [] : bodiesIn(open.text)) found.push({ text, item: open?.item ?? false });
    open = undefined;
  };
  let fenced = false;
  for (const full of document.split('\n')) {
    const line = full.length > LONGEST_LINE ? full.slice(0, LONGEST_LINE) : full;
    if (FENCE.test(line)) fenced = !fenced;
    if (fenced || line.trim() === '' || FENCE.test(line)) {
      close();
      continue;
    }
    const heading = HEADING.exec(line) ?? BOLD_HEADING.exec(line);
    if (heading !== null) {
      close();
      const [, mark = '', text] = heading;
      found.push({ text: (text ?? mark).trim(), heading: text === undefined ? BOLD : mark.length, item: false });
      continue;
    }
    const under = UNDERLINE.exec(line)?.[1];
    if (under !== undefined) {
      const text = open?.item === false && open.text.length < 80 && open.text === open.last ? open.text : undefined;
      if (text === undefined) close();
      else {
        open = undefined;
        found.push({ text: text.trim(), heading: under.startsWith('=') ? 1 : 2, item: false });
      }
      continue;
    }
    const item = ITEM.test(line);
    if (open === undefined || item || !isWrapped(open.last)) {
      close();
      open = { text: line, item, last: line };
    } else open = { ...open, text: `${open.text.trimEnd()} ${line.trim()}`, last: line };
  }
  close();
  return found;
}

function isWrapped(line: string): boolean {
  return line.length >= WRAPPED && !/[.!?:;…。！？：；|]["')\]*_`]{0,3}\s{0,2}$/.test(line);
}

/** What people wrote in the fields of an answer in JSON; any other text as it is. */
function bodiesIn(text: string): string[] {
  if (!/^\s{0,40}[[{"]/.test(text) || !text.includes('":')) return [text];
  const bodies = text.matchAll(
    /"(?:body\w{0,8}|text|content|description|comment|message|summary|note|notes|title|value)"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.){4,1900})/gi,
  );
  return [...bodies].map(([, body = '']) => body.replace(/\\n/g, '\n').replace(/\\(["\\/])/g, '$1'));
}
