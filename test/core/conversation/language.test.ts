import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { KarlEvent } from '../../../src/core/events/event.ts';
import { formatEvent } from '../../../src/core/events/format.ts';
import { speak, t } from '../../../src/core/language.ts';
import { describeReceipt } from '../../../src/host/present/receipt.ts';
import { assistant, converse, reads, scripted, system, user } from './kit.ts';

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
    const lines: (string | undefined)[] = [];
    const summarizer = scripted('');
    const messages = [system('You are an agent.'), user('Fix it.'), ...reads(20), assistant('Done.'), user('And now?')];
    const conversation = converse(messages, { summarizer });
    conversation.on((event: KarlEvent) => lines.push(formatEvent(event, { at: 0, conversation: 'c', model: 'm' })));
    const failed = await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(failed.kind === 'failed', failed.kind);
    const skipped = await converse([]).compact({ trigger: 'command' });
    assert.ok(skipped.kind === 'skipped', skipped.kind);
    const result = await conversation.compact({ trigger: 'command' });
    assert.ok(result.kind === 'compacted', result.kind);
    assert.ok(lines.filter((line) => line !== undefined).length >= 4);
    const kept = { request: conversation.request(), snapshot: conversation.snapshot(), failed, skipped, lines };
    assert.ok(!JSON.stringify(kept).includes(MARK), JSON.stringify(kept));
    assert.ok(describeReceipt(result.receipt).every((sentence) => sentence.startsWith(MARK)));
    assert.equal(t('Undo'), `${MARK}Undo`);
  });
});
