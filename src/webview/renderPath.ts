import { html, type TemplateResult } from 'lit';

/** A path of which the folders are cut where there is little room, not the name of the file; any other text as it is. */
export function renderPath(text: string): TemplateResult | string {
  const end = /\s/.test(text) ? 0 : Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\'));
  if (end <= 0) return text;
  return html`<span class="path"><span class="ellipsis">${text.slice(0, end)}</span><span class="file ellipsis">${text.slice(end)}</span></span>`;
}
