import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describeReceipt } from '../../../src/host/present/receipt.ts';
import { speak, t } from '../../../src/language/language.ts';
import { compact, converse, logOf, scripted, WORK } from './kit.ts';

/** Marks every sentence of Karl's in a made-up language. */
const MARK = '¤';
const bundle = path.resolve(import.meta.dirname, '../../../l10n/bundle.l10n.de.json');
const MARKED = Object.fromEntries(
  Object.keys(JSON.parse(fs.readFileSync(bundle, 'utf8'))).map((sentence) => [sentence, `${MARK}${sentence}`]),
);

describe('a conversation of a user who reads another language', () => {
  beforeEach(() => speak('de', MARKED));
  afterEach(() => speak('en', {}));

  it('is English for the model, in the log and on the disk, and in that language for the user', async () => {
    const conversation = converse(WORK, { summarizer: scripted('') });
    const lines = logOf(conversation);
    const failed = await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(failed.kind === 'failed', failed.kind);
    const skipped = await converse([]).compact({ trigger: 'command' });
    assert.ok(skipped.kind === 'skipped', skipped.kind);
    const result = await compact(conversation);
    assert.ok(lines.filter((line) => line !== '').length >= 4);
    const kept = { request: conversation.request(), snapshot: conversation.snapshot(), failed, skipped, lines };
    assert.ok(!JSON.stringify(kept).includes(MARK), JSON.stringify(kept));
    assert.ok(describeReceipt(result.receipt).every((sentence) => sentence.startsWith(MARK)));
    assert.equal(t('Undo'), `${MARK}Undo`);
  });
});
