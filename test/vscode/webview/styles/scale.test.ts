import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../setup/root.ts';

/** A size of a text or a corner as a figure of its own; `1em` and a circle are no sizes of the scale. */
const OWN_FIGURE = /font-size: (?!1em)[\d.]+(?:em|px)|border-radius: [^;]*\d(?:px|em)/;

it('the sizes of texts and corners are those of the scale of the page', () => {
  const folder = path.join(root, 'src/webview');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  assert.ok(files.length > 40);
  const others = files.filter((name) => OWN_FIGURE.test(fs.readFileSync(path.join(folder, name), 'utf8')));
  assert.deepEqual(others, []);
});
