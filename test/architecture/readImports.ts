/** One import, re-export, dynamic import, import type or require of a source file. */
export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: `import type`, `export type ... from`, or only `type` names in the braces. */
  readonly typeOnly: boolean;
}

type Token = { readonly kind: 'word' | 'string' | 'sign'; readonly text: string };

/** After one of these a slash begins a regular expression and not a division. */
const BEFORE_REGULAR_EXPRESSION = /^(?:[(,=:[!&|?{};+\-*%<>~^]|return|typeof|case|in|of|delete|void|throw|else|do)$/;

/**
 * Reads the imports of TypeScript source. Comments, strings and regular expressions are skipped as wholes, so that text
 * which only looks like an import does not count. Literal specifiers only: a computed one is not found.
 */
export function readImports(source: string): readonly Import[] {
  const tokens = readTokens(source);
  const at = (index: number) => tokens[index]?.text;
  const literal = (index: number) => (tokens[index]?.kind === 'string' ? tokens[index].text.slice(1, -1) : undefined);
  const imports: Import[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || at(index - 1) === '.') continue;
    if (token.text === 'from') {
      const specifier = literal(index + 1);
      const start = findStatement(tokens, index);
      if (specifier !== undefined && start !== undefined) {
        imports.push({ specifier, typeOnly: isTypeOnly(tokens.slice(start + 1, index).map((one) => one.text)) });
      }
    } else if (token.text === 'import') {
      const specifier = literal(index + 1) ?? (at(index + 1) === '(' ? literal(index + 2) : undefined);
      // A type position (`x: import('y').Z`) cannot be told from a dynamic import here: both count as code.
      if (specifier !== undefined) imports.push({ specifier, typeOnly: false });
    } else if (token.text === 'require' && at(index + 1) === '(') {
      const specifier = literal(index + 2);
      if (specifier !== undefined) imports.push({ specifier, typeOnly: false });
    }
  }
  return imports;
}

/** The index of the `import` or `export` that the word `from` belongs to: only names, braces, commas and stars between. */
function findStatement(tokens: readonly Token[], from: number): number | undefined {
  for (let index = from - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (token?.text === 'import' || token?.text === 'export') return index;
    if (token?.kind !== 'word' && !/^[{},*]$/.test(token?.text ?? '')) return undefined;
  }
  return undefined;
}

function isTypeOnly(clause: readonly string[]): boolean {
  if (clause[0] === 'type' && clause[1] !== ',' && clause.length > 1) return true;
  if (clause[0] !== '{') return false;
  const names = clause.slice(1, -1).join(' ').split(',');
  return names.every((name) => name.trim() === '' || /^type \S/.test(name.trim()));
}

/** The words, strings, regular expressions and signs of TypeScript source, without comments. */
export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|[\p{ID_Start}$_][\p{ID_Continue}$]*|\/|\d[\w.]*|[^\s]/uy;
  const regularExpression = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y;
  let position = 0;
  while (position < source.length) {
    if (/\s/.test(source[position] ?? '')) {
      position += 1;
      continue;
    }
    pattern.lastIndex = position;
    let text = pattern.exec(source)?.[0] ?? source[position] ?? '';
    if (text === '/' && BEFORE_REGULAR_EXPRESSION.test(tokens.at(-1)?.text ?? ';')) {
      regularExpression.lastIndex = position;
      text = regularExpression.exec(source)?.[0] ?? text;
    }
    position += text.length;
    if (!/^\/[/*]/.test(text)) tokens.push({ kind: readKind(text), text });
  }
  return tokens;
}

function readKind(text: string): Token['kind'] {
  if (/^['"`]/.test(text)) return 'string';
  return /^[\p{ID_Start}$_]/u.test(text) ? 'word' : 'sign';
}
