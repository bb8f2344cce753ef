/**
 * What a statement may claim that the user took back or let through, and what the user's own words then have. A rule that
 * is said to be lifted needs the lifting.
 */
const REVERSALS: readonly { readonly claimed: RegExp; readonly said: RegExp }[] = [
  {
    claimed:
      /\b(?:lifted|permit\w*|relax\w*|waived?|withdr(?:ew|awn)|t(?:ook|aken) back|allow\w*|approved|accept\w*|no longer|any ?more|after all|does not mind|may|reversed|changed)\b/i,
    said: /\b(?:ok(?:ay)?|yes|yep|fine|sure|go ahead|allow\w*|can|may|approv\w+|agree\w*|proceed|no longer|any ?more|changed my mind|never ?mind|forget|scratch|sorry|instead)\b/i,
  },
  {
    claimed: /\b(?:reject\w*|declin\w+|dropped|paused?|closed|gave up|given up|stopped)\b/i,
    said: /\b(?:no|not|never|nope|instead|rather|stop|pause|cancel|skip|wrong|drop|remove|leave|without|close|interrupted)\b|n't\b|doesnt|dont/i,
  },
];

/** True for a text that says that something was taken back, let through or turned down. */
export function isReversal(text: string): boolean {
  return REVERSALS.some(({ claimed }) => claimed.test(text));
}

/** Whether what was said has words for every reversal that a text claims. */
export function saysReversal(text: string, said: string): boolean {
  return REVERSALS.every((reversal) => !reversal.claimed.test(text) || reversal.said.test(said));
}
