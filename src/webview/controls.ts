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
  /** The tooltip. */
  readonly hint?: string | undefined;
}

/** A button. What its tooltip says is not read again where its name says it already. */
function renderButton(
  { label, name, hint }: ButtonNames,
  press: (event: Event) => void,
  kind: string,
  words: unknown = label,
  disabled = false,
): TemplateResult {
  const isRepeated = hint !== undefined && (name ?? label).toLowerCase().includes(hint.toLowerCase());
  return html`<button
    class=${kind}
    ?disabled=${disabled}
    title=${hint ?? nothing}
    aria-label=${name ?? nothing}
    aria-description=${isRepeated ? '' : nothing}
    @click=${press}
  >${words}</button>`;
}

/** A button that is an icon. Its tooltip is the label, unless there is a hint. */
export function iconButton(symbol: IconName, names: ButtonNames, press: () => void, kind = ''): TemplateResult {
  const { label, name = label, hint = label } = names;
  return renderButton({ label, name, hint }, press, `plain ${kind}`, icon(symbol));
}

/** A button that looks like a link. `words`: what is written on it, if not the label. */
export function linkButton(names: ButtonNames, press: () => void, kind = '', words?: unknown): TemplateResult {
  return renderButton(names, press, `link ${kind}`, words);
}

/** A button that stands out, or one beside it. */
export function pushButton(
  names: ButtonNames,
  press: () => void,
  { secondary = true, disabled = false }: { readonly secondary?: boolean; readonly disabled?: boolean } = {},
): TemplateResult {
  return renderButton(names, press, secondary ? 'secondary' : 'primary', names.label, disabled);
}
