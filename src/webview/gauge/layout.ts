import type { GaugeState } from '../../protocol/viewState.ts';

/** One piece of the bar; the widths of all pieces add up to 100. */
export interface BarPiece {
  readonly kind: 'prompt' | 'tools' | 'notes' | 'messages' | 'free' | 'reserve' | 'closed';
  readonly tokens: number;
  /** Percent of the bar's length. */
  readonly width: number;
}

/** A mark across the bar. */
export interface BarTick {
  readonly kind: 'target' | 'trigger';
  readonly tokens: number;
  /** Percent of the bar's length from its start. */
  readonly at: number;
}

/** From what stays to what changes: the frozen prompt first, the messages last, where the bar grows. */
const ORDER = ['prompt', 'tools', 'notes', 'messages'] as const;

/**
 * Lays the window out on a line. The bar is as long as the window, or as what is used when that is more; the reserve is
 * at its end and is never counted as used; `closed` is the part between an input limit and the reserve.
 */
export function layoutBar(gauge: GaugeState): { pieces: readonly BarPiece[]; ticks: readonly BarTick[] } {
  const length = Math.max(gauge.window, gauge.used, 1);
  const free = Math.max(0, gauge.limit - gauge.used);
  const rest = Math.max(0, length - gauge.used - free);
  const reserve = Math.min(gauge.reserve, rest);
  const percent = (tokens: number) => (tokens / length) * 100;
  const piece = (kind: BarPiece['kind'], tokens: number): BarPiece => ({ kind, tokens, width: percent(tokens) });

  const used = ORDER.map((label) => piece(label, gauge.parts.find((part) => part.label === label)?.tokens ?? 0));
  const pieces = [...used, piece('free', free), piece('closed', rest - reserve), piece('reserve', reserve)];
  const tick = (kind: BarTick['kind'], tokens: number): BarTick => ({
    kind,
    tokens,
    at: Math.min(100, percent(tokens)),
  });
  return {
    pieces: pieces.filter((each) => each.tokens > 0),
    // A window that nobody stated has no threshold.
    ticks: gauge.accepted === undefined ? [tick('target', gauge.target), tick('trigger', gauge.trigger)] : [],
  };
}
