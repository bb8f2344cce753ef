import DOMPurify from 'dompurify';

/** The only addresses that a link in the view may lead to. */
export const WEB_LINK = /^https?:\/\//i;

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
