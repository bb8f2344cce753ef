import assert from 'node:assert/strict';
import { withGate } from './proposedApiGate.ts';

/** The two functions as the server's bundles have them. */
const program = (answer: string) =>
  `function y(s,o){return!0}function $c(s,o){return${answer}}function D(s,o){if(!$c(s,o))throw new Error(\`Extension '\${s.identifier.value}' CANNOT use API proposal: \${o}.\`)}`;
const CLOSED = '!!s.enabledApiProposals?.includes(o)';

describe('the gate of proposed APIs in the server that tests run', () => {
  it('asks what the extension was granted, and nothing else is changed', () => {
    assert.equal(withGate(program('!0'), 'a.js'), program(CLOSED));
    assert.equal(withGate(program(CLOSED), 'a.js'), program(CLOSED), 'the second time');
  });

  it('grants no longer all that a manifest names', () => {
    const workbench = `${program('!0')}this._envEnablesProposedApiForAll=!0,this.a=!0`;
    assert.equal(withGate(workbench, 'a.js'), `${program(CLOSED)}this._envEnablesProposedApiForAll=!1,this.a=!0`);
  });

  it('must be one that is known: a server of another build is not taken for one that has it', () => {
    assert.throws(() => withGate('function y(s,o){return!0}', 'a.js'), /a\.js: one gate .* 0 were found/);
    assert.throws(() => withGate(program('!0') + program('!0'), 'a.js'), /2 were found/);
    assert.throws(() => withGate(program(' a(s,o)'), 'a.js'), /a\.js: the gate of proposed APIs is new: {2}a\(s,o\)/);
  });
});
