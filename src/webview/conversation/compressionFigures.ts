import { html, nothing, type TemplateResult } from 'lit';
import { t } from '../../core/language.ts';
import type { CompressionState, MomentState } from '../../protocol/entries.ts';
import { formatPercent, formatShort, formatTime, percentOf } from '../format.ts';

/** `13.8k → 7.4k · 95% → 51%`: the whole request before and after, as in the gauge. */
export function renderTokens({ before, after, limit }: CompressionState): TemplateResult {
  const title = t('{0} → {1} tokens of the whole request', before, after);
  const [from, to] = [before, after].map((tokens) => formatPercent(percentOf(tokens, limit ?? 0)));
  return html`<span class="tokens figures" title=${title}>
    ${formatShort(before)} → ${formatShort(after)}
    ${limit === undefined ? nothing : html`<span class="muted">${from} → ${to}</span>`}
  </span>`;
}

/** When a compression ran. */
export function renderAt({ at, precision }: MomentState): TemplateResult {
  return html`<time datetime=${at} title=${at}>${formatTime(at, precision)}</time>`;
}
