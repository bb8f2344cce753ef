import { type CallExpression, type Expression, parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { TEXTS } from '../../src/language/english.ts';

/** What a source file says to its user. */
export interface Sentences {
  /** The sentences that `t` and `sentence` are given, as they stand in a bundle. */
  readonly wrapped: readonly string[];
  /** What cannot be translated as it is written, each with its place. */
  readonly breaches: readonly string[];
}

/** Fields that VS Code or the view shows. */
const SHOWN = /^(?:label|title|prompt|placeHolder|description|detail|text|tooltip|hint|what|next)$/;
const SHOWS = /^show(?:Information|Warning|Error)Message$|^(?:setStatusBarMessage|advise)$/;
const ATTRIBUTES = /\s(?:title|alt|placeholder|aria-(?:label|description|valuetext|roledescription))="([^"]*)"/g;

/** A single word in lower case may be a name in the code. */
const AN_ID = /^[a-z-]+$/;

/** Two letters are a word; signs, units and figures are the same in every language. */
const WORD = /\p{L}{2}/u;
const SAME_EVERYWHERE = /^(?:Karl|kB|MB)$/;

/** Code that only says what is shown; words elsewhere go to models, logs and files too. */
const ROOMS = /^src\/(?:host|webview)\//;

const CORE = /^src\/core\//;

const LANGUAGE = 'src/language/language.ts';

/** Reads TypeScript source: the sentences that are wrapped, and what is shown without being wrapped. */
export function readSentences(file: string, source: string): Sentences {
  const wrapped: string[] = [];
  const breaches: string[] = [];
  const report = (at: number, what: string) =>
    breaches.push(`${file}:${source.slice(0, at).split('\n').length}: ${what}`);
  const refuse = (shown: Expression): void => {
    if (!ROOMS.test(file)) return;
    for (const { text, at } of textsOf(shown)) {
      if (isWords(text) && !AN_ID.test(text)) report(at, `not wrapped in t(): ${text.trim()}`);
    }
  };
  let depth = 0;
  const enter = (): void => {
    depth += 1;
  };
  const leave = (): void => {
    depth -= 1;
  };
  const countValues = (call: CallExpression, text: string): void => {
    const places = new Set(text.match(/\{\d+\}/g)).size;
    if (call.arguments.length - 1 !== places) report(call.start, `not ${places} values for: ${text}`);
  };
  const readCall = (call: CallExpression): void => {
    const name = nameOf(call.callee);
    const [first] = call.arguments;
    if ((name === 't' || name === 'sentence') && file !== LANGUAGE) {
      const text = first?.type === 'Literal' ? first.value : undefined;
      if (typeof text !== 'string') report(call.start, 'the sentence is no literal');
      else {
        wrapped.push(text);
        countValues(call, text);
      }
      if (name === 't' && !ROOMS.test(file)) report(call.start, 'who reads it is not known here: return a sentence()');
      if (CORE.test(file)) report(call.start, 'core has no words: return a phrase()');
      if (name === 't' && depth === 0) report(call.start, 't() is called before the language is known');
    }
    if (name === 'phrase' && first?.type === 'Literal') countValues(call, TEXTS[first.value as keyof typeof TEXTS]);
    if (!SHOWS.test(name)) return;
    for (const shown of call.arguments) if (shown.type !== 'SpreadElement') refuse(shown);
  };
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    CallExpression: readCall,
    ObjectExpression: ({ properties }) => {
      const fields = properties.filter((one) => one.type === 'Property');
      // An object with a type is a part of a message or of its content, such as `{ type: 'text', text }`.
      if (fields.some(({ key }) => nameOf(key) === 'type')) return;
      for (const { key, value } of fields) if (SHOWN.test(nameOf(key)) && isExpression(value)) refuse(value);
    },
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (nameOf(tag) !== 'html' || !ROOMS.test(file)) return;
      for (const text of wordsOf(quasi)) report(quasi.start, `not wrapped in t(): ${text}`);
    },
  }).visit(parseSync(file, source).program);
  return { wrapped, breaches };
}

/** `t` of `t` and of `this.t`. */
function nameOf(node: { readonly type: string }): string {
  if ('name' in node && typeof node.name === 'string') return node.name;
  if ('property' in node) return nameOf(node.property as { readonly type: string });
  return '';
}

function isExpression(value: { readonly type: string }): value is Expression {
  return /^(?:Literal|TemplateLiteral|ConditionalExpression|LogicalExpression)$/.test(value.type);
}

/** The texts that an expression may stand for. */
function textsOf(node: Expression | undefined): readonly { readonly text: string; readonly at: number }[] {
  switch (node?.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ text: node.value, at: node.start }] : [];
    case 'TemplateLiteral':
      return [
        { text: node.quasis.map(({ value }) => value.raw).join('0'), at: node.start },
        ...node.expressions.flatMap(textsOf),
      ];
    case 'ConditionalExpression':
      return [...textsOf(node.consequent), ...textsOf(node.alternate)];
    case 'LogicalExpression':
      return [...textsOf(node.left), ...textsOf(node.right)];
    default:
      return [];
  }
}

/** Words in the text and in the attributes of a template of lit. */
function wordsOf({ quasis }: TemplateLiteral): readonly string[] {
  const page = quasis.map(({ value }) => value.raw).join('0');
  const attributes = [...page.matchAll(ATTRIBUTES)].map(([, value = '']) => value);
  const texts = page.replace(/<!--[\s\S]*?-->|<[^>]*>/g, '\n').split('\n');
  return [...attributes, ...texts].map((text) => text.trim()).filter(isWords);
}

function isWords(text: string): boolean {
  const words = text.replace(/\$\([a-z~-]+\)|&\w+;|[\w.-]*\.[\w.-]+|https?:\S+/g, ' ').trim();
  return WORD.test(words) && !SAME_EVERYWHERE.test(words.replaceAll('0', '').trim());
}
