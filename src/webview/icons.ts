import arrowDown from '@vscode/codicons/src/icons/arrow-down.svg';
import prompt from '@vscode/codicons/src/icons/book.svg';
import chevron from '@vscode/codicons/src/icons/chevron-right.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import copy from '@vscode/codicons/src/icons/copy.svg';
import goOn from '@vscode/codicons/src/icons/debug-continue.svg';
import pause from '@vscode/codicons/src/icons/debug-pause.svg';
import stop from '@vscode/codicons/src/icons/debug-stop.svg';
import diff from '@vscode/codicons/src/icons/diff.svg';
import undo from '@vscode/codicons/src/icons/discard.svg';
import edit from '@vscode/codicons/src/icons/edit.svg';
import error from '@vscode/codicons/src/icons/error.svg';
import read from '@vscode/codicons/src/icons/file.svg';
import compressed from '@vscode/codicons/src/icons/fold.svg';
import original from '@vscode/codicons/src/icons/go-to-file.svg';
import history from '@vscode/codicons/src/icons/history.svg';
import info from '@vscode/codicons/src/icons/info.svg';
import reasoning from '@vscode/codicons/src/icons/lightbulb.svg';
import lock from '@vscode/codicons/src/icons/lock.svg';
import note from '@vscode/codicons/src/icons/note.svg';
import pin from '@vscode/codicons/src/icons/pin.svg';
import pinned from '@vscode/codicons/src/icons/pinned.svg';
import redo from '@vscode/codicons/src/icons/redo.svg';
import retry from '@vscode/codicons/src/icons/refresh.svg';
import search from '@vscode/codicons/src/icons/search.svg';
import send from '@vscode/codicons/src/icons/send.svg';
import run from '@vscode/codicons/src/icons/terminal.svg';
import tool from '@vscode/codicons/src/icons/tools.svg';
import drop from '@vscode/codicons/src/icons/trash.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

/** The icons of Karl's view: VS Code's own, as text in the script, so that no font is loaded. */
const ICONS = {
  arrowDown,
  chevron,
  close,
  compressed,
  copy,
  diff,
  drop,
  edit,
  error,
  goOn,
  info,
  lock,
  note,
  original,
  pause,
  pin,
  pinned,
  prompt,
  read,
  reasoning,
  redo,
  retry,
  run,
  search,
  send,
  stop,
  tool,
  undo,
  warning,
  log: history,
  recall: history,
};

/** The name of an icon by its meaning in the view. */
export type IconName = keyof typeof ICONS;

/** A 16 by 16 icon in the text's colour, hidden from screen readers: the button around it has the label. */
export function icon(name: IconName): TemplateResult {
  // One of the set is drawn for 24 pixels.
  const own = '<svg class="icon" aria-hidden="true" width="16" height="16"';
  return html`${unsafeHTML(ICONS[name].replace(/<svg width="\d+" height="\d+"/, own))}`;
}

/** The texts of a button that is an icon. */
interface ButtonNames {
  /** What it does: its tooltip. */
  readonly label: string;
  /** The name for screen readers, with the button's object. */
  readonly name?: string;
  /** A tooltip other than the label, also read by screen readers. */
  readonly hint?: string;
}

/** A button that is an icon. A tooltip that equals the name is not read twice. */
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
