import { html, type TemplateResult } from 'lit';
import { t } from '../core/language.ts';
import type { ViewState } from '../protocol/viewState.ts';
import { icon } from './icons.ts';
import { ask } from './intent.ts';
import './compressButton.ts';

/** The title of the open conversation, with the log and the ways to compress. `from`: the element that asks. */
export function renderTitle(
  { activity, gauge }: ViewState,
  { title, readOnly }: NonNullable<ViewState['conversation']>,
  from: EventTarget,
): TemplateResult {
  const compressing = activity.kind === 'compacting' ? t('Karl is compressing. Wait or press Stop.') : undefined;
  const locked = readOnly ?? compressing;
  const pressing = gauge?.level === 'due' || gauge?.level === 'over';
  const log = t("Open today's log");
  return html`<div class="title">
    <h1 class="ellipsis" dir="auto" title=${title}>${title}</h1>
    <button class="plain" title=${log} aria-label=${log} aria-description="" @click=${() => ask(from, { type: 'open-log' })}>
      ${icon('log')}
    </button>
    <karl-compress-button
      .pressing=${pressing}
      .disabled=${locked !== undefined}
      .hint=${locked ?? t('Compress the conversation now')}
    ></karl-compress-button>
  </div>`;
}
