import assert from 'node:assert/strict';
import { AGENTS } from '../../../src/adapters/agents/agents.ts';
import { clientSettings } from '../../../src/host/gateway/clientSettings.ts';

const ADDRESS = { url: 'http://127.0.0.1:27431/v1', token: 'a-token', model: 'odd/\'model" $(x)' };

describe('the settings of agents for the gateway', () => {
  for (const { name, where, write } of clientSettings()) {
    it(`${name}: have address, token and model, and say where they belong`, () => {
      const address = { ...ADDRESS, model: 'zebra-9' };
      const text = write(address);
      // Claude Code adds the version itself.
      for (const said of [new URL(address.url).host, address.token, address.model])
        assert.ok(text.includes(said), text);
      assert.ok(text.endsWith('\n') && where !== '');
    });
  }

  it('name a window that Karl never fills, or switch the agent’s own compaction off', () => {
    for (const { name, write } of clientSettings().slice(0, -1))
      assert.match(write(ADDRESS), /1000000|--compaction off|DISABLE_AUTO_COMPACT=1/, name);
  });

  it('are there for each agent that Karl starts and that takes a window', () => {
    const titles = Object.values(AGENTS).map(({ title }) => title);
    const names = clientSettings().map(({ name }) => name);
    assert.deepEqual([...names.slice(0, -1), 'Gemini CLI'].sort(), titles.sort());
  });

  it('say which shell runs a command that not every shell does', () => {
    for (const { name, where, write } of clientSettings())
      assert.equal(/^\w+=\S+ /.test(write(ADDRESS)), where.includes('POSIX'), name);
  });

  it('are JSON where the agent reads JSON, whatever the model is called', () => {
    for (const name of ['pi', 'OpenCode', 'Qwen Code']) {
      const text =
        clientSettings()
          .find((client) => client.name === name)
          ?.write(ADDRESS) ?? '';
      assert.ok(JSON.stringify(JSON.parse(text)).includes(JSON.stringify(ADDRESS.model)), text);
    }
  });

  it('run nothing in a shell', () => {
    for (const agent of ['Claude Code', 'Cline CLI', 'Copilot CLI']) {
      const client = clientSettings().find(({ name }) => name === agent);
      assert.ok(client?.write(ADDRESS).includes(`'odd/'\\''model" $(x)'`), agent);
    }
  });
});
