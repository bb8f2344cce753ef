import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { TEXTS } from '../src/language/english.ts';
import { readSentences } from './language/readSentences.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const readTexts = (file: string): Readonly<Record<string, string>> => JSON.parse(read(file));

const source = fs
  .globSync('src/**/*.ts', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, ...readSentences(file, read(file)) }));

/** The placeholders of a text, in order. */
const placesIn = (text: string): readonly string[] => (text.match(/\{\d+\}/g) ?? []).sort();

/** The commands, settings and links that a text names: they are called the same in every language. */
const namesIn = (text: string): readonly string[] => (text.match(/`[^`]+`|\]\([^)]+\)|\bkarl\.[\w.]+\w/g) ?? []).sort();

describe('what Karl says', () => {
  it('can be translated: a literal, wrapped where it is shown', () => {
    assert.ok(source.length > 300, `only ${source.length} files were found`);
    const breaches = source.flatMap(({ breaches }) => breaches);
    assert.deepEqual(breaches, []);
  });

  it('is in the German bundle whole, and nothing else is; a new sentence is added to l10n/bundle.l10n.de.json', () => {
    const said = [...new Set([...Object.values(TEXTS), ...source.flatMap(({ wrapped }) => wrapped)])];
    const german = readTexts('l10n/bundle.l10n.de.json');
    assert.deepEqual(
      said.filter((sentence) => german[sentence] === undefined),
      [],
      'missing in l10n/bundle.l10n.de.json',
    );
    assert.deepEqual(
      Object.keys(german).filter((sentence) => !said.includes(sentence)),
      [],
      'nobody says it any more: take it out of l10n/bundle.l10n.de.json',
    );
    assert.deepEqual(Object.keys(german), said.toSorted(), 'l10n/bundle.l10n.de.json is in the order of its keys');
  });

  it('of core is all in use', () => {
    const core = source.filter(({ file }) => file.startsWith('src/core/')).map(({ file }) => read(file));
    const isUsed = (code: string) => core.some((text) => text.includes(`phrase('${code}'`));
    const unused = Object.keys(TEXTS).filter((code) => !code.startsWith('skipped.') && !isUsed(code));
    assert.deepEqual(unused, []);
  });

  it('is in German in every text of the manifest', () => {
    const english = readTexts('package.nls.json');
    const german = readTexts('package.nls.de.json');
    assert.deepEqual(Object.keys(german), Object.keys(english), 'package.nls.de.json has the keys of package.nls.json');
  });

  it('has the same values, commands, settings and links in both languages', () => {
    const texts = { ...readTexts('l10n/bundle.l10n.de.json') };
    const english = readTexts('package.nls.json');
    for (const [key, text] of Object.entries(readTexts('package.nls.de.json'))) texts[english[key] ?? key] = text;
    for (const [said, german] of Object.entries(texts)) {
      assert.notEqual(german.trim(), '', said);
      assert.deepEqual(placesIn(german), placesIn(said), said);
      assert.deepEqual(namesIn(german), namesIn(said), said);
    }
  });
});

describe('the rules for what Karl says', () => {
  // `@` stands for the dollar sign of a template.
  const breachesOf = (text: string, file = 'src/host/a.ts') =>
    readSentences(file, text.replaceAll('@{', '${')).breaches.length;

  for (const text of [
    'const f = (name: string) => t(`Hello @{name}`);',
    'const HELLO = t("Hello");',
    'const f = () => t("{0} of {1}", count);',
    "const f = () => phrase('by-hand.gone');",
    "showWarningMessage('The server is gone.');",
    "const item = () => ({ label: many ? 'two files' : t('one file') });",
    'const f = () => html`<p>Nothing <b>here</b></p>`;',
    'const f = () => html`<button title="Go there">@{x}</button>`;',
  ]) {
    it(`refuse ${text}`, () => assert.equal(breachesOf(text) > 0, true));
  }

  it('let only the host and the webview speak', () => {
    assert.equal(breachesOf("const f = () => t('Hello');", 'src/adapters/a.ts'), 1);
    assert.equal(breachesOf("const HELLO = sentence('Hello');", 'src/adapters/a.ts'), 0);
    assert.equal(breachesOf("const HELLO = sentence('Hello');", 'src/core/a.ts'), 1);
  });

  for (const text of [
    "const f = () => t('Hello {0}', name);",
    "const item = () => ({ label: t('one file'), title: name, detail: `@{a}: @{b}` });",
    "const f = () => html`<p class='muted words' @click=@{() => go('far away')}>@{t('Nothing')} &middot; 5</p>`;",
  ]) {
    it(`allow ${text}`, () => assert.equal(breachesOf(text), 0));
  }
});
