import assert from 'node:assert/strict';
import { ProviderServer } from '../../adapters/server/providerServer.ts';
import { textReply } from '../../adapters/server/reply.ts';
import {
  activateKarl,
  openSample,
  restoreSettings,
  SERVER,
  setSetting,
  shownCompressions,
  useServer,
  writeProfile,
} from './karl.ts';

const MODEL = 'loopback-check';
const NOTE = [
  '- "northwind" was billed 1,284.50 for the week of 23 March, and they say it must be 1,204.00 [t1].',
  '- "northwind" says that it must be 1,284.50 for the week of 23 March [t1].',
].join('\n');

describe('a summary by a model', () => {
  let server: ProviderServer;
  let answer: string;
  const firstWords = ({ body }: ProviderServer['requests'][number]) => String(body.messages?.[0]?.content);
  const checks = () => server.requests.filter((request) => firstWords(request).startsWith('You check'));

  before(() => writeProfile(MODEL));

  beforeEach(async () => {
    server = await ProviderServer.start({
      respond: (request) => {
        const words = firstWords(request);
        if (words.startsWith('You check')) return textReply(answer);
        return words.includes('hand-over of a part') ? textReply(NOTE) : undefined;
      },
    });
    await useServer(server, MODEL);
  });

  after(() => restoreSettings());
  afterEach(async () => {
    await restoreSettings(SERVER);
    await server.close();
  });

  async function compressed(): Promise<{ view: string; receipt: string }> {
    const api = await activateKarl();
    await setSetting('compaction.mode', 'manual');
    const conversation = await openSample(api);
    await api.karl.send('Go on.');
    await api.karl.compress('karl');
    assert.equal(conversation.compactions().length, 1);
    const receipt = shownCompressions(api)[0]?.receipt.join(' ') ?? '';
    return { view: JSON.stringify(conversation.request()), receipt };
  }

  it('is checked by the model against what it cites, and doubtful statements are marked', async () => {
    answer = '2';
    const { view, receipt } = await compressed();
    assert.equal(checks().length, 1);
    assert.match(view, /1,204\.00 \[t1\]\.\\n/);
    assert.match(view, /23 March \[t1\]\. \*\(unverified\)\*/);
    assert.match(receipt, /Statements marked as unverified: 1\./);
  });

  it('is not checked by the model if the settings say so', async () => {
    answer = '2';
    await setSetting('summary.check', 'words');
    const { view } = await compressed();
    assert.deepEqual([checks().length, view.includes('*(unverified)*')], [0, false]);
  });
});
