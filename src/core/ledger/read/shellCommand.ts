import { remember } from '../remember.ts';

/** One simple command of a shell script: its words without quotes, and the files that its output is redirected to. */
export interface SimpleCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

/** How much of a script is read. Characters. */
const LONGEST_SCRIPT = 20_000;

/**
 * Splits a shell script into its simple commands, in one pass. Understands quotes, escapes, redirections and
 * here-documents (which it skips); keeps substitutions and control words as words.
 */
export const parseShell: (script: string) => readonly SimpleCommand[] = remember(splitScript, 3);

function splitScript(script: string): SimpleCommand[] {
  const source = script.slice(0, LONGEST_SCRIPT);
  const commands: SimpleCommand[] = [];
  let words: string[] = [];
  let writesTo: string[] = [];
  let word = '';
  let quoted = false;
  let redirect: '>' | '<' | undefined;
  const heredocs: string[] = [];

  const endWord = (): void => {
    if (word === '' && !quoted) return;
    if (redirect === '>') writesTo.push(word);
    else if (redirect === undefined) words.push(word);
    redirect = undefined;
    word = '';
    quoted = false;
  };
  const endCommand = (): void => {
    endWord();
    if (words.length > 0 || writesTo.length > 0) commands.push({ words, writesTo });
    words = [];
    writesTo = [];
  };

  for (let i = 0; i < source.length; i++) {
    const char = source[i] ?? '';
    if (char === "'" || char === '"') {
      const end = closingQuote(source, i, char);
      word += char === '"' ? source.slice(i + 1, end).replace(/\\(["\\$`])/g, '$1') : source.slice(i + 1, end);
      quoted = true;
      i = end;
    } else if (char === '\\') {
      word += /[\s"'\\$`()&;|<>*?[\]{}#!~]/.test(source[i + 1] ?? '')
        ? (source[i + 1] ?? '').replace('\n', '')
        : `\\${source[i + 1] ?? ''}`;
      i += 1;
    } else if (char === '#' && word === '' && !quoted && /\s|^$/.test(source[i - 1] ?? '')) {
      const end = source.indexOf('\n', i);
      i = (end < 0 ? source.length : end) - 1;
    } else if (char === '\n') {
      endCommand();
      i = skipHeredocs(source, i, heredocs);
    } else if (char === ';' || char === '|' || char === '&') {
      if (char === '&' && (source[i + 1] === '>' || redirect !== undefined)) continue;
      endCommand();
    } else if (char === '>' || char === '<') {
      if (/^\d$/.test(word)) word = '';
      endWord();
      if (char === '<' && source[i + 1] === '<') {
        const mark = /^<<-?\s*(['"]?)([\w-]+)\1/.exec(source.slice(i, i + 80));
        if (mark !== null) {
          heredocs.push(mark[2] ?? '');
          i += mark[0].length - 1;
          continue;
        }
      }
      if (source[i + 1] === char) i += 1;
      redirect = char;
    } else if (/\s/.test(char)) {
      endWord();
    } else {
      word += char;
    }
  }
  endCommand();
  return commands;
}

function closingQuote(source: string, start: number, quote: string): number {
  for (let i = start + 1; i < source.length; i++) {
    if (source[i] === quote) return i;
    if (quote === '"' && source[i] === '\\') i += 1;
  }
  return source.length;
}

/** Skips the bodies of the here-documents that were opened on the line ending at `lineEnd`. */
function skipHeredocs(source: string, lineEnd: number, heredocs: string[]): number {
  let at = lineEnd;
  for (const mark of heredocs.splice(0)) {
    while (at < source.length) {
      const next = source.indexOf('\n', at + 1);
      const line = source.slice(at + 1, next < 0 ? source.length : next);
      at = next < 0 ? source.length : next;
      if (line.trim() === mark) break;
    }
  }
  return at;
}

const HERE_DOCUMENT = /<<-?\s*(['"]?)([\w-]{1,40})\1[^\n]*\n/g;

/** The bodies of a script's here-documents, without their marks. An unclosed one ends with the script. */
export function hereDocuments(script: string): string[] {
  const bodies: string[] = [];
  HERE_DOCUMENT.lastIndex = 0;
  for (let match = HERE_DOCUMENT.exec(script); match !== null; match = HERE_DOCUMENT.exec(script)) {
    const start = HERE_DOCUMENT.lastIndex;
    let end = start;
    while (end < script.length) {
      const next = script.indexOf('\n', end);
      const line = script.slice(end, next < 0 ? script.length : next);
      if (line.trim() === match[2]) break;
      end = next < 0 ? script.length : next + 1;
    }
    bodies.push(script.slice(start, end));
    HERE_DOCUMENT.lastIndex = end;
  }
  return bodies;
}
