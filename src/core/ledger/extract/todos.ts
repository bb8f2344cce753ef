import type { Found } from '../found.ts';
import { fieldName } from '../read/callFields.ts';
import type { Reading } from '../read/reading.ts';
import { wholeLines } from '../read/scanLines.ts';
import { cutAtWord, sentences } from '../read/sentences.ts';
import type { ToolUse } from '../read/toolUse.ts';
import { issueKey, plain } from '../same/todoKeys.ts';
import { isDone, isTicket, statesIn } from '../same/todoStates.ts';
import { todoWords } from '../words/todoWords.ts';
import { boxItem, printedRows } from './printedTodos.ts';
import { listsUnderLabels, sentenceTodo } from './proseTodos.ts';
import { spokenTickets } from './spokenTodos.ts';
import { asWritten, writtenText } from './todoFiles.ts';

/** Longest to-do text, characters; more checkboxes than this in one file are a document, not a working list. */
const LONGEST_TODO = 240;
const MOST_CHECKBOXES = 40;
const LONGEST_LIST = 60_000;

const TEXT_FIELDS = [
  'content',
  'step',
  'text',
  'title',
  'subject',
  'task',
  'description',
  'name',
  'item',
  'todo',
  'label',
  'summary',
  'headline',
  'goal',
  'desc',
];
const STATE_FIELDS = [
  'status',
  'state',
  'done',
  'completed',
  'checked',
  'complete',
  'progress',
  'column',
  'lane',
  'stage',
  'phase',
  'bucket',
];
const ID_FIELDS = ['id', 'taskid', 'todoid', 'itemid', 'key', 'number', 'ref', 'ticket', 'no', 'num', 'uid', 'code'];
const LIST_TOOL = /todo|plan|task|checklist|to_do/i;

/** To-dos with their latest state: from to-do tools by the shape of their arguments, checkboxes, and plain words. */
export function findTodos(reading: Reading): Found[] {
  return [
    ...(reading.human === undefined ? [] : textTodos(reading.human, reading.at, 'human')),
    ...(reading.model === undefined ? [] : textTodos(reading.model, reading.at, 'model')),
    ...reading.uses.flatMap((use) => {
      const asked = toolTodos(use);
      return [...asked, ...fileTodos(use), ...(asked.length === 0 ? printedTodos(use) : [])];
    }),
  ];
}

function toolTodos(use: ToolUse): Found[] {
  if (use.command !== undefined || !LIST_TOOL.test(use.name)) return checklistOf(use, false);
  const list = checklistOf(use, true);
  if (list.length > 0) return list;
  if (!isRecord(use.fields.parsed)) return [];
  const item = readItem(use.fields.parsed);
  if (item === undefined) return [];
  const numbered = item.id ?? /(?:#|\bid:?\s*)(\w{1,40})/i.exec(use.result?.text.slice(0, 200) ?? '')?.[1];
  if (item.text === undefined && numbered === undefined) return [];
  if (item.state === undefined && item.text === undefined) return [];
  return [
    todoFact({ ...item, ...(numbered === undefined ? {} : { id: numbered }), state: item.state ?? 'pending' }, use.at),
  ];
}

/** What a tool shows of to-dos. An issue's number is not that of an item in the agent's own list. */
function printedTodos(use: ToolUse): Found[] {
  const at = use.result?.at ?? use.at;
  return printedRows(use).map((row) => {
    const fact = todoFact(row, at, 'tool');
    // What a document ticks off is news of a to-do that is known, and none of its own.
    if (row.id === undefined && isDone(row.state))
      return { ...fact, speaksOf: { ...todoWords(fact.value), stands: false } };
    return use.command !== undefined && /^#?\d+$/.test(row.id ?? '') ? { ...fact, key: issueKey(fact.key) } : fact;
  });
}

/** A list of objects that have a text and a state is a to-do list, whatever the tool is called. */
function checklistOf(use: ToolUse, known: boolean): Found[] {
  const { parsed } = use.fields;
  const lists = Array.isArray(parsed) ? [parsed] : isRecord(parsed) ? Object.values(parsed) : [];
  for (const candidate of lists) {
    const list: unknown = typeof candidate === 'string' && known ? parseList(candidate) : candidate;
    if (typeof list === 'string') {
      const boxes = checkboxes(list, use.at, 'model', `list ${use.name}`);
      if (boxes.length > 0) return boxes;
    }
    if (!Array.isArray(list) || list.length === 0) continue;
    const items = list.filter(isRecord).map(readItem);
    const complete = items.filter((item) => item?.text !== undefined && (known || item.state !== undefined));
    if (complete.length === 0 || complete.length < list.length / 2) continue;
    return complete.flatMap((item) =>
      item === undefined ? [] : [listed(todoFact({ state: 'pending', ...item }, use.at), use.name)],
    );
  }
  return [];
}

/** A ticket stands on a tracker, too: that a list no longer has it says nothing of it. */
function listed(fact: Found, list: string): Found {
  return fact.anchor !== undefined && isTicket(fact.anchor) ? fact : { ...fact, list };
}

function parseList(text: string): unknown {
  if (!text.trimStart().startsWith('[')) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

interface Item {
  readonly text?: string;
  readonly state?: string;
  readonly id?: string;
}

function readItem(source: Readonly<Record<string, unknown>>): Item | undefined {
  const item: { text?: string; state?: string; id?: string } = {};
  const fields = Object.entries(source).map(([name, value]) => [fieldName(name), value] as const);
  for (const wanted of TEXT_FIELDS) {
    const value = fields.find(([name, text]) => name === wanted && typeof text === 'string')?.[1];
    if (typeof value === 'string' && item.text === undefined) item.text = value;
  }
  for (const [name, value] of fields) {
    if (STATE_FIELDS.includes(name) && typeof value === 'string') item.state ??= value;
    if (STATE_FIELDS.includes(name) && typeof value === 'boolean') item.state ??= value ? 'done' : 'open';
    if (ID_FIELDS.includes(name) && (typeof value === 'string' || typeof value === 'number')) item.id ??= String(value);
  }
  return item.text === undefined && item.id === undefined ? undefined : item;
}

/** `TASK-12: migrate`, `[R-17] migrate` and `#3 migrate` name themselves. */
const LEADING_ID = /^\W{0,3}([A-Z]{1,8}-\d{1,5}|[A-Z]{1,8}\d{1,5}|(?<=#)\d{1,5})\b(?!\.\d)/;

function todoFact(item: Item, at: number, by: Found['by'] = 'model'): Found {
  const id = (item.id ?? LEADING_ID.exec(item.text ?? '')?.[1])?.replace(/^#(?=.)/, '');
  const text = cutAtWord(
    (item.text ?? '')
      .slice(0, LONGEST_TODO * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    LONGEST_TODO,
  );
  return {
    class: 'todo',
    value: text !== '' ? text : id !== undefined && isTicket(id) ? id : `#${id ?? ''}`,
    key: id === undefined ? plain(text) : id.toLowerCase(),
    at,
    by,
    ...(item.state === undefined ? {} : { state: item.state }),
    ...(id === undefined ? {} : { anchor: id }),
  };
}

/** Checkboxes in what is written to a file: small lists only. */
function fileTodos(use: ToolUse): Found[] {
  if (use.result?.failed === true || !ANY_BOX.test(use.command ?? use.source)) return [];
  const written = writtenText(use);
  if (written === undefined || !written.text.includes('[')) return [];
  const boxes = asWritten(written, (text) => checkboxes(text, use.at, 'model', undefined));
  return boxes.length > MOST_CHECKBOXES ? [] : boxes;
}

const ANY_BOX = /\[[ xX~/>!-]\]/;
const CHECKBOX = /^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+\[([ xX~/>!-])\][ \t]+(\S[^\n]{0,400})$/gm;

function checkboxes(text: string, at: number, by: Found['by'], list: string | undefined): Found[] {
  return [...wholeLines(text, LONGEST_LIST).matchAll(CHECKBOX)].map((match) => {
    const fact = todoFact(boxItem(match[1] ?? '', match[2] ?? ''), at, by);
    return list === undefined ? fact : listed(fact, list);
  });
}

const ITEM_WORD =
  /(?<![\p{L}])(?:to-?dos?|tasks?|items?|steps?|tickets?|aufgaben?|schritte?|punkte?|tâches?|étapes?|tareas?|pasos?|tarefas?|задач\p{L}*)(?![\p{L}])|任务|待办|步骤|タスク|할 일|작업/iu;
const ITEM_ID =
  /(?<![\p{L}\p{N}])(?:#(\d{1,5})|([A-Z]{1,8}-?\d{1,5})|(?:to-?do|task|item|step|ticket|Aufgabe|Schritt|Punkt|tâche|étape|tarea|任务|待办|步骤|タスク)[ #\uff03]{0,2}(\d{1,4}))(?![\p{N}])/giu;
/** A word for to-do directly before the number. */
const NAMED_BEFORE = new RegExp(`(?:${ITEM_WORD.source}|待办)[ #\\uff03]{0,2}\\d{1,5}$`, 'iu');

function textTodos(text: string, at: number, by: Found['by']): Found[] {
  const boxes = checkboxes(text, at, by, undefined);
  const found = boxes.length > MOST_CHECKBOXES ? [] : boxes;
  const boxed = new Set(boxes.map((box) => box.key));
  const speech = { text, at, by };
  found.push(...listsUnderLabels(speech));
  for (const sentence of sentences(text)) {
    const tickets = spokenTickets(sentence, by).map((ticket) => todoFact(ticket, at, by));
    found.push(...tickets.filter((fact) => !boxed.has(fact.key)));
    if (tickets.length > 0) continue;
    const numbered = namesByNumber(sentence) ? spokenTodos(sentence, at, by) : [];
    // A checkbox tells its own state better than the words behind it.
    found.push(...numbered.filter((fact) => fact.state !== undefined || !boxed.has(fact.key)));
    if (numbered.every((fact) => fact.state === undefined) && !boxed.has(plain(sentence)))
      found.push(...sentenceTodo(sentence, speech));
  }
  return found;
}

function namesByNumber(sentence: string): boolean {
  return (
    ITEM_WORD.test(sentence) ||
    LABELLED.test(sentence) ||
    ((LEADS.test(sentence) || LABELLED_BEHIND.test(sentence)) && statesIn(sentence).length > 0)
  );
}

/** `T-9: done`, `#6 (write the guide) is finished`, `still open, #13: …`, without any word for to-do. */
const PREFIX = String.raw`^(?:[|>*\s]|\*\*|[✅☑✔✓🔄⏳🚧⬜☐❌]\uFE0F?|\p{L}[\p{L} ]{1,20}[:\uff1a]){0,3}\s*`;
/** `KRL-12 …` at the beginning, behind a box or a state at most. A norm's or a cipher's name is no to-do. */
const LEADS = new RegExp(
  `${PREFIX}(?!(?:UTF|SHA|ISO|RFC|CVE|HTTP|UTC|MD|GPT|ES|TLS|AES|IEEE|PR|V|P)-?\\d)(?:[A-Z]{2,8}-\\d{1,5}|[A-Z]{1,3}\\d{2,4})(?![\\p{L}\\p{N}.])`,
  'u',
);
/** `port the mailer (KRL-12): done`. */
const LABELLED_BEHIND = /[(\uff08](?:[A-Z]{2,8}-\d{1,5}|[A-Z]{1,3}\d{2,4})[)\uff09]\s*[:\uff1a–—-]/u;
const LABELLED =
  /^\|?\s*(?:[A-Z]{1,8}-\d{1,5}\s*(?:[:\uff1a→–(\uff08|-]|->|(?:is|ist|est|está|es)\b|は)|[A-Z]{1,3}\d{1,4}\s*(?:[:\uff1a(\uff08|]|[-–→]\s|(?:is|ist|est|está)\b|は))|^\|?\s*#\d{1,4}(?![\p{L}\p{N}_-])|(?<!\b(?:PR|MR|issues?|requests?|fix(?:es)?|closes?|refs?|bug)\s?)(?<=[\s,])#\d{1,4}\s?[:\uff1a(\uff08]/iu;

/** The to-dos that a sentence names by an id, each with the state that follows it. */
function spokenTodos(sentence: string, at: number, by: Found['by']): Found[] {
  const ids = [...sentence.matchAll(ITEM_ID)];
  return ids.flatMap((id, index) => {
    const segment = sentence.slice(id.index + id[0].length, ids[index + 1]?.index);
    const said = statesIn(segment)[0] ?? (ids.length === 1 ? statesIn(sentence)[0] : undefined);
    const before = sentence.slice(0, id.index);
    // `Task #7: write the guide` puts it on the list.
    const isLabel = NAMED_BEFORE.test(before + id[0]) && /^\s?[:\uff1a]\s*\S/.test(segment);
    const state = said?.text ?? (isLabel ? 'open' : undefined);
    if (state === undefined && !sentence.includes('#')) return [];
    // A bare number counts only with its word: "step 3" is not the third item of a tool's list; "step #3" is.
    const name = id[1] ?? id[2] ?? (id[0].includes('#') ? id[3] : undefined) ?? id[0];
    // Of a ticket the words around it were looked at: they tell no state that it has.
    if (state !== undefined && !isLabel && isTicket(name)) return [];
    const item = { id: name, text: sentence };
    return [todoFact(state === undefined ? item : { ...item, state }, at, by)];
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
