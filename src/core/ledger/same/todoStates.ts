import { remember } from '../remember.ts';
import { labelState } from '../words/todoCues.ts';

/**
 * A ticket's name: capitals, a hyphen and a number. Norms, ciphers and models are written so, too, and are none; a
 * branch or a file that is named after a ticket is not the ticket.
 */
const TICKET_SOURCE = String.raw`(?!(?:UTF|UCS|SHA|ISO|RFC|CVE|CWE|HTTPS?|UTC|GMT|MD|GPT|ES|TLS|SSL|AES|RSA|DES|IEEE|PR|MR|ECMA|ANSI|EN|DIN|LATIN|WINDOWS|CP|COVID|BASE|CRC|IPV|PEP|JSR|USB|HTML|CSS|MP|F|V|P)-?\d)[A-Z][A-Z0-9]{1,9}-\d{1,6}`;
/** Letters of scripts without blanks may stand beside it. */
const TICKETS = new RegExp(
  String.raw`(?<![A-Za-z0-9\u00c0-\u052f_./\\#@-])${TICKET_SOURCE}(?![A-Za-z0-9\u00c0-\u052f_/\\-]|\.[A-Za-z0-9])`,
  'g',
);
const ONE_TICKET = new RegExp(`^${TICKET_SOURCE}$`);

/** What a ticket has at least: looked for first, since most text names none. */
export const TICKET_SIGN = /[A-Z][A-Z\d]-\d/;

/** The tickets that a text names, with their places. */
export function ticketsIn(text: string): { readonly id: string; readonly start: number; readonly end: number }[] {
  if (!TICKET_SIGN.test(text)) return [];
  return [...text.matchAll(TICKETS)].map(({ 0: id, index }) => ({ id, start: index, end: index + id.length }));
}

/** True when a text is a ticket's name and nothing else. */
export function isTicket(text: string): boolean {
  return ONE_TICKET.test(text);
}

/** Words that tell how a to-do stands, by language; lower case. */
const SPACED: readonly string[] = [
  'not (?:yet )?started|(?:ticked|checked|crossed) off|off the list|wrapped up|taken care of|dealt with|done|finished|complete(?:d|(?! \\p{L}))|closed|resolved|fixed|shipped|merged|re-?opened|open(?! (?:the|an?|it|this|that|up|in|on)\\b)|pending|(?<=\\b(?:to|as|is|now|still) )to[ -]?do|backlog|planned|in[ -_]?progress|in (?:review|testing|qa)|being (?:worked on|done|reviewed)|under way|underway|ongoing|doing|wip|started(?! (?:\\p{L}+ing|to)\\b)|blocked|stuck|waiting|on hold|parked|paused|cancell?ed|dropped|deferred|postponed|skipped|abandoned',
  'erledigt|abgehakt|unter dach und fach|vom tisch|fertig|abgeschlossen|beendet|umgesetzt|gelöst|geschlossen|offen|ausstehend|geplant|nicht (?:angefangen|begonnen)|in arbeit|in bearbeitung|in prüfung|angefangen|begonnen|gestartet|läuft|blockiert|gesperrt|wartet|wartend|pausiert|auf eis|zurückgestellt|aufgeschoben|verschoben|verworfen|gestrichen|abgebrochen',
  'terminée?|cochée?|bouclée?|réglée?|faite?(?=\\s*(?:[.,;:)!]|$))|finie?|achevée?|résolue?|fermée?|clôturée?|clos|ouverte?|à faire|pas commencée?|non commencée?|prévue?|en cours|commencée?|entamée?|bloquée?|en attente|en pause|reportée?|différée?|annulée?|abandonnée?',
  '(?<!de )hech[oa]|terminad[oa]|tachad[oa]|completad[oa]|acabad[oa]|finalizad[oa]|cerrad[oa]|resuelt[oa]|list[oa]|abiert[oa]|pendiente|por hacer|sin (?:empezar|comenzar|iniciar|hacer)|planificad[oa]|en curso|en progreso|en proceso|en marcha|empezad[oa]|iniciad[oa]|bloquead[oa]|detenid[oa]|en espera|en pausa|aplazad[oa]|pospuest[oa]|cancelad[oa]|descartad[oa]',
  'feit[oa]|concluíd[oa]|pront[oa]|fechad[oa]|resolvid[oa]|abert[oa]|em aberto|pendente|por fazer|a fazer|não iniciad[oa]|em andamento|em curso|em progresso|começad[oa]|parad[oa]|em espera|adiad[oa]',
  'fatt[oa]|completat[oa]|terminat[oa]|conclus[oa]|chius[oa]|risolt[oa]|apert[oa]|da fare|da iniziare|non iniziat[oa]|in corso|in lavorazione|iniziat[oa]|bloccat[oa]|in attesa|in sospeso|rimandat[oa]|rinviat[oa]|annullat[oa]|scartat[oa]',
  'klaar|afgevinkt|gedaan|afgerond|voltooid|gesloten|opgelost|openstaand|te doen|niet begonnen|bezig|mee bezig|in behandeling|gestart|geblokkeerd|in de wacht|uitgesteld|geannuleerd|vervallen',
  'gotow[eay]|odhaczon[eay]|zrobion[eay]|ukończon[eay]|zakończon[eay]|skończon[eay]|zamknięt[eay]|otwart[eay]|do zrobienia|nierozpoczęt[eay]|w toku|w trakcie|rozpoczęt[eay]|zablokowan[eay]|wstrzyman[eay]|odłożon[eay]|anulowan[eay]',
  'готов[оа]?|сделан[оаы]?|выполнен[оаы]?|выполняется|завершен[оаы]?|завершён|закончен[оаы]?|закрыт[оаы]?|решен[оаы]?|решён|открыт[оаы]?|не начат[оаы]?|запланирован[оаы]?|в работе|в процессе|начат[оаы]?|заблокирован[оаы]?|ожидает|отложен[оаы]?|отменен[оаы]?|отменён',
  'bitti|tamamlandı|yapıldı|tamam|kapatıldı|kapandı|çözüldü|açık|bekliyor|beklemede|başlanmadı|yapılacak|devam ediyor|sürüyor|başlandı|engellendi|bloke|ertelendi|iptal',
];
const UNSPACED =
  '[✅☑✔✓🔄⏳🚧⬜☐❌]\uFE0F?|还没(?:有)?(?:做|完成|开始)?|没(?:有)?(?:做|完成|开始)|尚未(?:开始|完成|处理)|未(?:开始|完成|处理|解决)|已(?:完成|解决|关闭|取消|搁置|阻塞|开始|做完|处理)|(?:可以)?勾掉了?|完成了?|做完了?|搞定了?|进行中|正在(?:处理|进行|做|开发)|处理中|开发中|计划中|待(?:处理|办|开始|完成|定)中?|受阻|被?阻塞中?|被?卡住了?|搁置|暂停|推迟|取消了?|完了(?:済み?)?|未(?:着手|対応|開始|完了|解決|実施)|着手(?:中|済み?)|進行中|作業中|対応(?:中|済み?|予定)|実施中|解決済み?|予定|保留(?:中)?|ブロック(?:中|されて(?:いる|います))?|停止中|待ち|延期|中止|終了|終わ(?:り|った|りました)|미(?:완료|착수|해결|시작)|완료(?:됨)?|끝(?:남|났)|진행 ?중|작업 ?중|처리 ?중|시작 ?(?:전|안 ?함)|대기 ?중?|차단(?:됨)?|막(?:힘|혔)|보류(?:중)?|취소(?:됨)?|해결(?:됨)?|열림|닫힘';

/** Words that turn a state round: with them it is another one ("not done", "noch nicht fertig", "no longer blocked"). */
const NOT =
  "(?:not|isn['’]t|no longer|never|nicht(?: mehr)?|noch nicht|kein(?:e|en)?|pas(?: encore)?|plus|non|no est[áa]|ya no|aún no|todavía no|não(?: est[áa])?|ainda não|non ancora|niet(?: meer)?|nog niet|nie(?: jest)?|jeszcze nie|не|ещё не|еще не|henüz)(?: (?:yet|fully|quite|really|actually|ganz|encore|est[áa]|è|is))?";

const EDGE = 'a-z0-9_\\u00df-\\u024f\\u0430-\\u045f';
let stateWords: RegExp | undefined;

/** Compiled when first asked: most sessions name few tickets. */
function stateExpression(): RegExp {
  const spaced = SPACED.join('|').replaceAll('\\p{L}', `[${EDGE}]`);
  stateWords ??= new RegExp(`(?<![${EDGE}-])(?:${NOT} )?(?:${spaced})(?![${EDGE}]|-[a-z])|(?:${UNSPACED})`, 'gu');
  return stateWords;
}

/** A state that a text tells, as written. */
export interface StateWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const LONGEST_ASKED = 400;

/** The words of state in a text, in their order. */
export const statesIn: (text: string) => readonly StateWord[] = remember(readStates, 2);

function readStates(text: string): StateWord[] {
  const asked = text.slice(0, LONGEST_ASKED);
  const lower = asked.toLowerCase();
  if (lower.length !== asked.length) return [];
  return [...lower.matchAll(stateExpression())].map(({ 0: word, index }) => ({
    text: asked.slice(index, index + word.length),
    start: index,
    end: index + word.length,
  }));
}

/** States that trackers know besides those of prose. */
const TRACKER =
  /^(?:new|triage|ready(?: for [a-z ]{2,20})?|selected for development|(?:in |code |peer )?review|reviewing|(?:in )?(?:testing|test|qa|dev|development|verification)|verified|released|deployed|accepted|rejected|won['’]?t (?:do|fix)|wontfix|duplicate|invalid|closed as [a-z ]{3,20}|active|inactive|assigned|unassigned|resolved|fixed|reopened|next|someday|unstarted|in_progress|not_started|on_hold|inprogress)$/i;

/** True for a cell or a bracket that names a state and nothing else. */
export function isState(text: string): boolean {
  const words = text.trim().replace(/[_-]/g, ' ');
  if (words === '' || words.length > 32 || /\d/.test(words)) return false;
  return TRACKER.test(words) || labelState(words) !== undefined || isOneState(words);
}

function isOneState(words: string): boolean {
  const [only, ...more] = statesIn(words);
  return only !== undefined && more.length === 0 && only.text.length === words.length;
}

const DONE =
  /^(?:x|true|complete|resolved|fixed|shipped|merged|released|deployed|verified|closed|beendet|gelöst|geschlossen|résolue?|fermée?|clos|concluíd[oa]|gesloten|opgelost|zamknięt[eay]|已(?:完成|解决|关闭|做完)|abgehakt|unter dach und fach|(?:ticked|checked|crossed) off|(?:可以)?勾掉了?|完成了?|搞定了?|做完了?|解決済み?|対応済み?|完了済み?)$/i;

/** True when a state says that nothing is left to do; "cancelled" is not done. */
export function isDone(state: string): boolean {
  return DONE.test(state) || labelState(state.replace(/[_]/g, ' ')) === 'done';
}
