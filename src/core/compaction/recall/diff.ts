/** Larger edits are shown as all old lines followed by all new ones: comparing every pair would take too long. */
const MOST_PAIRS = 250_000;

/** What an edit changed, line by line: `- ` removed, `+ ` added, two spaces for what stayed. Nothing is left out. */
export function diffLines(before: string, after: string): string[] {
  const old = before === '' ? [] : before.split('\n');
  const now = after === '' ? [] : after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const same = (line: string): string => `  ${line}`;
  return [
    ...old.slice(0, start).map(same),
    ...changed(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map(same),
  ];
}

function changed(old: readonly string[], now: readonly string[]): string[] {
  if (old.length * now.length > MOST_PAIRS) return [...old.map(removed), ...now.map(added)];
  const common = commonLengths(old, now);
  const lines: string[] = [];
  let left = 0;
  let right = 0;
  while (left < old.length || right < now.length) {
    const [before = '', after = ''] = [old[left], now[right]];
    if (left < old.length && right < now.length && before === after) {
      lines.push(`  ${before}`);
      left += 1;
      right += 1;
    } else if (
      right >= now.length ||
      (left < old.length && at(common, left + 1, right) >= at(common, left, right + 1))
    ) {
      lines.push(removed(before));
      left += 1;
    } else {
      lines.push(added(after));
      right += 1;
    }
  }
  return lines;
}

/** For each pair of positions, the length of the longest common subsequence of the lines from there on. */
function commonLengths(old: readonly string[], now: readonly string[]): number[][] {
  const rows = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0));
  for (let left = old.length - 1; left >= 0; left -= 1)
    for (let right = now.length - 1; right >= 0; right -= 1) {
      const row = rows[left];
      if (row === undefined) continue;
      row[right] =
        old[left] === now[right]
          ? at(rows, left + 1, right + 1) + 1
          : Math.max(at(rows, left + 1, right), at(rows, left, right + 1));
    }
  return rows;
}

function at(rows: readonly (readonly number[])[], left: number, right: number): number {
  return rows[left]?.[right] ?? 0;
}

function removed(line: string): string {
  return `- ${line}`;
}

function added(line: string): string {
  return `+ ${line}`;
}
