import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { OpenAIModelClient } from '../../../src/adapters/openai/client.ts';
import { wordsOfFailure } from '../../../src/core/compaction/summarizers/summarizer.ts';
import { changeForSettings, createModelSummarizer } from '../../../src/host/conversations/settingsChange.ts';
import { DEFAULT_SETTINGS } from '../../../src/host/settings/settingRules.ts';
import { inEnglish, speak, translate } from '../../../src/language/language.ts';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { errorReply } from '../../adapters/server/reply.ts';
import { PROFILE } from '../../core/conversation/kit.ts';

const GERMAN = JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8'));

describe('what the settings determine in a conversation', () => {
  it('is the strategy, with the settings of its section; what is not set is left to the conversation', () => {
    const set = { ...DEFAULT_SETTINGS, strategy: 'karl', 'summary.check': 'words', 'thresholds.target': 0.4 } as const;
    const { strategy, settings, thresholds } = changeForSettings(set);
    assert.deepEqual([strategy, settings?.summary.check, thresholds?.target], ['karl', 'words', 0.4]);
    assert.equal(thresholds?.tokens, undefined);
  });
});

describe('a summary that the model could not write', () => {
  let server: ProviderServer;
  before(async () => {
    server = await ProviderServer.start();
  });
  after(() => server.close());
  afterEach(() => speak('en', {}));

  const cases: readonly (readonly [status: number, english: string, german: string])[] = [
    [429, 'Rate limit reached (429).', 'Ratenlimit erreicht (429).'],
    [401, 'The server rejected the API key (401).', 'Der Server hat den API-Schlüssel abgelehnt (401).'],
    [500, 'The server failed (500).', 'Serverfehler (500).'],
    [418, 'The server refused the request (418): full.', 'Der Server hat die Anfrage abgelehnt (418): full.'],
  ];
  for (const [status, english, german] of cases)
    it(`says why in a sentence, in the user's language: ${status}`, async () => {
      server.enqueue(errorReply(status, { error: { message: status === 418 ? 'full' : `status ${status}` } }));
      const profile = { ...PROFILE, id: 'small', baseUrl: server.baseUrl };
      const client = new OpenAIModelClient({ getKey: async () => undefined });
      const summarizer = createModelSummarizer(client, profile, () => undefined);
      const { signal } = new AbortController();
      const request = { messages: [{ role: 'user', content: 'Summarize.' }], maxTokens: 500, signal } as const;
      const failure = await summarizer.write(request).catch(wordsOfFailure);
      assert.ok(typeof failure === 'string' || 'values' in failure);
      assert.equal(inEnglish(failure), `small could not write a summary: ${english}`);
      speak('de', GERMAN);
      assert.equal(translate(failure), `small konnte keine Zusammenfassung schreiben: ${german}`);
    });
});
