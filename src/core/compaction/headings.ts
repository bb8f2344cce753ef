/** A heading of Markdown, or a line that is nothing but bold. */
const HEADING = /^(?:#{1,6}[ \t]+(\S[^\n]{0,120})|(?:\d{1,2}\.[ \t]+)?\*\*([^*\n]{2,120})\*\*:?[ \t]*)$/gm;

/**
 * The headings in `left`, a part that is left out of a text, on one line of at most `limit` characters; '' when it has
 * none.
 */
export function headingsIn(left: string, limit: number): string {
  let told = '';
  for (const [, title, bold] of left.matchAll(HEADING)) {
    const next = (title ?? bold ?? '').replace(/[*`#]+/g, '').trim();
    if (told.length + next.length + 3 > limit) break;
    told += `${told === '' ? '' : ' · '}${next}`;
  }
  return told;
}
