/** Statuses that model servers and their gateways answer with. `512` and other sizes are not among them. */
const STATUS = String.raw`(?:200|40\d|41[0-8]|42[1-9]|431|451|49[79]|50\d|52\d)`;
/** Directly before a status: the start of a text or line, or a word that a status follows. */
const BEFORE = String.raw`(?:(?:^|[;{])[\s\W]{0,8}|\b(?:[a-z.]{0,60}(?:error|exception)|code|status|http(?:\/\d(?:\.\d)?)?|failed|returned|responded|(?:returned|responded) with)[_ ]?(?:code|status)?[ :=-]{0,3}[([]?)`;
const STATUS_FIGURE = new RegExp(
  `(${BEFORE})${STATUS}(?:(?: | - |: )[([ \\]]{0,4}${STATUS})?(?![\\d.,]\\d|\\d|[\\w%])`,
  'gm',
);

/** Takes the HTTP statuses out of a normalised text: they are never counts of anything. */
export function withoutStatus(text: string): string {
  return text.replace(STATUS_FIGURE, '$1 ');
}
