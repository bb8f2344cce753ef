import assert from 'node:assert/strict';
import { join } from '../../src/core/phrase.ts';
import {
  formatMoment,
  formatNumber,
  formatShare,
  inEnglish,
  language,
  sentence,
  speak,
  t,
  translate,
} from '../../src/language/language.ts';

const GERMAN = {
  'It has {0} of {1} tokens.': 'Von {1} Token hat es {0}.',
  'The server {0} does not answer: {1}': 'Der Server {0} antwortet nicht: {1}',
  'nothing listens there': 'dort hört niemand zu',
  '{0}: {1}': '{0} – {1}',
};

describe('what the user reads', () => {
  afterEach(() => speak('en', {}));

  it('is English until another language is named', () => {
    assert.equal(language(), 'en');
    assert.equal(t('It has {0} of {1} tokens.', 1234, 'some'), 'It has 1,234 of some tokens.');
    assert.equal(formatNumber(1234567.8), '1,234,568');
    assert.equal(formatShare(42), '42%');
    assert.equal(formatShare(0.25, 1), '0.3%');
    assert.match(formatMoment(Date.now()), /^\d\d:\d\d$/);
    assert.match(formatMoment(new Date(2024, 10, 20, 14, 32, 7).getTime(), true), /^Nov 20, 14:32:07$/);
    assert.equal(formatMoment(Number.NaN), 'Invalid Date', 'a file may lie');
  });

  it('is the sentence of the language, with its order of the values and its figures', () => {
    speak('de', GERMAN);
    assert.equal(t('It has {0} of {1} tokens.', 1234, 5678), 'Von 5.678 Token hat es 1.234.');
    assert.equal(formatShare(42), '42\u00a0%');
  });

  it('is English where a language lacks the sentence', () => {
    speak('de', GERMAN);
    assert.equal(t('Undo {0}', 'this'), 'Undo this');
  });

  it('takes a value as it is, also one that looks like a place for another', () => {
    assert.equal(t('{0} and {1}', '{1}', '$&'), '{1} and $&');
  });
});

describe('a sentence that several readers get', () => {
  afterEach(() => speak('en', {}));
  const why = sentence('nothing listens there');
  const said = sentence('The server {0} does not answer: {1}', 'http://a.example', why);

  it('is English in a log, whatever the user reads', () => {
    speak('de', GERMAN);
    assert.equal(inEnglish(said), 'The server http://a.example does not answer: nothing listens there');
    assert.equal(inEnglish(sentence('It has {0} of {1} tokens.', 1234, 'some')), 'It has 1,234 of some tokens.');
  });

  it('is translated with its values, also those that are sentences', () => {
    speak('de', GERMAN);
    assert.equal(translate(said), 'Der Server http://a.example antwortet nicht: dort hört niemand zu');
    assert.equal(t('It has {0} of {1} tokens.', 1, why), 'Von dort hört niemand zu Token hat es 1.');
    assert.equal(translate(join(['a.json:', why], ' ')), 'a.json: dort hört niemand zu');
  });

  it('may come from a file, with any text', () => {
    speak('de', GERMAN);
    for (const text of ['constructor', 'toString', '__proto__', '{9}']) assert.equal(translate(sentence(text)), text);
  });

  it('is not translated if somebody else wrote the same words', () => {
    speak('de', GERMAN);
    assert.equal(translate('nothing listens there'), 'nothing listens there');
    const theirs = sentence('The server {0} does not answer: {1}', 'a', 'nothing listens there');
    assert.equal(translate(theirs), 'Der Server a antwortet nicht: nothing listens there');
  });
});
