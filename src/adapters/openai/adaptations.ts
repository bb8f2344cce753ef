import { isFields } from './mergeFields.ts';

/**
 * A deviation that a server demands, learned from its refusal: leave out `stream_options`, call the output limit
 * `max_completion_tokens`, drop a field from the messages, leave out what is only meant for tools where there are none,
 * write '' for a content of null, or join messages so that the roles alternate.
 */
export type Adaptation =
  | 'no-stream-options'
  | 'max-completion-tokens'
  | 'no-tool-fields'
  | 'text-content'
  | 'alternating-roles'
  | `drop:${string}`;

/** The statuses with which servers refuse a field; templates of local servers fail with 500. */
const REFUSALS = new Set([400, 422, 500]);

/** Fields that servers take only with tools. */
export const TOOL_FIELDS: readonly string[] = ['tool_choice', 'parallel_tool_calls'];

/** Chat templates say that the roles must alternate, in words that differ (Mistral, Gemma, Llama). */
const MUST_ALTERNATE = /roles? must alternate|\balternat\w* (?:user|between)|after role/i;

/** Fields of assistant messages that some servers want back and others refuse. */
const OPTIONAL_MESSAGE_FIELDS = [
  'reasoning_content',
  'reasoning_details',
  'reasoning_text',
  'reasoning',
  'thinking',
  'refusal',
  'annotations',
  'audio',
];

const SAYS_UNWANTED =
  /unsupported|not supported|unrecognized|unknown|unexpected|extra[_ ](?:inputs|fields|forbidden)|not permitted|not allowed|additional propert|invalid|only (?:be )?allowed|remove/i;

/**
 * What to change after a server refused a request because of fields that can be left out: all that it names, at once.
 */
export function findAdaptations(
  refusal: { status: number; body: string },
  sent: Record<string, unknown>,
): readonly Adaptation[] {
  if (!REFUSALS.has(refusal.status)) return [];
  const body = refusal.body.slice(0, 20_000);
  const found: Adaptation[] = [];
  if ('stream_options' in sent && body.includes('stream_options')) found.push('no-stream-options');
  const messages = Array.isArray(sent.messages) ? sent.messages : [];
  if (MUST_ALTERNATE.test(body)) found.push('alternating-roles');
  if (/content/i.test(body) && /\b(?:null|none|string)\b/i.test(body) && messages.some(isWithoutContent))
    found.push('text-content');
  if (!('tools' in sent) && TOOL_FIELDS.some((name) => name in sent && body.includes(name)))
    found.push('no-tool-fields');
  if (refusal.status === 500 || !SAYS_UNWANTED.test(body)) return found;
  if ('max_tokens' in sent && body.includes('max_completion_tokens')) found.push('max-completion-tokens');
  const fields = OPTIONAL_MESSAGE_FIELDS.filter((name) => {
    const named = new RegExp(`(?<![\\w])${name}(?![\\w])`).test(body);
    return named && messages.some((message: object) => name in message);
  });
  return [...found, ...fields.map((field): Adaptation => `drop:${field}`)];
}

function isWithoutContent(message: unknown): boolean {
  return isFields(message) && message.content === null;
}
