import type { HandAct, Trigger } from '../../core/compaction/compaction.ts';
import { formatShare, t } from '../../core/language.ts';
import type { WindowSource } from '../../core/model/budget.ts';
import type { GaugeState } from '../../protocol/viewState.ts';

/** A part of a whole as a rounded percentage, e.g. `42%`. A whole of 0 is full. */
export function formatPercent(part: number, whole: number): string {
  return formatShare(whole <= 0 ? 100 : Math.round((part / whole) * 100));
}

/** Why a run started, in words. */
export function triggerWords(trigger: Trigger | HandAct): string {
  switch (trigger) {
    case 'threshold':
      return t('threshold reached');
    case 'message-count':
      return t('many messages');
    case 'trace-size':
      return t('many tool calls');
    case 'command':
      return t('manual');
    case 'overflow':
      return t('the server reported an overflow');
    case 'smaller-model':
      return t('switched to a smaller model');
    case 'hard-limit':
      return t('budget used up');
    case 'dropped':
      return t('dropped by you');
    case 'shortened':
      return t('shortened by you');
    case 'restored':
      return t('restored by you');
  }
}

/** Where a window figure comes from, in words. */
export function windowSourceWords(source: WindowSource): string {
  switch (source) {
    case 'unknown':
      return t('unknown');
    case 'profile':
      return t('from the model profile');
    case 'server':
      return t('from the server');
    case 'error':
      return t('learned from an error');
    case 'setting':
      return t('from the settings');
  }
}

/** Where the figure of used tokens comes from, in words. */
export function usedSourceWords(source: GaugeState['usedSource']): string {
  switch (source) {
    case 'measured':
      return t('measured');
    case 'counted':
      return t('exact count');
    case 'estimated':
      return t('estimated');
  }
}
