import assert from 'node:assert/strict';
import {
  english,
  formatClock,
  formatNumber,
  formatShare,
  language,
  retell,
  speak,
  t,
} from '../../src/core/language.ts';

const GERMAN = {
  'It has {0} of {1} tokens.': 'Von {1} Token hat es {0}.',
  'The server {0} does not answer: {1}': 'Der Server {0} antwortet nicht: {1}',
  'nothing listens there': 'dort hört niemand zu',
  '{0}: {1}': '{0} – {1}',
  // Kept in a log or a file.
  'It has {0} of {1} tokens./retold': 'Von {1} Token hat es {0}.',
  'The server {0} does not answer: {1}/retold': 'Der Server {0} antwortet nicht: {1}',
  'nothing listens there/retold': 'dort hört niemand zu',
  'server/retold': 'Server',
  'answered {0} to you/retold': 'hat Ihnen mit {0} geantwortet',
};

describe('what the user reads', () => {
  afterEach(() => speak('en', {}));

  it('is English until another language is named', () => {
    assert.equal(language(), 'en');
    assert.equal(t('It has {0} of {1} tokens.', 1234, 'some'), 'It has 1,234 of some tokens.');
    assert.equal(formatNumber(1234567.8), '1,234,568');
    assert.equal(formatShare(42), '42%');
    assert.equal(formatShare(0.25, 1), '0.3%');
    assert.match(formatClock(0), /^\d\d:\d\d$/);
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

describe('what a log keeps and the user reads', () => {
  afterEach(() => speak('en', {}));

  it('is English in every language', () => {
    speak('de', GERMAN);
    assert.equal(english('It has {0} of {1} tokens.', 1234, 'some'), 'It has 1,234 of some tokens.');
  });

  it('is retold with its values, and they are retold too', () => {
    const said = english('The server {0} does not answer: {1}', 'http://a.example', 'nothing listens there');
    assert.equal(retell(said), said);
    speak('de', GERMAN);
    assert.equal(retell(said), 'Der Server http://a.example antwortet nicht: dort hört niemand zu');
  });

  it('is retold at once, however long the words of a server in it are', () => {
    speak('de', { 'From {0} to {1} tokens, {2} of {3} are used/retold': 'Von {0} auf {1} Token, {2} von {3} belegt' });
    const long = ' to  tokens,  of '.repeat(100_000);
    assert.equal(retell(`From ${long}!`), `From ${long}!`);
    assert.equal(retell(`From 1 to 2 tokens, ${long} of 4 are used`).slice(0, 15), 'Von 1 auf 2 Tok');
  });

  it('may have a full stop that the sentence has not', () => {
    speak('de', GERMAN);
    assert.equal(retell('nothing listens there.'), 'dort hört niemand zu.');
  });

  it('stays as it is when nobody here said it', () => {
    speak('de', GERMAN);
    assert.equal(retell('constructor'), 'constructor');
    assert.equal(retell('error: out of memory...'), 'error: out of memory...');
    assert.equal(retell('answered no to you'), 'answered no to you', 'too short to be known again');
  });

  it('stays as it is when a server says what Karl only shows', () => {
    speak('de', {
      'the model {0} on {1}, since {2}': 'das Modell {0} auf {1}, seit {2}',
      'Compress before continuing?': 'Vor dem Fortfahren komprimieren?',
    });
    for (const said of ['the model gpt-oss on server, since 2024 the limit (20)', 'Compress before continuing?'])
      assert.equal(retell(said), said);
  });

  it('keeps a value of one word: it is a name', () => {
    speak('de', GERMAN);
    assert.equal(retell('The server server does not answer: server'), 'Der Server server antwortet nicht: server');
  });
});
