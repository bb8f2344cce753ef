import type { HandAct, Trigger } from '../../core/compaction/compaction.ts';

/** A token figure as people read it: 12,400. */
export function formatTokens(tokens: number): string {
  // By hand: the first use of the locale's own rules takes as long as a whole snapshot.
  return String(Math.round(tokens)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** A part of a whole as a rounded percentage, e.g. `42%`. A whole of 0 is full. */
export function formatPercent(part: number, whole: number): string {
  return `${whole <= 0 ? 100 : Math.round((part / whole) * 100)}%`;
}

/** A time of day, milliseconds since 1970: `14:32`. */
export function formatClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** Why a run started, in words. */
export const TRIGGER_WORDS: Readonly<Record<Trigger | HandAct, string>> = {
  threshold: 'threshold reached',
  'message-count': 'many messages',
  'trace-size': 'long tool trace',
  command: 'by command',
  overflow: 'the server reported an overflow',
  'smaller-model': 'switched to a smaller model',
  'hard-limit': 'budget used up',
  dropped: 'dropped by you',
  shortened: 'shortened by you',
  restored: 'restored by you',
};
