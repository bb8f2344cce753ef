import { html, nothing, type TemplateResult } from 'lit';

/**
 * A path that is cut at its beginning where there is little room, so that the name of the file can be read. It stays
 * one text, which can be found.
 */
export function renderPath(path: string): TemplateResult {
  return html`<span class="path ellipsis"><bdi dir="ltr">${path}</bdi></span>`;
}

/** A label; one that ends with a path is cut first as `renderPath` cuts it, then at the end of what stands before it. */
export function renderLabel(label: string, path: string | undefined): TemplateResult | string {
  if (path === undefined) return label;
  const before = label.slice(0, label.length - path.length);
  const name = before === '' ? nothing : html`<span class="ellipsis">${before}</span>`;
  return html`<span class="ending">${name}${renderPath(path)}</span>`;
}
