import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { presentNothing } from '../../../src/host/present/presenter.ts';
import { speak } from '../../../src/language/language.ts';
import type { ViewState } from '../../../src/protocol/viewState.ts';
import { COMPACTION, given, present } from '../../host/present/kit.ts';
import { CONTENTS } from './contentsSample.ts';
import { isCutOff, useWebview } from './page.ts';
import { view } from './sample.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const SENTENCES: Readonly<Record<string, string>> = JSON.parse(
  fs.readFileSync(path.join(ROOT, 'l10n/bundle.l10n.de.json'), 'utf8'),
);
const WIDTH = 220;

/** Everything that the page says, seen or read aloud, and what reaches beyond its right edge. */
function readPage(width: number): { readonly said: string[]; readonly beyond: string[] } {
  const said: string[] = [];
  const beyond: string[] = [];
  const visit = (node: ParentNode): void => {
    for (const element of node.querySelectorAll('*')) {
      for (const name of ['title', 'aria-label', 'aria-valuetext', 'placeholder'])
        said.push(element.getAttribute(name) ?? '');
      for (const child of element.childNodes) if (child instanceof Text) said.push(child.data);
      const { right, width: wide } = element.getBoundingClientRect();
      const isDrawn = wide > 0 && element.checkVisibility();
      if (isDrawn && /^(?:BUTTON|TEXTAREA|SELECT|P|H2|DT|DD|LI)$/.test(element.tagName) && right > width)
        beyond.push(`${element.tagName} ${element.textContent.trim()} ends at ${right}`);
      if (element.shadowRoot !== null) visit(element.shadowRoot);
    }
  };
  visit(document);
  return { said: said.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== ''), beyond };
}

/** English sentences, whole or with their values, that are others in German. */
const ENGLISH = Object.entries(SENTENCES)
  .filter(([english, german]) => english !== german && /[a-z]{3}/.test(english.replace(/\{\d\}/g, '')))
  .map(([key]) => key.replace(/[\\^$.*+?()[\]|]/g, '\\$&').replace(/\{\d\}/g, '[^a-z]*'))
  .map((shape) => new RegExp(`^${shape}$`));

describe('the view in German', () => {
  before(() => speak('de', SENTENCES));
  after(() => speak('en', {}));
  const web = useWebview({
    width: WIDTH,
    spoken: { language: 'de', sentences: SENTENCES },
  });

  const conversation = () =>
    given({ used: 12_345, compactions: [COMPACTION], budget: { limit: 15_000, window: 17_000 } });
  const other = { queued: ['Weiter.'], unfinished: SENTENCES['This message has no answer yet.'] ?? '' };
  const states: Readonly<Record<string, () => ViewState>> = {
    'the empty view': () => presentNothing(1, []),
    'the conversation': () => ({ ...present(conversation()), ...other }),
    'what the model sees': () => present(conversation(), { shows: 'request' }),
    'what fills the window': () => present(conversation(), { showsContents: true }),
  };
  for (const [name, make] of Object.entries(states)) {
    it(`says nothing in English and fits into ${WIDTH} pixels: ${name}`, async () => {
      await web.show(make());
      const { said, beyond } = await web.page.evaluate(readPage, WIDTH);
      const english = said.filter((text) => ENGLISH.some((shape) => shape.test(text)));
      assert.deepEqual(english, []);
      assert.deepEqual(beyond, []);
      const wide = await web.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= WIDTH, `${wide} pixels wide`);
    });
  }

  it('says it in German, with German figures and the language of the page', async () => {
    await web.show(states['the conversation']?.() ?? view());
    const { said } = await web.page.evaluate(readPage, WIDTH);
    assert.equal(await web.page.locator('html').getAttribute('lang'), 'de');
    for (const words of ['Komprimieren', 'Gesamtverlauf', '12.345', 'Systemprompt', 'Senden', 'Rückgängig'])
      assert.ok(said.includes(words), `${words} is not among ${said.join(' | ')}`);
    const hasShare = said.some((text) => /^82[ \u00a0]%$/.test(text));
    assert.ok(hasShare, 'the share of the budget');
  });

  it('has room for some words of the title beside the button that compresses', async () => {
    await web.draw();
    const { width } = (await web.page.locator('h1').boundingBox()) ?? assert.fail('it is not drawn');
    assert.ok(width >= 70, `${width} pixels for the title`);
    await web.press('Komprimieren');
    assert.deepEqual(await web.asked(), ['compress']);
  });

  it('has the name of every source whole, on two lines if need be', async () => {
    const groups = ['Summaries', 'Your messages', 'Tool results', 'Tool definitions'].map((source, index) => {
      const group = CONTENTS.groups[index] ?? assert.fail();
      return { ...group, label: SENTENCES[source] ?? '' };
    });
    await web.draw({ contents: { ...CONTENTS, groups } });
    const names = web.page.locator('karl-contents .line > .label');
    const shown = await names.evaluateAll((all) =>
      all.map(({ textContent, scrollWidth, clientWidth }) => [textContent?.trim(), scrollWidth <= clientWidth]),
    );
    const expected = groups.map(({ label }) => [label, true]);
    assert.deepEqual(shown, expected);
  });

  it('has both sides of the conversation whole where the view is as narrow as can be', async () => {
    await web.page.setViewportSize({ width: 200, height: 760 });
    await web.draw({ compressions: [41, 52, 60] });
    const sides = web.page.locator('karl-switch label');
    assert.equal(await sides.count(), 2);
    for (const side of await sides.all()) assert.ok(!(await isCutOff(side)));
  });
});
