/** A number in a sentence. */
export interface Figure {
  /** As written, with its unit: `1,250 rows` has `1,250`, `30 s` is whole. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** True when the sentence gives it only as what was: "from 30 to 45", "45 instead of 30", "45 (was 30)". */
  readonly past: boolean;
}

/** Letters that continue a word: scripts that write without blanks put particles and counters right behind a figure. */
const LETTER = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{Script=Arabic}\\p{Script=Hebrew}';
const UNIT = `(?:\\s?(?:ms|µs|us|ns|s|sec|secs|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|k?b|[kmgt]i?b|[kmgt]ib|bytes?|bits?|%|percent|prozent|px|pt|em|rem|hz|khz|mhz|ghz|fps|rps|qps|req/s|rpm|tokens?|[kmx]|°c?|€|\\$|usd|eur|sekunden?|minuten?|stunden?|tage?|mal|fois|secondes?|heures?|jours?|segundos?|minutos?|horas?|дней|секунд|минут|мс|мб|тыс|[万億亿만억]?(?:毫秒|秒|分钟|小时|天|次|个|条|行|字节|兆|页|台|倍|ミリ秒|件|回|本|개|건|번|회|명|줄|초|분|시간|일|배|행)|[万億亿만억])(?![${LETTER}\\p{N}]))?`;
const NUMBER = new RegExp(
  `(?<![\\p{L}\\p{N}_.,/#@\\\\-]|[\\d/]:|\\.\\w{1,10}:)(?:[vV]?\\d{1,3}(?:[,\\u202f '’]\\d{3})+|[vV]?\\d+)(?:[.,]\\d+){0,3}${UNIT}(?![${LETTER}\\p{N}_/:@-]|\\.\\d)`,
  'giu',
);
const CJK_NUMBER = new RegExp(
  `(?<=[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])\\d+(?:[.,]\\d+){0,3}${UNIT}(?![${LETTER}\\p{N}_/@-])`,
  'giu',
);

/** The numbers of a sentence in their order. At least one of them is not `past`. */
export function findFigures(sentence: string): Figure[] {
  const found = new Map<number, string>();
  for (const pattern of [NUMBER, CJK_NUMBER]) {
    for (const match of sentence.matchAll(pattern)) found.set(match.index, match[0].trim());
  }
  const figures = [...found]
    .sort(([a], [b]) => a - b)
    .map(([start, value]) => ({ start, value, end: start + value.length }));
  if (figures.length < 2) return figures.map((figure) => ({ ...figure, past: false }));
  const past = figures.map((figure, index) => isPast(sentence, figure, figures[index + 1]));
  const allPast = past.every(Boolean);
  return figures.map((figure, index) => ({ ...figure, past: !allPast && past[index] === true }));
}

/** Words before a number that another one replaces: it is what was. */
const REPLACED_BEFORE =
  /(?:(?:down|up) from|instead of|rather than|in place of|no longer|previously|formerly|originally|\(was|, was|\(from|\bused to be|\bold(?: value)?:?|\bnot|statt|anstatt|anstelle von|vorher|zuvor|bisher|früher|nicht mehr|\bnicht|au lieu de|auparavant|\(avant|contre|non plus|en lugar de|en vez de|\bantes|ya no(?: es| son)?|ao invés de|em vez de|invece di|\bprima|in plaats van|вместо|раньше|(?:^|[^\p{L}])было|а не|而不是|不再是|不是|原来是?|之前是?|以前是?|原本是?|旧值|대신)[\s:=]{0,3}(?:it |was |is |at |war |waren |était |era |eran |de |d[’'])?$/iu;
/** A number after one of these and before a connector is where a change began. */
const FROM_BEFORE =
  /(?:^|[^\p{L}])(?:(?:from|von|vom)(?: \p{L}{1,12})?|de|du|desde|da|dal|van|z|od|с|со|от)\s*$|[从由自]\s*$/iu;
const TO_BETWEEN =
  /^[\s,)]*(?:\p{L}{1,12}\s)?(?:(?:down |up )?(?:to|auf)(?: \p{L}{1,12})?|zu|à|a|al|para|até|naar|до|на|do|na)\s*$|^.{0,4}(?:到|至|为|成|改|调|升|降|增|减|提|涨|跌).{0,5}$/iu;
const ARROW_BETWEEN = /^[\s`"')\]]*(?:→|->|=>|⇒|➜|から|에서)[\s`"'([]*$/u;
/** "30 before, 45 now". */
const PAST_AFTER =
  /^[\s,]*(?:before(?:hand)?|previously|earlier|vorher|zuvor|früher|avant|auparavant|antes|prima|раньше|до этого)(?=[\s,;.)]|$)/iu;

function isPast(
  sentence: string,
  figure: { start: number; end: number },
  next: { start: number } | undefined,
): boolean {
  const before = sentence.slice(Math.max(0, figure.start - 40), figure.start);
  const after = sentence.slice(figure.end, figure.end + 40);
  if (REPLACED_BEFORE.test(before) || PAST_AFTER.test(after)) return true;
  if (next === undefined) return false;
  const between = sentence.slice(figure.end, next.start);
  return ARROW_BETWEEN.test(between) || (FROM_BEFORE.test(before) && TO_BETWEEN.test(between));
}

/** What a number is counted in, as far as two numbers of different kinds cannot be about the same. */
export function dimensionOf(value: string): string | undefined {
  const unit = value.replace(/^[vV]?[\d.,\s\u202f'’]+/, '').toLowerCase();
  return DIMENSIONS.find(([pattern]) => pattern.test(unit))?.[1];
}

const DIMENSIONS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:ms|µs|us|ns|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|days?|weeks?|sek|min|stund|tage?|second|heure|jour|segund|hora|секунд|минут|дней|мс|毫秒|秒|分钟|小时|天|ミリ秒|초|분|시간|일)/,
    'time',
  ],
  [/^(?:[kmgt]?i?b|bytes?|мб|字节|兆)$/, 'size'],
  [/^(?:%|percent|prozent)$/, 'share'],
  [/^(?:rps|qps|req\/s|fps|rpm|[kmg]?hz)$/, 'rate'],
  [/^tokens?$/, 'tokens'],
];
