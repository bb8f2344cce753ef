import { formatShare, t } from '../../core/language.ts';
import '@vscode-elements/elements/dist/vscode-button/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { PreviewIntent } from '../../protocol/fromWebview.ts';
import type { PreviewState } from '../../protocol/preview.ts';
import { type IconName, icon } from '../icons.ts';

/** The ways on from a preview. `isWriting`: a summary is open to be edited, which is to be ended first. */
export function renderButtons(
  { busy, problem, cures = [], asked, notNow = asked ? 'ask' : undefined, plan }: PreviewState,
  isWriting: boolean,
  ask: (intent: PreviewIntent) => void,
): TemplateResult {
  return html`${
    isWriting
      ? html`<p class="problem remark" role="status">
          ${icon('info')}<span>${t('Use or discard the text that you are writing, then apply.')}</span>
        </p>`
      : nothing
  }
  <div class="buttons">
    <vscode-button
      ?disabled=${busy || problem !== undefined || plan === undefined || isWriting}
      @click=${() => ask({ type: 'preview-apply' })}
      >${t('Apply')}</vscode-button
    >
    ${
      busy
        ? nothing
        : cures.map(
            (cure) =>
              html`<vscode-button secondary @click=${() => ask({ type: 'preview-mend', cure })}>${cure}</vscode-button>`,
          )
    }
    ${
      (problem === undefined && cures.length === 0) || busy
        ? nothing
        : renderShort('retry', t('Preview Again'), () => ask({ type: 'preview-again' }))
    }
    ${
      notNow === undefined
        ? nothing
        : html`<vscode-button
            secondary
            title=${
              notNow === 'ask'
                ? t(
                    'Continue without compressing; Karl asks again when {0} more of the budget is used',
                    formatShare(10),
                  )
                : t(
                    'Continue without compressing; Karl compresses when {0} more of the budget is used',
                    formatShare(10),
                  )
            }
            @click=${() => ask({ type: 'preview-close', answer: 'not-now' })}
            >${t('Not Now')}</vscode-button
          >`
    }
    ${renderShort('close', t('Cancel'), () => ask({ type: 'preview-close' }))}
  </div>`;
}

/** A button that is no more than its symbol where the view is narrow. */
function renderShort(symbol: IconName, label: string, act: () => void): TemplateResult {
  return html`<vscode-button secondary class="short" title=${label} aria-label=${label} aria-description="" @click=${act}
    ><span class="word">${label}</span>${icon(symbol)}</vscode-button
  >`;
}
