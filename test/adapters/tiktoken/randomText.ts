/** Seeded random numbers (mulberry32), so that a failing string can be reproduced. */
export function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, offset) => String.fromCodePoint(from + offset));

/** Single characters and short strings, by script or kind; together they reach every branch of both patterns. */
export const ALPHABETS: Readonly<Record<string, readonly string[]>> = {
  ascii: range(0x00, 0x7f),
  letters: ['a', 'e', 'z', 'A', 'Q', 'Z', 'the', 'The', 'HTTP', 'getName', 'x', ' of', ' and'],
  contractions: [..."'s 'S 't 're 'RE 'Ve 'll 'lL 'd 'm ' 'x 'l 'r I we ’s".split(' ')],
  space: ['  ', '\r\n', ...' \t\n\r\v\f\u00a0\u2003\u2028\u3000\u0085\ufeffa.'],
  code: ['\n', '    ', '\t', ...'{ } ( ) ; => == // / /* */ . , " \' const x 1 _'.split(' ')],
  json: [' ', ...'{" ": ", " [ ] },{ true null 0 12 345 6789 id name \\n \\u00e9'.split(' ')],
  digits: ['0', '1', '9', '42', '2026', '٣', '४', '½', '²', 'Ⅷ', '一', '.', ',', '-', ' '],
  latin: [...range(0xc0, 0x17f), 'ſ', 'ß', 'İ', 'ı', 'ǅ', 'ǆ', "'s"],
  greekAndCyrillic: [...range(0x391, 0x3c9), ...range(0x410, 0x44f), ' '],
  semitic: [...range(0x5d0, 0x5ea), ...range(0x621, 0x64a), ...range(0x64b, 0x652), ' '],
  indic: [...range(0x905, 0x939), ...range(0x93e, 0x94d), '\u0902', '\u0903', ' ', '।'],
  thai: [...range(0xe01, 0xe3a), ...range(0xe40, 0xe4e), ' '],
  chinese: [...range(0x4e00, 0x4eff), '，', '。', '的', '是', '不'],
  japanese: [...range(0x3041, 0x3096), ...range(0x30a1, 0x30fa), 'ー', '々', '日', '本', '、'],
  korean: [...range(0xac00, 0xac7f), ...range(0x1100, 0x1112), ' '],
  marks: ['\u0301', '\u0308', '\u200d', '\ufe0f', '\u20e3', 'e', 'E', 'ʰ', 'ˣ', 'ª', 'º', 'A', ' ', '.', "'s"],
  emoji: ['😀', '👨‍👩‍👧', '🚀', '🇫🇷', '👍🏽', '❤️', '1️⃣', '☃', ' ', 'a'],
  planes: ['𝒜', '𝓫', '𐐀', '𐐨', '𒀀', '𠀀', '𝟘', '\u{e0100}', '\u{f0000}', '\u{10ffff}', 'a', ' '],
  surrogates: ['\ud800', '\udbff', '\udc00', '\udfff', '😀', 'a', ' ', '中', '\ufffd'],
  special: ['<|endoftext|>', '<|endofprompt|>', '<|fim_prefix|>', '<|', '|>', 'endoftext', '<|im_start|>', ' '],
};

const NAMES = Object.keys(ALPHABETS);

/** A string of up to `most` elements: from one script, or from several mixed; now and then an element repeats. */
export function randomText(below: (limit: number) => number, most: number): string {
  const mixed = below(3) === 0;
  let name = NAMES[below(NAMES.length)] as string;
  let text = '';
  for (let left = 1 + below(most); left > 0; left--) {
    if (mixed && below(3) === 0) name = NAMES[below(NAMES.length)] as string;
    const alphabet = ALPHABETS[name] as readonly string[];
    const element = alphabet[below(alphabet.length)] as string;
    text += below(24) === 0 ? element.repeat(1 + below(12)) : element;
  }
  return text;
}
