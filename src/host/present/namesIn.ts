/** The most names of one text that are looked for. */
const MOST_NAMES = 20;

/**
 * What a text names after an `@`, each with all that may be meant, the likeliest first: what ends a sentence, a bracket
 * or a quotation may follow a path, and so may lines (`:3-9`, `#L3`); a slash before it may stand for the folder.
 */
export function namesIn(text: string): readonly (readonly string[])[] {
  const found = [...text.matchAll(/(?<=^|[\s([{"'`])@([^\s@]\S{0,500})/gu)];
  const names = new Set(found.map(([, name = '']) => name.replaceAll('\\', '/')));
  return [...names].slice(0, MOST_NAMES).map((name) => {
    const bare = name.replace(/[^\p{L}\p{N}_]+$/u, '');
    const ways = new Set([name, bare, bare.replace(/[:#]L?\d+(?:-L?\d+)?$/, '')]);
    return [...ways].flatMap((way) => [way, ...(way.startsWith('/') ? [way.slice(1)] : [])]).filter(Boolean);
  });
}
