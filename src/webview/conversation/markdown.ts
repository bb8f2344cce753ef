import DOMPurify from 'dompurify';
import { Marked, type MarkedExtension, type Tokens } from 'marked';
import { t } from '../../language/language.ts';

/** Longer texts are shown as plain text, characters. */
const MAX_MARKDOWN_CHARACTERS = 40_000;

/**
 * A time limit, milliseconds: some Markdown, such as repeated `:**a`, takes quadratic time to parse. What takes longer is
 * shown as plain text; ordinary text takes a few milliseconds.
 */
const MAX_PARSE_MS = 500;

/** The time limit applies only after this many characters, since the machine may be busy. */
const MIN_LOOKED_AT = 2_000_000;

/** Many spaces, in which the parser has no step to check the time. */
const TOO_WIDE = ' '.repeat(1000);

class ParseTimeout extends Error {}

let deadline = 0;
let lookedAt = 0;

/** Called at each step of the parser with the rest of the text; `false`: the step is the parser's own. */
function checkTime(rest: string): false {
  lookedAt += rest.length;
  if (lookedAt > MIN_LOOKED_AT && performance.now() > deadline) throw new ParseTimeout();
  return false;
}

const SAFE: MarkedExtension = {
  gfm: true,
  async: false,
  // The first block rule and the first inline rule that are tried at each position.
  tokenizer: { space: checkTime, escape: checkTime },
  renderer: {
    /** Raw HTML is shown as text. */
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    /** An image would be a request to a server that the model chose: show its description and address instead. */
    image: ({ href, text }: Tokens.Image) =>
      `<span class="image" title="${escapeHtml(href)}">${escapeHtml(t('[image: {0}]', text ? `${text}, ${href}` : href))}</span>`,
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const address = escapeHtml(href);
      if (!WEB_LINK.test(href)) return `<span class="no-link" title="${address}">${inner}</span>`;
      return `<a class="link" href="${address}" title="${address}" rel="noopener noreferrer">${inner}</a>`;
    },
    checkbox: ({ checked }: Tokens.Checkbox) => `<span class="check">${checked ? '☑' : '☐'} </span>`,
  },
};

/**
 * The grammars by writer. A note keeps line breaks, and `[t41]: …` is a handle, not a link definition. Since it quotes
 * output of tools, a star emphasizes only at the start of a word (not in `src/*.ts` or `"*"`), and `__init__` is a name.
 */
const GRAMMARS = {
  reply: new Marked(SAFE),
  note: new Marked(SAFE, {
    breaks: true,
    tokenizer: {
      def: () => undefined,
      emStrong: (src, _masked, before = '') => (src.startsWith('*') && /^[\s(“‘„]?$/.test(before) ? false : undefined),
    },
  }),
} as const;

/**
 * Renders Markdown as a fragment that is safe to insert: the renderer creates no active element, and independently of
 * that the sanitizer removes any. Links lead only to http(s).
 */
export function renderMarkdown(text: string, writer: keyof typeof GRAMMARS): Node {
  const markup = parseMarkdown(text, GRAMMARS[writer]);
  return markup === undefined ? plainText(text) : sanitize(markup);
}

/** `undefined` if parsing takes too long, or the nesting is too deep for the parser's recursion (20,000 `>`). */
function parseMarkdown(text: string, grammar: Marked): string | undefined {
  if (text.length > MAX_MARKDOWN_CHARACTERS || text.includes(TOO_WIDE)) return undefined;
  deadline = performance.now() + MAX_PARSE_MS;
  lookedAt = 0;
  try {
    return grammar.parse(text, { async: false });
  } catch (error) {
    if (error instanceof RangeError || error instanceof ParseTimeout) return undefined;
    throw error;
  }
}

function plainText(text: string): Node {
  const element = document.createElement('div');
  element.className = plainClass(text);
  element.textContent = text;
  return element;
}

/** The class of an element with plain text. The browser does not detect the direction of very long lines. */
export function plainClass(text: string): string {
  return /[^\n]{20000}/.test(text) ? 'plain-text wide' : 'plain-text';
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The only addresses that a link in the view may lead to. */
const WEB_LINK = /^https?:\/\//i;

/** Everything that Markdown needs, and nothing that loads, submits, embeds, styles or runs. */
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'em'],
  ...['strong', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ALLOWED_ATTRIBUTES = ['href', 'rel', 'title', 'class', 'align', 'start'];

/** Sanitizes markup: everything that is not on the lists above is removed. */
export function sanitize(markup: string): DocumentFragment {
  return DOMPurify.sanitize(markup, {
    ALLOWED_TAGS,
    ALLOWED_ATTR: ALLOWED_ATTRIBUTES,
    ADD_URI_SAFE_ATTR: ['rel', 'align', 'start'],
    ALLOWED_URI_REGEXP: WEB_LINK,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
