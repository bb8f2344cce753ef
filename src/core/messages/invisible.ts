/**
 * The inside of a character class of a `u` expression: what nobody sees, besides white space. Control and format
 * characters, what a font may leave out (joiners, fillers, variation selectors), and a Braille cell without dots.
 */
export const INVISIBLE = String.raw`\p{Cc}\p{Cf}\p{DI}\u2800`;
