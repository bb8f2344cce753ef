import { Marked, type MarkedExtension, type Tokens } from 'marked';
import { t } from '../../core/language.ts';
import { sanitize, WEB_LINK } from './sanitize.ts';

/**
 * Longer texts are shown as plain text: Markdown's grammar has inputs that cost quadratic time, and a model may write
 * any of them. In characters.
 */
const MAX_MARKDOWN_CHARACTERS = 40_000;

const SAFE: MarkedExtension = {
  gfm: true,
  async: false,
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
  const markup = text.length > MAX_MARKDOWN_CHARACTERS ? undefined : parseMarkdown(text, GRAMMARS[writer]);
  if (markup === undefined) return plainText(text);
  return sanitize(markup);
}

/** `undefined` for what is nested deeper than the parser's recursion reaches, such as 20,000 quotation marks. */
function parseMarkdown(text: string, grammar: Marked): string | undefined {
  try {
    return grammar.parse(text, { async: false });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function plainText(text: string): Node {
  const element = document.createElement('div');
  element.className = 'plain-text';
  element.textContent = text;
  return element;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
