import assert from 'node:assert/strict';
import { AGENTS, listAgents } from '../../src/adapters/agents/agents.ts';
import { inEnglish } from '../../src/language/language.ts';

const TARGET = { address: 'http://127.0.0.1:27431', token: 'a-token', model: 'odd/\'model" $(x)' };

function copyFor(agent: string, target = TARGET): { readonly where: string; readonly text: string } {
  const copied =
    listAgents()
      .find(({ name }) => name === agent)
      ?.copy?.(target) ?? assert.fail(agent);
  return { where: inEnglish(copied.where), text: copied.settings };
}

describe('the settings of agents that are copied', () => {
  const names = Object.keys(AGENTS).filter((name) => name !== 'gemini');

  for (const name of names)
    it(`of ${name} have address, token and model, a window that Karl never fills, and a place`, () => {
      const { where, text } = copyFor(name, { ...TARGET, model: 'zebra-9' });
      for (const said of [new URL(TARGET.address).host, TARGET.token, 'zebra-9']) assert.ok(text.includes(said), text);
      assert.match(text, /10000000|--compaction off|DISABLE_AUTO_COMPACT=1/);
      assert.ok(text.endsWith('\n'));
      assert.equal(/^\w+=\S+ /.test(text), where.includes('POSIX'), where);
    });

  it('are JSON where the agent reads JSON, whatever the model is called', () => {
    for (const name of ['pi', 'opencode', 'qwen']) {
      const { text } = copyFor(name);
      assert.ok(JSON.stringify(JSON.parse(text)).includes(JSON.stringify(TARGET.model)), text);
    }
  });

  it('run nothing in a shell', () => {
    for (const name of ['claude', 'cline', 'copilot'])
      assert.ok(copyFor(name).text.includes(`'odd/'\\''model" $(x)'`), name);
  });
});
