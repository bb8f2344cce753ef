import assert from 'node:assert/strict';
import { EDITOR_MODELS } from '../../../src/core/model/providers.ts';
import { type GatewaySettings, planGateway } from '../../../src/host/gateway/planGateway.ts';

const OFF: GatewaySettings = { baseUrl: 'http://127.0.0.1:9/v1', 'gateway.enabled': false, 'gateway.port': 1 };
const ON: GatewaySettings = { ...OFF, 'gateway.enabled': true };
const ofEditor = (settings: GatewaySettings): GatewaySettings => ({ ...settings, baseUrl: EDITOR_MODELS });

describe('the gateway, when settings change', () => {
  it('starts and stops with its setting, and moves to another port', () => {
    assert.equal(planGateway(OFF, ON, false), 'start');
    assert.equal(planGateway(ON, OFF, true), 'stop');
    assert.equal(planGateway(ON, { ...ON, 'gateway.port': 2 }, true), 'restart');
    assert.equal(planGateway(OFF, { ...OFF, 'gateway.port': 2 }, true), 'restart');
    assert.equal(planGateway(OFF, { ...OFF, 'gateway.port': 2 }, false), undefined);
    assert.equal(planGateway(ON, { ...ON, baseUrl: 'http://127.0.0.1:8/v1' }, true), undefined);
  });

  it("ends when VS Code's own models are selected, whatever has started it, even while it may be starting", () => {
    assert.equal(planGateway(ON, ofEditor(ON), true), 'refuse');
    assert.equal(planGateway(OFF, ofEditor(OFF), true), 'refuse');
    assert.equal(planGateway(ON, ofEditor(ON), false), 'refuse', 'a start may be under way');
    assert.equal(planGateway(ON, ofEditor(OFF), true), 'stop');
    assert.equal(planGateway(ofEditor(ON), ofEditor(ON), false), undefined);
  });

  it('starts again when another server is selected, if its setting says so', () => {
    assert.equal(planGateway(ofEditor(ON), ON, false), 'start');
    assert.equal(planGateway(ofEditor(OFF), OFF, false), undefined);
    assert.equal(planGateway(ofEditor(ON), { ...ON, 'gateway.port': 2 }, false), 'start');
  });
});
