/** Codes that always mean that the input does not fit. `1261` is Zhipu's, `content_length_…` is Amazon Q's. */
const KNOWN = /^(?:tokens_limit_reached|token_quantity_exceeded|content_length_exceeds_threshold|1261)$/;
const IS_OVER = 'exceed(?:s|ed)?|overflow(?:ed)?|too(?:long|large|big)|overlimit';
const WINDOW = '(?:context(?:length|window|size|limit|token)?s?(?:limit)?)';
const INPUT = '(?:prompt|input|conversation|messages)(?:is|length|size|context)?';
/**
 * The same composed of words, without underscores: `maximum_context_length_exceeded`, `ContextWindowOverflow`. The
 * required ending excludes `context_length_required`; a word in between makes it another code (`input_file_too_large`).
 */
const BUILT = new RegExp(
  `^(?:e\\d{1,6}|err(?:or)?|llm|api|openai|provider|the|model|max(?:imum)?|total)*(?:${WINDOW}(?:${IS_OVER})|` +
    `context(?:length|window|size)(?:limit)?(?:reached|failed|error|limit)|contextlimitreached|${INPUT}too(?:long|large|big)|` +
    `(?:prompt|input)(?:length|size|tokens?|context)(?:count|limit)?(?:${IS_OVER}))(?:limit|threshold|maximum)?(?:error|exception)?$`,
);
/** A word of a text that may be such a code. */
const CODE_WORD =
  /(?<![\w.-])(?:(?:[a-z]\w{0,20}\.)?[a-z0-9]{1,20}(?:[_-][a-z0-9]{1,20}){1,6}|(?:llm)?(?:context|prompt|input)[a-z]{6,40})(?![\w-])/g;
const WORD_LIMIT = 400;

/** Whether a code, in lower case, says that the input does not fit. */
export function isOverflowCode(code: string): boolean {
  return code.length <= 80 && (KNOWN.test(code) || BUILT.test(code.replace(/[^a-z0-9]/g, '')));
}

/** The first such code in a normalised text. */
export function findOverflowCode(text: string): string | undefined {
  return [...text.matchAll(CODE_WORD)].slice(0, WORD_LIMIT).find(([word]) => isOverflowCode(word))?.[0];
}
