import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { estimateTokens } from '../../../src/core/tokens/estimate.ts';
import { seeded } from '../../adapters/tiktoken/randomText.ts';
import { ENCODINGS, exactCounter } from '../../adapters/tiktoken/reference.ts';

const root = new URL('../../..', import.meta.url);
const read = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(new URL(file, root), 'utf8'))
    .join('\n');

function base64(length: number): string {
  const below = seeded(5);
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return Array.from({ length }, () => digits[below(64)]).join('');
}

const TEXTS: Readonly<Record<string, string>> = {
  prose: read('node_modules/{openai,mocha,marked,esbuild}/*.md'),
  TypeScript: read('src/**/*.ts'),
  JSON: read('node_modules/{openai,zod,mocha,marked}/package.json'),
  'directory listing': globSync('node_modules/zod/**', { cwd: root })
    .map((file, line) => `-rw-r--r--  1 root root ${line * 37} Nov 21 09:${line % 60} ${file}`)
    .join('\n'),
  base64: base64(50_000),
  Chinese: '上下文窗口是模型一次可以处理的最大令牌数。当对话变长时，我们需要压缩旧的消息。'.repeat(40),
  Japanese: 'コンテキストの予算を超えないように、古いメッセージを要約します。'.repeat(40),
  Korean: '에이전트가 며칠 동안 일할 수 있도록 오래된 메시지를 압축합니다.'.repeat(40),
  Russian: 'Агент может работать днями в пределах фиксированного бюджета токенов.'.repeat(40),
  Arabic: 'يمكن للوكيل أن يعمل لأيام ضمن ميزانية ثابتة من الرموز.'.repeat(40),
  Hindi: 'एजेंट एक निश्चित टोकन बजट के भीतर कई दिनों तक काम कर सकता है।'.repeat(40),
  German: 'Die Überschrift erklärt, wie größere Gespräche gekürzt werden, ohne Tatsachen zu verlieren.'.repeat(40),
  emoji: '😀👨‍👩‍👧🚀👍🏽 '.repeat(1000),
};

describe('an estimate', () => {
  for (const encoding of ENCODINGS) {
    for (const [name, text] of Object.entries(TEXTS)) {
      it(`of ${name} lies between 6 % below and 55 % above the exact count, ${encoding}`, () => {
        const exact = exactCounter(encoding).countTokens(text);
        const { tokens, source } = estimateTokens(text, encoding);
        assert.equal(source, 'estimated');
        assert.ok(tokens >= exact * 0.94 && tokens <= exact * 1.55, `${tokens} for ${exact}`);
      });
    }
  }

  it('of a large text is made from samples and agrees with the whole', () => {
    const text = (TEXTS.TypeScript as string).repeat(10);
    const parts = (text.match(/[\s\S]{1,100000}/g) ?? []).reduce((sum, part) => sum + estimateTokens(part).tokens, 0);
    const whole = estimateTokens(text).tokens;
    assert.ok(Math.abs(whole - parts) < parts * 0.15, `${whole} and ${parts}`);
  });

  it('of nothing is nothing', () => {
    assert.equal(estimateTokens('').tokens, 0);
  });
});
