import { html, type TemplateResult } from 'lit';

/**
 * A path that is cut at its beginning where there is little room, so that the name of the file can be read. It stays
 * one text, which can be found.
 */
export function renderPath(path: string): TemplateResult {
  return html`<span class="path ellipsis"><bdi dir="ltr">${path}</bdi></span>`;
}

/** A label; when it ends with a path, that is cut as `renderPath` cuts it and what stands before it is not cut. */
export function renderLabel(label: string, path: string | undefined): TemplateResult | string {
  if (path === undefined) return label;
  return html`<span class="ending">${label.slice(0, label.length - path.length)}${renderPath(path)}</span>`;
}
