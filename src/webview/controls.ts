import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import * as codicons from './codicons.ts';

const ICONS = { ...codicons };

/** The name of an icon by its meaning in the view. */
export type IconName = keyof typeof ICONS;

/** A 16 by 16 icon in the text's colour, hidden from screen readers: the button around it has the label. */
export function icon(name: IconName): TemplateResult {
  // One of the set is drawn for 24 pixels.
  const own = '<svg class="icon" aria-hidden="true" width="16" height="16"';
  return html`${unsafeHTML(ICONS[name].replace(/<svg width="\d+" height="\d+"/, own))}`;
}

/** An icon that turns when the part that it stands before is unfolded. */
export function chevron(): TemplateResult {
  return html`<span class="chevron">${icon('chevron')}</span>`;
}

/** The texts of a button. */
interface ButtonNames {
  readonly label: string;
  /** The name for screen readers, with the button's object. */
  readonly name?: string | undefined;
  /** The tooltip, also read by screen readers unless the name contains it. */
  readonly hint?: string | undefined;
}

/** A button that is an icon. Its tooltip is the label, unless there is a hint. */
export function iconButton(
  symbol: IconName,
  { label, name = label, hint }: ButtonNames,
  press: () => void,
  kind = '',
): TemplateResult {
  return html`<button
    class="plain ${kind}"
    title=${hint ?? label}
    aria-label=${name}
    aria-description=${hint === undefined ? '' : nothing}
    @click=${press}
  >${icon(symbol)}</button>`;
}

/** A button that looks like a link. `words`: what is written on it, if not the label. */
export function linkButton(
  { label, name, hint }: ButtonNames,
  press: (event: Event) => void,
  kind = '',
  words: unknown = label,
): TemplateResult {
  return html`<button
    class="link ${kind}"
    title=${hint ?? nothing}
    aria-label=${name ?? nothing}
    aria-description=${hint !== undefined && (name ?? label).toLowerCase().includes(hint.toLowerCase()) ? '' : nothing}
    @click=${press}
  >${words}</button>`;
}

/** A button that stands out, or one beside it. */
export function pushButton(
  { label, name, hint }: ButtonNames,
  press: () => void,
  { secondary = true, disabled = false }: { readonly secondary?: boolean; readonly disabled?: boolean } = {},
): TemplateResult {
  return html`<button
    class=${secondary ? 'secondary' : 'primary'}
    ?disabled=${disabled}
    title=${hint ?? nothing}
    aria-label=${name ?? nothing}
    @click=${press}
  >${label}</button>`;
}
