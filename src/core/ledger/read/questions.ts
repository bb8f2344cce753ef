import { parseJson } from './callFields.ts';
import type { ToolUse } from './toolUse.ts';

/** A question that a tool puts to the human, with what it offers. */
export interface Question {
  readonly text: string;
  /** Under what the answer may stand in a structured result: an id, a heading. */
  readonly names: readonly string[];
  readonly options: readonly Option[];
}

/** One thing to choose. */
export interface Option {
  readonly label: string;
  /** A short name that an answer may give instead of the label. */
  readonly id?: string;
}

const OPTION_FIELDS = /^(?:options?|choices?|suggest(?:ions?)?|follow_?ups?|alternatives|answers|enum|selections?)$/i;
const TEXT_FIELDS = ['question', 'prompt', 'message', 'query', 'text', 'title', 'header', 'description'];
const LABEL_FIELDS = ['label', 'title', 'text', 'name', 'value', 'option', 'answer'];
const NAME_FIELDS = ['id', 'key', 'name', 'header', 'field'];

/** How deep arguments are looked into, and how many questions one call may ask. */
const DEEPEST = 6;
const MOST_QUESTIONS = 12;

/** Reads the questions of a call, whatever the tool calls its fields: a text beside a list of two or more options. */
export function questionsOf(use: ToolUse): Question[] {
  const found: Question[] = [];
  const { parsed } = use.fields;
  if (typeof parsed === 'object' && parsed !== null) walk(parsed, { text: '', names: [] }, found, 0);
  if (!found.some((question) => question.text !== '')) {
    const text = TEXT_FIELDS.flatMap((field) => use.fields.text.get(field) ?? [])[0];
    if (text !== undefined) found.push({ text, names: [], options: writtenOptions(use) });
  }
  return found.filter((question) => question.text !== '' && question.options.length > 1).slice(0, MOST_QUESTIONS);
}

function walk(node: object, above: Omit<Question, 'options'>, found: Question[], depth: number): void {
  if (depth > DEEPEST || found.length >= MOST_QUESTIONS) return;
  if (Array.isArray(node)) {
    for (const item of node.slice(0, MOST_QUESTIONS)) {
      if (typeof item === 'object' && item !== null) walk(item, above, found, depth + 1);
    }
    return;
  }
  const entries = Object.entries(node);
  const text = stringIn(node, TEXT_FIELDS) ?? above.text;
  const names = NAME_FIELDS.flatMap((field) => stringIn(node, [field]) ?? []);
  for (const [field, value] of entries) {
    const options = OPTION_FIELDS.test(field) ? optionsOf(value) : [];
    if (options.length > 1) found.push({ text, names: [...names, ...above.names], options });
    else if (typeof value === 'object' && value !== null) {
      walk(value, { text, names: [...names, field] }, found, depth + 1);
    }
  }
}

function optionsOf(value: unknown): Option[] {
  const list = typeof value === 'string' ? parseJson(value) : value;
  if (!Array.isArray(list)) return [];
  return list.slice(0, 30).flatMap((item: unknown): Option[] => {
    if (typeof item === 'string') return item.trim() === '' ? [] : [{ label: item.trim() }];
    if (typeof item !== 'object' || item === null) return [];
    const label = stringIn(item, LABEL_FIELDS);
    const id = stringIn(item, ['id', 'value', 'key']);
    return label === undefined ? [] : [{ label: label.trim(), ...(id === undefined ? {} : { id }) }];
  });
}

/** Options of a call written as text: a JSON list, or one element each. */
function writtenOptions(use: ToolUse): Option[] {
  for (const [field, values] of use.fields.text) {
    if (!OPTION_FIELDS.test(field)) continue;
    const listed = values.length > 1 ? optionsOf(values) : optionsOf(values[0]);
    if (listed.length > 1) return listed;
    const items = [...(values[0] ?? '').matchAll(/<(\w{1,20})(?:\s[^<>]{0,80})?>([^<>]{1,400})<\/\1>/g)];
    const lines = items.length > 1 ? items.map((item) => item[2] ?? '') : (values[0] ?? '').split('\n');
    const options = optionsOf(lines.slice(0, 30).map((line) => line.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')));
    if (options.length > 1) return options;
  }
  return [];
}

function stringIn(node: object, fields: readonly string[]): string | undefined {
  for (const field of fields) {
    const value: unknown = (node as Record<string, unknown>)[field];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  return undefined;
}

/** `**Question?** … Options: - **A** - … **Answer:** A`: a log that keeps question, options and answer in one text. */
export function writtenQuestion(text: string): { readonly question: Question; readonly answer: string } | undefined {
  const answer = /\n\s*\*{0,2}(?:User )?Answer:?\*{0,2}:?\s*(\S[\s\S]{0,600})$/i.exec(text.slice(-1200));
  const blocks = text.slice(0, 8000).split(/\n\s*Options:\s*\n/);
  const asked = /\*\*([^*\n]{4,600})\*\*[^\n]*\s*$/.exec(blocks[0] ?? '')?.[1];
  if (answer?.[1] === undefined || blocks.length !== 2 || asked === undefined) return undefined;
  const options = [...(blocks[1] ?? '').matchAll(/^\s*[-*\d.]+\s+\*\*([^*\n]{1,200})\*\*/gm)];
  if (options.length < 2) return undefined;
  return {
    question: { text: asked, names: [], options: options.map((option) => ({ label: (option[1] ?? '').trim() })) },
    answer: answer[1].trim(),
  };
}
