import assert from 'node:assert/strict';
import { clientSettings } from '../../../src/host/gateway/clientSettings.ts';

const ADDRESS = { url: 'http://127.0.0.1:27431/v1', token: 'a-token', model: 'odd/\'model" $(x)' };

describe('the settings of agents for the gateway', () => {
  for (const { name, where, write } of clientSettings()) {
    it(`${name}: have address, token and model, and say where they belong`, () => {
      const address = { ...ADDRESS, model: 'zebra-9' };
      const text = write(address);
      for (const said of Object.values(address)) assert.ok(text.includes(said), text);
      assert.ok(text.endsWith('\n') && where !== '');
    });
  }

  it('name a window that Karl never fills, or where to set it, or switch the agent’s own compaction off', () => {
    for (const { name, where, write } of clientSettings().slice(0, -1)) {
      const said = `${write(ADDRESS)} ${where}`;
      assert.match(said, name === 'Cline CLI' ? /--compaction off/ : /1,?000,?000/, name);
    }
  });

  it('say which shell runs a command that not every shell does', () => {
    for (const { name, where, write } of clientSettings())
      assert.equal(/^\w+=\S+ /.test(write(ADDRESS)), where.includes('POSIX'), name);
  });

  it('are JSON where the agent reads JSON, whatever the model is called', () => {
    for (const name of ['pi', 'OpenCode']) {
      const text =
        clientSettings()
          .find((client) => client.name === name)
          ?.write(ADDRESS) ?? '';
      assert.ok(JSON.stringify(JSON.parse(text)).includes(JSON.stringify(ADDRESS.model)), text);
    }
  });

  it('run nothing in a shell', () => {
    for (const [agent, model] of [
      ['aider', `'openai/odd/'\\''model" $(x)'`],
      ['Cline CLI', `'odd/'\\''model" $(x)'`],
      ['Qwen Code', `'odd/'\\''model" $(x)'`],
    ] as const) {
      const client = clientSettings().find(({ name }) => name === agent);
      assert.ok(client?.write(ADDRESS).includes(model), agent);
    }
  });
});
