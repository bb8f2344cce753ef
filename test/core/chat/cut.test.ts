import assert from 'node:assert/strict';
import { cutHead, cutTail, quoteHead } from '../../../src/core/chat/cut.ts';

const TEXTS = [
  "read src/domain/hydrate_galley.rs:291: evict_queue(name, 1,234) of `parseRow` — don't touch C:\\work\\app\\main.cs",
  '{"path":"src/ui/panel.tsx","count":4096,"command":"npm test -- --filter=refund"}',
  '先读 src/ui/面板.ts 再把超时从 3000 改成 4500，然后运行 npm test。端口是 8443，重试三次。',
  '설정 파일은 config/app.yaml 이고 제한은 2500 밀리초입니다. 함수 loadRows를 고쳤습니다.',
  'Wir ändern „größe_übersicht“ in Übersicht/Tür.ts, Grenze 1.250,75 €; naïve Prüfung entfällt.',
];

/** The words that must not be cut: paths, names and numbers, as a reader would take them. */
function words(text: string): string[] {
  return text.match(/[A-Za-z0-9\u00c0-\u024f\uac00-\ud7af_./\\:=-]{2,}|\d+(?:[.,]\d+)+/g) ?? [];
}

describe('a cut', () => {
  it('never leaves a part of a path, a name, a word or a number, in any script and at any place', () => {
    for (const text of TEXTS) {
      const whole = new Set(words(text));
      for (let limit = 0; limit <= text.length; limit += 1) {
        for (const shown of [cutHead(text, limit), cutTail(text, limit)]) {
          assert.ok(shown.length <= limit);
          for (const word of words(shown)) assert.ok(whole.has(word), `"${word}" of "${shown}"`);
        }
      }
    }
  });

  it('keeps as much as it may: a text of short words loses one word at most', () => {
    const text = 'one two three four five six seven eight nine ten';
    for (let limit = 6; limit < text.length; limit += 1) {
      assert.ok(cutHead(text, limit).length > limit - 7, `${limit}`);
      assert.ok(cutTail(text, limit).length > limit - 7, `${limit}`);
    }
    assert.equal(cutHead('超时时间已经改成了四秒半', 5), '超时时间已');
  });

  it('goes to the end of a line where one is near', () => {
    assert.equal(cutHead('first line\nsecond line is long', 14), 'first line');
    assert.equal(cutTail('first line is long\nlast line', 14), 'last line');
  });

  it('drops one endless token whole and says how long it was', () => {
    const token = 'QUJD'.repeat(5000);
    assert.equal(cutHead(token, 300), '');
    assert.equal(cutTail(token, 300), '');
    assert.equal(quoteHead(token, 300), '(20000 characters without a break)');
    assert.equal(quoteHead('a short text', 300), 'a short text');
  });
});
