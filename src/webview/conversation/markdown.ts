import DOMPurify from 'dompurify';
import { Marked, type MarkedExtension, type Tokens } from 'marked';
import { t } from '../../core/language.ts';

/** Longer texts are shown as plain text, in characters. */
const MAX_MARKDOWN_CHARACTERS = 40_000;

/**
 * Markdown's grammar has inputs that cost quadratic time, such as `:**a` again and again, and a model may write any of
 * them. What is not parsed after this many milliseconds is shown as plain text; ordinary text takes a few.
 */
const MAX_PARSE_MS = 500;

/** Before so many characters were looked at, one step after the other, no time is up: the machine may be busy. */
const MIN_LOOKED_AT = 2_000_000;

/** A row of spaces, for which the parser has no step in which the time could be looked at. */
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
  // The first rules that are tried at each place: of blocks, and of what is in a line.
  tokenizer: { space: checkTime, escape: checkTime },
  renderer: {
    /** Raw HTML is text that the model wrote, shown as such. */
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    /**
     * An image would be a request to a server that the model chose: its description and its address are shown instead.
     */
    image: ({ href, text }: Tokens.Image) =>
      `<span class="image" title="${escapeHtml(href)}">${escapeHtml(t('[image: {0}]', text ? `${text}, ${href}` : href))}</span>`,
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      const address = escapeHtml(href);
      if (!WEB_LINK.test(href)) return `<span class="no-link" title="${address}">${inner}</span>`;
      return `<a href="${address}" title="${address}" rel="noopener noreferrer">${inner}</a>`;
    },
    listitem(item: Tokens.ListItem) {
      return `<li${item.task ? ' class="task"' : ''}>${this.parser.parse(item.tokens)}</li>\n`;
    },
    checkbox: ({ checked }: Tokens.Checkbox) => `<span class="check">${checked ? '☑' : '☐'} </span>`,
  },
};

/**
 * By who wrote it. In a note line breaks are kept, and `[t41]: …` is a handle, not a link definition. It quotes what tools
 * printed: a star emphasizes only where a word begins (not in `src/*.ts` or `"*"`), and `__init__` is a name.
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
 * Markdown as a fragment that is safe to put into the page: the renderer above makes no element that acts, and the
 * sanitiser after it, which does not rely on that, removes any. A link leads to http(s) or is no link.
 */
export function renderMarkdown(text: string, writer: keyof typeof GRAMMARS): Node {
  const markup = parseMarkdown(text, GRAMMARS[writer]);
  return markup === undefined ? plainText(text) : sanitize(markup);
}

/** `undefined` for what takes too long, or is nested deeper than the parser's recursion reaches (20,000 `>`). */
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

/** The class of an element with plain text. In very long lines the browser does not look for each one's direction. */
export function plainClass(text: string): string {
  return /[^\n]{20000}/.test(text) ? 'plain-text wide' : 'plain-text';
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The only addresses that a link in the view may lead to. */
const WEB_LINK = /^https?:\/\//i;

/** Everything that Markdown needs and nothing that loads, submits, embeds, styles or runs. */
const ALLOWED_TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'em'],
  ...['strong', 'del', 'a', 'span', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
];
const ALLOWED_ATTRIBUTES = ['href', 'rel', 'title', 'class', 'align', 'start'];

/** Any markup as a fragment that does nothing: what is not on the lists above is removed, whoever wrote it. */
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
