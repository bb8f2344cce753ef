import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { SkipReason } from '../../../src/core/compaction/compaction.ts';
import { phrase } from '../../../src/core/phrase.ts';
import { describeReceipt, describeSkipped } from '../../../src/host/present/receipt.ts';
import { speak } from '../../../src/language/language.ts';
import { RECEIPT } from './kit.ts';

describe('the receipt', () => {
  it('has every sentence in the language of the user', () => {
    const english = describeReceipt(RECEIPT);
    speak('de', JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')));
    const german = describeReceipt(RECEIPT);
    speak('en', {});
    assert.deepEqual([english.length, german.filter((text) => english.includes(text))], [german.length, []]);
  });

  it('says how much of the request the prompt cache can still use', () => {
    assert.ok(describeReceipt({ ...RECEIPT, prefixKept: 0.02 }).includes('Prompt cache reusable: 2%'));
    const { limitTokens: _, ...old } = RECEIPT;
    assert.ok(describeReceipt(old).includes('Prompt cache reusable: 3,100 tokens'));
  });

  it('says how many claims of the summary were not found in the conversation, and which', () => {
    const one = describeReceipt(RECEIPT);
    assert.ok(one.includes('Removed 1 claim not found in the conversation: “src/invented.ts”.'), one.join('\n'));
    const two = describeReceipt({ ...RECEIPT, rejected: ['RSA', 'DSA'], unverified: 3 });
    assert.ok(two.includes('Statements marked as unverified: 3.'));
    assert.ok(two.includes('Removed 2 claims not found in the conversation: “RSA”, “DSA”.'), two.join('\n'));
  });
});

describe('a run that was skipped', () => {
  const told = (reason: SkipReason) =>
    describeSkipped({ kind: 'skipped', strategy: 'adaptive', reason, message: phrase(`skipped.${reason}`) });

  it('gives its reason once', () => {
    assert.equal(
      told('nothing-to-compact'),
      'Nothing was compressed: only the prompt, pinned messages, the current request and summaries are left.',
    );
    assert.equal(told('already-under-target'), 'Nothing was compressed. The conversation is already under the target.');
  });
});
