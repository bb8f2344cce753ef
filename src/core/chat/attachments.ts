import type { ChatMessage, ChatPart } from './wire.ts';

/** What the user attaches to a message: a file or some of its lines, or an image as a `data:` URL. */
export type Attachment =
  | { readonly kind: 'file'; readonly path: string; readonly lines?: LineRange; readonly text: string }
  | { readonly kind: 'image'; readonly url: string };

/** Lines counted from 1, both ends included. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

const START = '\n\n<attachment path="';
const HEADER = /<attachment path="([^"\n]*)"(?: lines="(\d{1,9})-(\d{1,9})")?>\n/y;
const END = '\n</attachment>';

/** The most places in a text that are tried as the start of its attachments. */
const MOST_TRIES = 20;

/**
 * The content of a user message: the typed text, then each file as an element, and images as parts. A file is data:
 * nothing in it can end its element or begin another.
 */
export function attach(typed: string, attachments: readonly Attachment[]): string | readonly ChatPart[] {
  const text = typed + attachments.map((one) => (one.kind === 'file' ? writeFile(one) : '')).join('');
  const images = attachments.flatMap((one) =>
    one.kind === 'image' ? [{ type: 'image_url', image_url: { url: one.url } }] : [],
  );
  return images.length === 0 ? text : [{ type: 'text', text }, ...images];
}

/** Splits content that `attach` made. All other content counts as typed. */
export function readAttachments(content: ChatMessage['content']): {
  readonly typed: string;
  readonly attachments: readonly Attachment[];
} {
  if (typeof content === 'string') return readFiles(content);
  const [first, ...rest] = content ?? [];
  const images = rest.map(readImage);
  if (first?.type !== 'text' || typeof first.text !== 'string' || images.includes(undefined)) {
    return { typed: '', attachments: [] };
  }
  const { typed, attachments } = readFiles(first.text);
  return { typed, attachments: [...attachments, ...images.filter((image) => image !== undefined)] };
}

function writeFile({ path, lines, text }: Extract<Attachment, { kind: 'file' }>): string {
  const range = lines === undefined ? '' : ` lines="${lines.from}-${lines.to}"`;
  const inside = text.replace(/<(?=\/?attachment\b)/gi, '&lt;');
  return `${START}${path.replace(/["<>\n]/g, '_')}"${range}>\n${inside}${END}`;
}

function readFiles(text: string): { readonly typed: string; readonly attachments: readonly Attachment[] } {
  let at = text.indexOf(START);
  for (let tries = 0; at >= 0 && tries < MOST_TRIES; tries += 1) {
    const attachments = readElements(text, at);
    if (attachments !== undefined) return { typed: text.slice(0, at), attachments };
    at = text.indexOf(START, at + 1);
  }
  return { typed: text, attachments: [] };
}

/** The elements from a position to the end of the text; `undefined` if there is anything else. */
function readElements(text: string, from: number): readonly Attachment[] | undefined {
  const found: Attachment[] = [];
  for (let at = from; at < text.length; ) {
    HEADER.lastIndex = at + 2;
    const header = text.startsWith(START, at) ? HEADER.exec(text) : null;
    if (header === null) return undefined;
    const [whole, path = '', first, last] = header;
    const start = header.index + whole.length;
    // In an empty file, the line end before END belongs to the header already.
    const end = text.indexOf(END, start - 1);
    if (end < 0) return undefined;
    const lines = first === undefined ? {} : { lines: { from: Number(first), to: Number(last) } };
    found.push({ kind: 'file', path, ...lines, text: text.slice(start, Math.max(start, end)) });
    at = end + END.length;
  }
  return found;
}

function readImage(part: ChatPart): Attachment | undefined {
  const image = part.image_url;
  if (part.type !== 'image_url' || typeof image !== 'object' || image === null || !('url' in image)) return undefined;
  return typeof image.url === 'string' ? { kind: 'image', url: image.url } : undefined;
}
