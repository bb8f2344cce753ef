import * as vscode from 'vscode';
import { formatNumber, t } from '../../language/language.ts';
import type { ActivityState, GaugeState } from '../../protocol/viewState.ts';
import { formatPercent } from '../present/words.ts';

/** What the status bar shows: a conversation, if one is open, and what runs in it. */
export interface BarState {
  readonly gauge: GaugeState | undefined;
  readonly model: string | undefined;
  readonly activity: ActivityState['kind'];
}

/** The status bar item: the used share of the budget, coloured by level. Its tooltip explains the figures. */
export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('karl.budget', vscode.StatusBarAlignment.Right, 100);
  /** The shown state as JSON, so that VS Code is told only about changes. */
  #shown = '';

  constructor() {
    this.#item.name = t('Karl: context budget');
    this.#showNone();
    this.#item.show();
  }

  /** Shows the newest state. */
  update(state: BarState): void {
    const { gauge, model = '', activity } = state;
    const shown = JSON.stringify(state);
    if (shown === this.#shown) return;
    this.#shown = shown;
    if (gauge === undefined) return void this.#showNone();
    this.#item.command = 'karl.showContents';
    const percent = gauge.accepted === undefined ? formatPercent(gauge.used, gauge.limit) : t('{0} tokens', gauge.used);
    const sign = activity === 'idle' ? '' : activity === 'waiting' ? '$(question) ' : '$(sync~spin) ';
    this.#item.text = `${sign}Karl ${percent}`;
    this.#item.backgroundColor = backgroundOf(gauge.level);
    this.#item.tooltip = describeBudget(gauge, model);
    this.#item.accessibilityInformation = {
      label:
        gauge.accepted === undefined
          ? t('Karl: {0} of the context budget used. {1}', percent, gauge.next)
          : t('Karl: {0} used, the window is unknown. {1}', percent, gauge.next),
    };
  }

  dispose(): void {
    this.#item.dispose();
  }

  #showNone(): void {
    const none = t('Karl: no conversation is open');
    this.#item.text = 'Karl';
    this.#item.tooltip = none;
    // Otherwise screen readers read the text before the tooltip, which begins with it.
    this.#item.accessibilityInformation = { label: none };
    this.#item.backgroundColor = undefined;
    this.#item.command = 'karl.openView';
  }
}

function backgroundOf(level: GaugeState['level']): vscode.ThemeColor | undefined {
  if (level === 'over') return new vscode.ThemeColor('statusBarItem.errorBackground');
  return level === 'due' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
}

/** The tooltip, a plain text: a model's name may come from a server. */
function describeBudget(gauge: GaugeState, model: string): string {
  const row = (name: string, tokens: number, source: string) => `${name}: ${formatNumber(tokens)} (${source})`;
  return [
    model === '' ? t('Context budget') : t('Context budget of {0}', model),
    row(t('used'), gauge.used, gauge.usedSource),
    ...(gauge.accepted === undefined
      ? [
          row(t('budget'), gauge.limit, t('window less reserve')),
          row(t('window'), gauge.window, gauge.windowSource),
          row(t('reserve'), gauge.reserve, t('kept free for the reply')),
        ]
      : [row(t('accepted'), gauge.accepted, t('window unknown'))]),
    ...(gauge.cached === undefined ? [] : [row(t('cached'), gauge.cached, t('reported by the server'))]),
    gauge.next,
  ].join('\n');
}
