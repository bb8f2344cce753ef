import { html, nothing, type TemplateResult } from 'lit';
import type { CompressionState } from '../../protocol/entries.ts';
import { formatPercent, formatShort, formatTime, formatTokens, percentOf } from '../format.ts';

/** `13.8k → 7.4k · 95% → 51%`: the whole request before and after, as in the gauge. */
export function renderTokens({ before, after, limit }: CompressionState): TemplateResult {
  const title = `${formatTokens(before)} → ${formatTokens(after)} tokens of the whole request`;
  const [from, to] = [before, after].map((tokens) => formatPercent(percentOf(tokens, limit ?? 0)));
  return html`<span class="tokens figures" title=${title}>
    ${formatShort(before)} → ${formatShort(after)}
    ${limit === undefined ? nothing : html`<span class="muted">${from} → ${to}</span>`}
  </span>`;
}

/** When a compression ran. */
export function renderAt(at: string): TemplateResult {
  return html`<time datetime=${at} title=${at}>${formatTime(at)}</time>`;
}
