import type { MessageRange } from '../../messages/message.ts';

/** One statement of a model's note. */
export interface Statement {
  /** As it is in the note, without its citations. */
  readonly text: string;
  /** The messages that it cites; when it cites none itself, those that its line cites. */
  readonly cites: readonly MessageRange[];
  /** The heading of its section; '' before the first. */
  readonly section: string;
}

/** A line of a note: its lead (indentation, list mark) and its statements as they were written. */
export interface NoteLine {
  readonly lead: string;
  readonly parts: readonly { readonly written: string; readonly statement: Statement }[];
}

const HEADING = /^(\s*#{1,6}\s+)(.*)$/;
const LEAD = /^\s*(?:(?:[-*+>]|\d{1,3}[.)])\s+)*(?:\[[ x]\]\s+)?/;
/**
 * A sentence ends where the next one begins with a capital, a digit or a name in code marks; a citation belongs to the
 * sentence before it.
 */
const SENTENCE_END = /(?<=[\p{L}\p{N})\]"'`*][.;!?]["')*]{0,2}(?:\s*\[[^\]\n]{2,80}\])?)\s+(?=[\p{Lu}\p{N}"'`(*])/u;
const CITATION = /(?<!\s)\s*\[((?:t\d{1,9}(?:-t?\d{1,9})?)(?:\s*[,;]\s*t\d{1,9}(?:-t?\d{1,9})?)*)\]/g;

/**
 * Reads a note line by line. Headings are statements too, since they may name things. Blank lines have no statements.
 */
export function readStatements(note: string): NoteLine[] {
  let section = '';
  return note.split('\n').map((line) => {
    const heading = HEADING.exec(line);
    if (heading !== null) {
      section = (heading[2] ?? '').trimEnd();
      return {
        lead: heading[1] ?? '',
        parts: [{ written: section, statement: { text: section, cites: [], section: '' } }],
      };
    }
    const lead = LEAD.exec(line)?.[0] ?? '';
    const body = line.slice(lead.length);
    if (body.replace(CITATION, '').trim() === '') return { lead: line, parts: [] };
    const all = citationsIn(body);
    const parts = body.split(SENTENCE_END).map((written) => {
      const own = citationsIn(written);
      return {
        written,
        statement: { text: written.replace(CITATION, ''), cites: own.length > 0 ? own : all, section },
      };
    });
    return { lead, parts };
  });
}

function citationsIn(text: string): MessageRange[] {
  return [...text.matchAll(CITATION)].flatMap(([, list = '']) =>
    list.split(/[,;]/).flatMap((handle) => {
      const match = /t(\d{1,9})(?:-t?(\d{1,9}))?/.exec(handle);
      if (match === null) return [];
      const from = Number(match[1]);
      const to = match[2] === undefined ? from : Number(match[2]);
      return to < from ? [] : [{ from, to }];
    }),
  );
}
