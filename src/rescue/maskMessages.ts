import type { ChatMessage } from '../core/chat/wire.ts';

/** Keys and tokens by the forms that their issuers document. */
const SECRETS: readonly RegExp[] = [
  // OpenAI, Anthropic, OpenRouter and others that took over their form.
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  // GitHub.
  /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})/g,
  // GitLab.
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  // AWS.
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  // Google.
  /\bAIza[A-Za-z0-9_-]{35}/g,
  // Slack.
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  // npm.
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  // A signed JSON web token.
  /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  // A private key in PEM.
  /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----[A-Za-z0-9+/=\s\\n]{40,10000}-----END (?:[A-Z]+ )?PRIVATE KEY-----/g,
];

/** Messages without the keys and tokens that are recognised, and how many there were. */
export function maskMessages(messages: readonly ChatMessage[]): {
  readonly messages: readonly ChatMessage[];
  readonly masked: number;
} {
  let masked = 0;
  const mask = (value: unknown): unknown => {
    if (typeof value === 'string')
      return SECRETS.reduce(
        (text, secret) =>
          text.replace(secret, () => {
            masked += 1;
            return '[masked]';
          }),
        value,
      );
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mask(inner)]));
  };
  return { messages: messages.map((message) => mask(message) as ChatMessage), masked };
}
