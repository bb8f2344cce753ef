import type { Found } from '../found.ts';
import { isState, type StateWord, statesIn, ticketsIn } from '../same/todoStates.ts';
import { labelState } from '../words/todoCues.ts';

/** A to-do that a sentence names by its id, with the state that it tells. */
export interface Spoken {
  readonly id: string;
  readonly state: string;
  /** The id with the words in brackets behind it, the sentence when it has the words behind a colon, or the id alone. */
  readonly text: string;
}

/** "once PAY-12 is done", "if it is blocked": such a sentence tells what is not. */
const ONLY_WHEN =
  /(?:^|[,;(])\s?(?:als|se|si|s['’]il)\s|(?:^|[\s,;(])(?:once|when|whenever|if|until|till|unless|whether|as soon as|before|after|would|could|might|sobald|wenn|falls|bis|bevor|nachdem|ob|könnte|würde|cuando|hasta|antes|quand|lorsque|dès|avant|jusqu\S*|quando|até|finché|prima|zodra|totdat|gdy|jeśli|kiedy|dopóki|когда|если|пока|после|eğer|önce|sonra)(?=[\s,])|如果|等到?|一旦|之[前后]|以[前后]|たら|れば|まで|前に|면 |때까지|전에/iu;
/** It is still to be so. */
const STILL_TO =
  /(?:^|[\s,;(])(?:must|should|needs?|has to|have to|to be|will|shall|can|may|muss|müssen|soll\p{L}*|wird|werden|kann|debe|tiene que|será|puede|doit|sera|peut|deve|precisa|sarà|può|moet|zal|kan|musi|będzie|должн\p{L}*|нужно|будет|надо)(?=[\s,])/iu;
/** Somebody sets a state: what follows such a verb is one, also in a question. */
const SETS =
  /(?:^|[\s,;(])(?:set|mark|move|put|flip|change|update|switch|transition|tick|label|flag|setz\p{L}*|gesetzt|markier\p{L}*|stell\p{L}*|verschieb\p{L}*|ändere?|geändert|pon(?:er|go|lo|la)?|puesto|marca\p{L}*|cambia\p{L}*|mueve|movid[oa]|mets|mis|mettre|marque\p{L}*|passe[rz]?|passé|coloc\p{L}*|mude|mova|metti|messo|segna\p{L}*|sposta\p{L}*|zet|gezet|markeer\p{L}*|ustaw\p{L}*|oznacz\p{L}*|постав\p{L}*|отмет\p{L}*|перевед\p{L}*|перевел\p{L}*|işaretle\p{L}*|yap\p{L}*)(?=[\s,])|[设標标改记置]|变成|にし|に変更|に設定|로 (?:변경|설정|표시)|으로 (?:변경|설정|표시)/iu;
const QUESTION = /[?\uff1f]["')\]]?$/;
/** The state that it had: "from open to done". */
const FROM_TO = /(?:\bfrom\b|\bvon\b|\bde\b|\bdu\b|\bda\b|\bvan\b|\bz(?:e)?\b|\bиз\b|从|由)\s?["'“«「`*]{0,2}$/iu;
const BEHIND_FROM = /^["'”»」`*]{0,2}\s?(?:から|에서)/u;

const MOST_BETWEEN = 90;
/** `PAY-12: write the guide`: its words stand behind it. */
const HAS_WORDS = /^\s?(?:[:\uff1a]|[–—-]\s)\s?\S{2,}\s\S{2,}\s\S/;
const BRACKETS = /^\s?[(\uff08]([^()\uff08\uff09]{1,160})[)\uff09]/;

/** The tickets (`PAY-12`) of which a sentence tells the state, in any place and whoever says it. */
export function spokenTickets(sentence: string, by: Found['by']): Spoken[] {
  const tickets = ticketsIn(sentence);
  if (tickets.length === 0) return [];
  const asks = QUESTION.test(sentence);
  if (asks && (by === 'model' || !SETS.test(sentence))) return [];
  return tickets.flatMap(({ id, start, end }, index) => {
    const before = sentence.slice(tickets[index - 1]?.end ?? 0, start);
    const behind = sentence.slice(end, tickets[index + 1]?.start);
    const brackets = BRACKETS.exec(behind);
    const inside = brackets?.[1] ?? '';
    const rest = brackets === null ? behind : behind.slice(brackets[0].length);
    const told = isState(inside) ? inside.trim() : (stateBehind(rest, before) ?? stateOfAll(sentence, tickets, index));
    const state = told ?? (tickets.length === 1 ? stateBefore(before) : undefined);
    if (state === undefined) return [];
    if (brackets !== null && !isState(inside)) return [{ id, state, text: `${id}${brackets[0]}` }];
    return [{ id, state, text: HAS_WORDS.test(behind.replace(state, ' ')) ? sentence : id }];
  });
}

/** The state that the words behind a name tell, unless they only think of it. */
function stateBehind(rest: string, before: string): string | undefined {
  const states = statesIn(rest.slice(0, MOST_BETWEEN * 2));
  const state = states.find((word, index) => !isPast(rest, word) || index === states.length - 1);
  if (state === undefined || state.start > MOST_BETWEEN) return undefined;
  const between = rest.slice(0, state.start);
  if (/[.!?\u3002\uff01\uff1f]\s|[\u3002\uff01\uff1f]/.test(between)) return undefined;
  if (ONLY_WHEN.test(`${before.slice(-40)} ${between} `) || ONLY_WHEN.test(rest.slice(state.end, state.end + 4)))
    return undefined;
  return STILL_TO.test(`${between} `) && !SETS.test(`${before} ${between} `) ? undefined : state.text;
}

function isPast(text: string, { start, end }: StateWord): boolean {
  return FROM_TO.test(text.slice(Math.max(0, start - 12), start)) || BEHIND_FROM.test(text.slice(end, end + 6));
}

/** "PAY-12 and PAY-13 are done": what is said behind the last of several that stand in a row. */
function stateOfAll(
  sentence: string,
  tickets: readonly { readonly start: number; readonly end: number }[],
  index: number,
): string | undefined {
  for (let at = index; at + 1 < tickets.length; at++) {
    const between = sentence.slice(tickets[at]?.end, tickets[at + 1]?.start);
    if (!/^[\s,、，;&+/]{0,3}(?:and|und|y|e|et|en|i|и|ve|和|及|と|및|와|과)?[\s,、，]{0,2}$/u.test(between))
      return undefined;
  }
  const last = tickets.at(-1);
  const first = tickets[index];
  if (last === undefined || first === undefined || last === first) return undefined;
  return stateBehind(sentence.slice(last.end), sentence.slice(0, first.start));
}

/** "Finished PAY-12", "blocked: PAY-12": a state directly before the name; an invitation to open it is none. */
function stateBefore(before: string): string | undefined {
  const label = /^(.{2,40}?)\s*[:\uff1a]\s*$/.exec(before)?.[1];
  if (label !== undefined && labelState(label) !== undefined) return statesIn(label).at(-1)?.text ?? label;
  const state = statesIn(before.slice(-60)).at(-1);
  const tail = before.slice(-60);
  if (state === undefined || /open|abiert|ouvert|apert|offen/i.test(state.text)) return undefined;
  if (
    !/^\s?(?:(?:the|with|die|das|den|la|el|le|o|a|il|ticket|task|issue|to-?do|item|tarea|tâche|aufgabe|tarefa|задач\p{L}*|任务|工单|タスク|with the)\s?){0,3}["'“«「`*#]{0,2}$/iu.test(
      tail.slice(state.end),
    )
  )
    return undefined;
  if (ONLY_WHEN.test(`${before} `) || STILL_TO.test(`${before} `)) return undefined;
  return state.text;
}
