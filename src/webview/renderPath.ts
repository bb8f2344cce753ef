import { html, type TemplateResult } from 'lit';

/** A path of which the folders are cut where there is little room, not the name of the file; it stays one text, which can be found. */
export function renderPath(path: string): TemplateResult {
  return html`<span class="path ellipsis"><bdi dir="ltr">${path}</bdi></span>`;
}
