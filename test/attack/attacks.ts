/** The attacks that find more the longer they run, by name: test files whose random choices depend on `KARL_SEED`. */
export const ATTACKS = {
  'bit flips': ['test/adapters/node/damagedLines.test.ts'],
  kills: ['test/adapters/node/killedWriter.test.ts', 'test/adapters/node/takeOver.test.ts'],
  'provider faults': ['test/core/session/randomReplies.test.ts'],
  echoes: ['test/core/session/echoes.test.ts'],
  blocking: ['test/core/conversation/blocking.test.ts'],
  expressions: ['test/attack/expressions.test.ts'],
  canary: ['test/core/session/canary.test.ts'],
  threads: ['test/core/session/threads/properties.test.ts'],
  laws: ['test/engine/laws.test.ts', 'test/core/conversation/previewLaws.test.ts'],
  'by hand': ['test/core/conversation/byHandRandom.test.ts'],
  looks: ['test/vscode/webview/looks.browser.test.ts'],
  tokens: ['test/adapters/tiktoken/differential.test.ts'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
