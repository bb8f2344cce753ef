/** Words for "done" in to-do lists, by language. Facts keep the list's own word. */
const DONE = [
  'x|true|done|complete|completed|finished|closed|resolved|fixed|shipped|merged',
  'erledigt|fertig|abgeschlossen|umgesetzt',
  'faite?|fini(?:e|to)?|terminée?|hech[oa]|completad[oa]|terminad[oa]|feit[oa]|concluíd[oa]|fatt[oa]|completat[oa]',
  'klaar|gedaan|gotowe|zrobione|готово|сделано|выполнено|bitti|tamamlandı',
  '已?完成了?|做完了?|完了|済み?|완료됨?',
].join('|');
/** The same for what is no longer to be done. */
const DROPPED = [
  "cancell?ed|deleted|removed|dropped|skipped|abandoned|won['’]?t do",
  'abgebrochen|verworfen|gestrichen|annulée?|cancelad[oa]|annullat[oa]|geannuleerd|anulowane|отменено|iptal',
  '已?取消|中止|취소됨?',
].join('|');

/** States of to-dos that records of other kinds hardly ever have. */
const TODO_STATE = /^(?:pending|to[ _-]?do|not[ _-]started|in[ _-]?progress|doing|done|completed?|blocked)$/i;

const IS_DONE = new RegExp(`^(?:${DONE})$`, 'i');
const IS_DROPPED = new RegExp(`^(?:${DROPPED})$`, 'i');

/** True when a state says that the work is done; "cancelled" is not done. */
export function isDone(state: string): boolean {
  return IS_DONE.test(state.trim());
}

/** True when a state says that the to-do was dropped without being done. */
export function isDropped(state: string): boolean {
  return IS_DROPPED.test(state.trim());
}

/** True for a word that is the state of a to-do wherever it occurs. */
export function isTodoState(state: string): boolean {
  return TODO_STATE.test(state.trim());
}
