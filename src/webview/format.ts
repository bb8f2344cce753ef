import { html, nothing, type TemplateResult } from 'lit';
import { formatMoment, formatShare, language } from '../language/language.ts';

/** 12408 → "12.4k". Exact below a thousand. */
export function formatShort(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 99_950) return `${oneDigit(tokens / 1000)}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${oneDigit(tokens / 1_000_000)}M`;
}

function oneDigit(value: number): string {
  return value.toLocaleString(language(), { maximumFractionDigits: 1 });
}

/** Share of a whole in percent, rounded; an empty whole is 0% when nothing is used and 100% otherwise. */
export function percentOf(part: number, whole: number): number {
  if (whole <= 0) return part > 0 ? 100 : 0;
  return Math.round((part / whole) * 100);
}

/** A share as "87%"; as "<1%" when it is more than nothing and would round to nothing. */
export function formatPart(part: number, whole: number): string {
  const percent = percentOf(part, whole);
  return part > 0 && percent === 0 ? `<${formatShare(1)}` : formatShare(percent);
}

/** An ISO time as "14:32:07" today and "Nov 20, 14:32:07" before, in local time; other texts are unchanged. */
export function formatTime(iso: string): string {
  const at = new Date(iso).getTime();
  return Number.isNaN(at) ? iso : formatMoment(at, true);
}

/** A path that is cut at its beginning if there is little room, but remains one text that can be found. */
export function renderPath(path: string): TemplateResult {
  return html`<span class="path ellipsis"><bdi dir="ltr">${path}</bdi></span>`;
}

/** A label that may end with a path. The path is cut first, then the text before it. */
export function renderLabel(label: string, path: string | undefined): TemplateResult | string {
  if (path === undefined) return label;
  const before = label.slice(0, label.length - path.length);
  const name = before === '' ? nothing : html`<span class="ellipsis">${before}</span>`;
  return html`<span class="ending">${name}${renderPath(path)}</span>`;
}
