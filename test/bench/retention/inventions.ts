import type { ChatMessage } from '../../../src/core/messages/chat.ts';
import { messageTexts, normalize, type ReadView } from './readView.ts';

const TOKEN = /[\p{L}\p{N}_$@][\p{L}\p{N}_$@./:-]*[\p{L}\p{N}_$]/gu;
/** Figures and names that Karl computes: handles, counts of a label, the frame of a note. */
const COMPUTED: readonly RegExp[] = [
  /<\/?karl-history[^>]*>/g,
  /karl_recall\("[^"]*"\)/g,
  /\bt\d+(?:-\d+)?\b/g,
  /\+\d+ more\b/g,
  /\b\d+ (?:messages?|lines?|characters|errors?|images?|tokens)\b/g,
  // `not quoted: 6 Read, 3 of a.ts; 12 Bash`
  /(?<=[:,;] )\d+ (?:of )?\w+(?=[,;\]]|$)/g,
];

/** P4: paths, identifiers, numbers of two or more digits and error codes in new text that the source does not have. */
export function findInvented(view: ReadView, source: SourceTokens): string[] {
  const invented = new Set<string>();
  for (const { text, raw } of view.lines) {
    if (raw) continue;
    let line = text;
    for (const pattern of COMPUTED) line = line.replace(pattern, ' ');
    for (const match of line.matchAll(TOKEN)) {
      // A word that was cut, and says so, is no claim of its own.
      if (line[match.index + match[0].length] === '…') continue;
      for (const claim of claims(match[0])) if (!source.has(claim)) invented.add(claim);
    }
  }
  return [...invented];
}

function claims(token: string): string[] {
  return token.split(PARTS).filter((part) => {
    if (/^\d[\d.]*\d$/.test(part) || /^[A-Z]{1,8}\d{2,6}$/.test(part)) return true;
    return part.length >= 6 && /[a-z][A-Z]|\w_\w/.test(part) ? true : token.includes('/') && part.length > 2;
  });
}

/** Paths are compared folder by folder: a note may name a file by the end of its path. */
const PARTS = /[/:@-]|\.(?=\D)|(?<=\D)\./;

/** The words of the source, whole and in the parts that `findInvented` compares. */
export class SourceTokens {
  readonly #parts = new Set<string>();
  readonly #text: string;

  constructor(source: readonly ChatMessage[]) {
    // The arguments also as they were written: their field names are words of the source.
    const written = source.flatMap(({ tool_calls: calls }) => (calls ?? []).map((call) => call.function.arguments));
    this.#text = normalize([...source.flatMap(messageTexts), ...written].join('\n'));
    for (const [token] of this.#text.matchAll(TOKEN)) {
      this.#parts.add(token);
      for (const part of token.split(PARTS)) this.#parts.add(part);
    }
  }

  has(claim: string): boolean {
    return this.#parts.has(claim) || this.#text.includes(claim);
  }
}
