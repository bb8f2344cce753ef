/** Control characters, and those that turn the direction of a text, but not the end of a line. */
const STEERING = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu;

/** Prints text that may come from a session, which anybody may have written: no character of it steers the terminal. */
export function say(text: string): void {
  console.log(text.replace(STEERING, (character) => (character === '\n' ? character : ' ')));
}
