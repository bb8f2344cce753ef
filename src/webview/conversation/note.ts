import { LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { linkHandles } from './handles.ts';
import { renderMarkdown } from './markdown.ts';
import { firstLine } from './row.ts';

/** A note of more lines than this is folded; a line is a line of the text, or this many characters of it. */
const MOST_LINES = 14;
const LINE_CHARACTERS = 60;

/** A longer note is parsed in pieces, characters: the cost of Markdown grows faster than the text. */
const PIECE = 20_000;

/** Follows a statement that the conversation does not bear out. */
const UNVERIFIED = '(unverified)';

/** Karl's text in place of earlier messages: Markdown in which every handle leads to its message. */
@customElement('karl-note')
export class KarlNote extends LitElement {
  @property({ attribute: false }) accessor text = '';
  /** How many raw messages there were when it was written. */
  @property({ attribute: false }) accessor transcriptLength = 0;

  /** Drawn into the light tree of its parent, whose styles apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): Node {
    const note = document.createDocumentFragment();
    note.append(...splitNote(this.text).map((piece) => renderMarkdown(piece, 'note')));
    linkHandles(note, this.transcriptLength);
    for (const mark of note.querySelectorAll('em')) if (mark.textContent === UNVERIFIED) mark.className = 'unverified';
    return note;
  }
}

/** Pieces that begin with a heading or a list item, so that none is torn apart. */
function splitNote(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const { index } of text.matchAll(/\n(?=#{1,6} |- )/g)) {
    if (index - start < PIECE) continue;
    pieces.push(text.slice(start, index));
    start = index + 1;
  }
  return [...pieces, text.slice(start)];
}

/** Whether a note would push what was said out of sight. */
export function isLongNote(text: string): boolean {
  const lines = text.split('\n').reduce((sum, line) => sum + 1 + Math.floor(line.length / LINE_CHARACTERS), 0);
  return lines > MOST_LINES;
}

/** The start of a note as one line, without the marks of Markdown. */
export function previewNote(text: string): string {
  const start = document.createDocumentFragment();
  start.append(renderMarkdown(text.slice(0, 400), 'note'));
  // A line break has no text of its own.
  for (const end of start.querySelectorAll('br')) end.replaceWith(' ');
  return firstLine(start.textContent ?? '');
}
