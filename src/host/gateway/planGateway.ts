import { EDITOR_MODELS } from '../../core/model/providers.ts';
import type { KarlSettings } from '../../core/session/settings.ts';

/** The settings that decide whether and where the gateway runs. */
export type GatewaySettings = Pick<KarlSettings, 'baseUrl' | 'gateway.enabled' | 'gateway.port'>;

/**
 * What changed settings do to the gateway. `refuse`: stop it, because VS Code lets no other program use its models. A
 * gateway that was started by command keeps running with another server or port, but is not restarted once stopped.
 */
export function planGateway(
  before: GatewaySettings,
  now: GatewaySettings,
  isRunning: boolean,
): 'start' | 'stop' | 'refuse' | 'restart' | undefined {
  const [wasOfEditor, isOfEditor] = [before, now].map(({ baseUrl }) => baseUrl === EDITOR_MODELS);
  const isEnabled = now['gateway.enabled'];
  if (!isEnabled && before['gateway.enabled']) return 'stop';
  if (isOfEditor === true && wasOfEditor === false) return 'refuse';
  if (isRunning && now['gateway.port'] !== before['gateway.port']) return 'restart';
  const mayStart = !before['gateway.enabled'] || (wasOfEditor === true && isOfEditor === false);
  return isEnabled && mayStart ? 'start' : undefined;
}
