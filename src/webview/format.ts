const WHOLE = new Intl.NumberFormat('en-US');

/** 12408 → "12,408": exact, for figures that stand for themselves. */
export function formatTokens(tokens: number): string {
  return WHOLE.format(Math.round(tokens));
}

/** 12408 → "12.4k": short, for figures beside text. Under a thousand exact. */
export function formatShort(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 99_950) return `${(tokens / 1000).toFixed(1).replace('.0', '')}k`;
  if (tokens < 999_500) return `${Math.round(tokens / 1000)}k`;
  return `${(tokens / 1_000_000).toFixed(1).replace('.0', '')}M`;
}

/** Share of a whole in percent, rounded; an empty whole is 0% when nothing is used and 100% otherwise. */
export function percentOf(part: number, whole: number): number {
  if (whole <= 0) return part > 0 ? 100 : 0;
  return Math.round((part / whole) * 100);
}

/** 87 → "87%". */
export function formatPercent(percent: number): string {
  return `${percent}%`;
}

/** An ISO time as "14:32" today and "Nov 20, 14:32" before, in local time; what is no time is shown as it came. */
export function formatTime(iso: string, now: Date = new Date()): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
  if (at.toDateString() === now.toDateString()) return time;
  return `${new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' }).format(at)}, ${time}`;
}
