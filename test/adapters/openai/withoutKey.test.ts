import assert from 'node:assert/strict';
import { withoutKey } from '../../../src/adapters/openai/failure.ts';
import { inEnglish } from '../../../src/language/language.ts';

const mask = (evidence: string, key = 'Se/cret-1234'): string =>
  inEnglish(withoutKey({ kind: 'other', retryable: false, evidence }, key).evidence);

describe('an error without its key', () => {
  it('does not contain it in any form', () => {
    assert.equal(mask('key Se/cret-1234, se/CRET-1234 and Se%2Fcret-1234'), 'key ***, *** and ***');
  });

  it('has no piece of it where the quotation was cut', () => {
    assert.equal(mask('wrong key Se/cret-…'), 'wrong key ***…');
    assert.equal(mask('cret-1234 is wrong'), '*** is wrong');
  });

  it('does not contain it with gaps between its characters', () => {
    assert.equal(mask('key Se/cre\nt-12 34, S\u200be\ufeff/cret-\u00ad1234!'), 'key ***, ***!');
    assert.equal(mask('wrong key Se/c\u200bre\nt-…'), 'wrong key ***…');
    assert.equal(mask(`key ${[...'Se/cret-1234'].join('\0')}`), 'key ***');
    assert.equal(mask('cr\u200bet-12\n34 is wrong'), '*** is wrong');
  });

  it('is left alone otherwise', () => {
    assert.equal(mask('nothing to hide'), 'nothing to hide');
  });
});
