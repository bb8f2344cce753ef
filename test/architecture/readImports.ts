import { parseSync, Visitor } from 'oxc-parser';

/** One import, re-export, dynamic import, import type or require of a source file. */
export interface Import {
  readonly specifier: string;
  /** Erased by the compiler: `import type`, `export type ... from`, only `type` names in the braces, or a type. */
  readonly typeOnly: boolean;
}

/** Whether a statement, or one of its names, is of a type. */
const isType = (one: object): boolean =>
  ('importKind' in one && one.importKind === 'type') || ('exportKind' in one && one.exportKind === 'type');

/** Reads the imports of TypeScript source. Literal specifiers only: a computed one is not found. */
export function readImports(source: string): readonly Import[] {
  const imports: Import[] = [];
  const add = (from: object | null | undefined, typeOnly: boolean): void => {
    if (from && 'value' in from && typeof from.value === 'string') imports.push({ specifier: from.value, typeOnly });
  };
  const addNames = (from: object | null, all: object, names: readonly object[]): void =>
    add(from, isType(all) || (names.length > 0 && names.every(isType)));
  new Visitor({
    ImportDeclaration: (one) => addNames(one.source, one, one.specifiers),
    ExportNamedDeclaration: (one) => addNames(one.source, one, one.specifiers),
    ExportAllDeclaration: (one) => addNames(one.source, one, []),
    ImportExpression: ({ source }) => add(source, false),
    TSImportType: ({ source }) => add(source, true),
    CallExpression: ({ callee, arguments: [first] }) => {
      if (callee.type === 'Identifier' && callee.name === 'require') add(first, false);
    },
  }).visit(parseSync('source.ts', source).program);
  return imports;
}
