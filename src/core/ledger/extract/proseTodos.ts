import type { Found } from '../found.ts';
import { cutAtWord, looksLikeCode } from '../read/sentences.ts';
import { plain } from '../same/todoKeys.ts';
import { saidState } from '../same/todoNews.ts';
import { labelState, type SaidState } from '../words/todoCues.ts';
import { todoWords } from '../words/todoWords.ts';

/** Longest to-do in prose, characters; more items than this under one label are a document. */
const LONGEST_ITEM = 240;
const MOST_ITEMS = 12;
const LONGEST_PROSE = 48_000;

/** Who said it and where. */
export interface Speech {
  readonly text: string;
  readonly at: number;
  readonly by: Found['by'];
}

/**
 * The to-do that a sentence names with a state: behind a label ("Still open: …"), before one ("…: done"), in quotation
 * marks ("I completed “…”"). Any other sentence that tells a state is news of a to-do known before, if it names one.
 */
export function sentenceTodo(sentence: string, speech: Speech): Found[] {
  return sentence.split(STOP).flatMap((part) => partTodo(part, speech));
}

/** A full stop before any word: a to-do may begin with a name in small letters. */
const STOP = /(?<=[\p{L}\p{N})`"”]{2}[.!?])\s+/u;

function partTodo(sentence: string, speech: Speech): Found[] {
  if (QUESTION.test(sentence)) return [];
  const named = beforeOrBehind(sentence) ?? quoted(sentence) ?? marked(sentence);
  if (named !== undefined) {
    const stands = named.label === 'before' || (named.label === 'behind' && named.state === 'open');
    return itemsOf(named.item).flatMap((item) => todo(item, named.state, { speech, stands }));
  }
  const state = saidState(sentence);
  return state === undefined ? [] : todo(sentence, state, { speech, stands: false });
}

const QUESTION = /[?\uff1f]["')\]]?$/;

interface Named {
  readonly item: string;
  readonly state: SaidState;
  readonly label: 'before' | 'behind' | 'around';
}

const SEPARATOR = /[:\uff1a(\uff08–—→-]/;

function beforeOrBehind(sentence: string): Named | undefined {
  if (!SEPARATOR.test(sentence)) return undefined;
  const bare = sentence.replace(/^\*\*([^*\n]{2,60})\*\*/, '$1');
  const first = /^([^:\uff1a\n]{2,60}?)\s*(?:[:\uff1a]|\s[–—]\s|\s->\s)\s*(?:\*\*)?(\S.*)$/.exec(bare);
  const before = first === null ? undefined : labelState(first[1] ?? '');
  if (before !== undefined) return { item: first?.[2] ?? '', state: before, label: 'before' };
  const tail = bare.slice(-70);
  const last =
    /(?:[:\uff1a]|\s[–—→-]\s|\s->|\s?[(\uff08])\s*([^:\uff1a–—→()\uff08\uff09]{2,60})[)\uff09]?[.!\u3002\uff01]*$/.exec(
      tail,
    );
  const behind = last === null ? undefined : labelState(last[1] ?? '');
  if (last === null || behind === undefined) return undefined;
  const label = /[(\uff08]/.test(last[0]) ? 'around' : 'behind';
  return { item: bare.slice(0, bare.length - tail.length + last.index), state: behind, label };
}

const QUOTED = /["“„«「『‘']([^"“”„«»「」『』\n]{6,240})["”“»」』’']/;

/** `I completed "…"`, `„…“ ist jetzt abgeschlossen`: what stands around the quotation is a label. */
function quoted(sentence: string): Named | undefined {
  const match = QUOTED.exec(sentence);
  if (match === null || sentence.length - match[0].length > 60) return undefined;
  const around = `${sentence.slice(0, match.index)} ${sentence.slice(match.index + match[0].length)}`;
  const state = labelState(around);
  return state === undefined ? undefined : { item: match[1] ?? '', state, label: 'around' };
}

const MARK =
  /^(?:([✅☑✔✓])|([⬜☐])|([🔄⏳🚧]))\uFE0F?\s*(\S.{5,})$|^(\S.{5,}?)\s*(?:([✅☑✔✓])|([⬜☐])|([🔄⏳🚧]))\uFE0F?$/u;

const ANY_MARK = /[✅☑✔✓⬜☐🔄⏳🚧]/u;

function marked(sentence: string): Named | undefined {
  if (!ANY_MARK.test(sentence)) return undefined;
  const match = MARK.exec(sentence);
  if (match === null) return undefined;
  const item = match[4] ?? match[5] ?? '';
  const state = (match[1] ?? match[6]) ? 'done' : (match[2] ?? match[7]) ? 'open' : 'in progress';
  return { item, state, label: 'behind' };
}

/** "A; B": two to-dos. What follows the first full stop is another sentence. */
function itemsOf(item: string): string[] {
  const parts = item.split(/[;\uff1b]\s*/).map((part) => part.trim());
  return parts.length > 1 && parts.every((part) => part.length > 5) ? parts : [item];
}

/** To-dos in lists below a line that is a label and nothing else (`## Remaining`, `Still open:`). */
export function listsUnderLabels(speech: Speech): Found[] {
  const found: Found[] = [];
  let state: SaidState | undefined;
  let left = 0;
  let fenced = false;
  for (const line of speech.text.slice(0, LONGEST_PROSE).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced;
    if (fenced || line.trim() === '') continue;
    const bullet = /^(\s{0,3})(?:[-*+•]|\d{1,2}[.)、])\s+(\S.*)$/.exec(line);
    if (bullet === null) {
      if (/^\s{2,}/.test(line)) continue;
      state = headingState(line);
      left = MOST_ITEMS;
    } else if (state !== undefined && left > 0 && !/^\[[ xX~/>!-]\]/.test(bullet[2] ?? '')) {
      const item = bullet[2] ?? '';
      // An item may have a state of its own.
      if (beforeOrBehind(item) === undefined) found.push(...todo(item, state, { speech, stands: state !== 'done' }));
      left -= 1;
    }
  }
  return found;
}

/** `## Remaining`, `**Still open**`, `What is left:`. */
function headingState(line: string): SaidState | undefined {
  if (line.length > 80) return undefined;
  const heading = /^\s*#{1,6}\s|^\s*\*\*[^*]+\*\*[:\uff1a]?\s*$|[:\uff1a](?:\*\*)?\s*$/.test(line);
  return heading ? labelState(line.replace(/[:\uff1a]?(?:\*\*)?\s*$/, '')) : undefined;
}

function todo(
  words: string,
  state: SaidState,
  { speech, stands }: { readonly speech: Speech; readonly stands: boolean },
): Found[] {
  const value = stands || words.length <= LONGEST_ITEM ? itemText(words) : words;
  if (stands && (NOTHING.test(value) || looksLikeCode(value))) return [];
  const own = todoWords(value);
  if (own.names.length + own.words.length < 2) return [];
  return [
    { class: 'todo', value, key: plain(value), at: speech.at, by: speech.by, state, speaksOf: { ...own, stands } },
  ];
}

/** The to-do itself: to its first full stop, without the marks around it. */
function itemText(words: string): string {
  const text = words
    .slice(0, LONGEST_ITEM * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const first = text.split(/(?<=[\p{L}\p{N})`"”]{3})[.!](?=\s)|[\u3002\uff01]/u, 1)[0] ?? '';
  const bare = first.replace(/[.\s\u3002]+$/, '');
  const inner = /^(\*\*|["“„«「『`])([^*"“”„«»「」『』`]+)(?:\*\*|["”“»」』`])$/.exec(bare);
  return cutAtWord(inner?.[2] ?? bare, LONGEST_ITEM);
}

/** "Still open: nothing." */
const NOTHING =
  /^(?:nothing|none|no\b|nichts|keine?|rien|aucun|nada|ningun|nenhum|niente|nessun|niets|geen|nic\b|ничего|нет\b|yok|hiçbir|无|没有|なし|ありません|없음|없습니다|https?:)/i;
