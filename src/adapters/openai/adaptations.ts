/**
 * A deviation that a server demands, learned from its refusal: leave out `stream_options`, call the output limit
 * `max_completion_tokens`, or drop a field from the messages.
 */
export type Adaptation = 'no-stream-options' | 'max-completion-tokens' | `drop:${string}`;

/** The statuses with which servers refuse a field. */
const REFUSALS = new Set([400, 422]);

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
  if (!SAYS_UNWANTED.test(body)) return found;
  if ('max_tokens' in sent && body.includes('max_completion_tokens')) found.push('max-completion-tokens');
  const messages = Array.isArray(sent.messages) ? sent.messages : [];
  const fields = OPTIONAL_MESSAGE_FIELDS.filter((name) => {
    const named = new RegExp(`(?<![\\w])${name}(?![\\w])`).test(body);
    return named && messages.some((message: object) => name in message);
  });
  return [...found, ...fields.map((field): Adaptation => `drop:${field}`)];
}
