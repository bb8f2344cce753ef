import * as vscode from 'vscode';
import type { Gateway } from '../../adapters/gateway/gateway.ts';
import { EDITOR_MODELS } from '../../core/model/providers.ts';
import type { Phrase } from '../../core/phrase.ts';
import { queueWork } from '../../core/steps.ts';
import { sentence, t, translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import type { ConversationFactory } from '../conversations/conversationFactory.ts';
import { newId } from '../conversations/system.ts';
import type { NoticeAction } from '../notices/notices.ts';
import type { ServerSetup } from '../servers/serverSetup.ts';
import type { KarlSettings } from '../settings/settingRules.ts';
import { requireTrust } from '../settings/trust.ts';

/** The secret that stores the token, so that agents' settings stay valid when VS Code restarts. */
const TOKEN_SECRET = 'karl.gateway.token';

/** The settings that decide whether and where it runs. */
const OWN_SETTINGS = ['baseUrl', 'gateway.enabled', 'gateway.port'] as const;

const OF_EDITOR = sentence(
  'The gateway cannot run: VS Code does not let other programs use its models. Select another server (karl.baseUrl).',
);

interface Running {
  readonly gateway: Gateway;
  /** Its address for the user's own computer; differs in remote windows. */
  readonly url: string;
}

interface GatewayParts extends Basics {
  readonly setup: ServerSetup;
  readonly factory: Promise<ConversationFactory>;
  readonly secrets: vscode.SecretStorage;
}

/** Runs the gateway of this window, by command or setting. */
export class GatewayControl implements vscode.Disposable {
  readonly #parts: GatewayParts;
  readonly #subscription: vscode.Disposable;
  #running: Running | undefined;
  /** Whether it should run: what its setting or the user's last command says, if the server allows it. */
  #isWanted: boolean;
  /** The terminals of agents, each with a function that removes the files written for it. */
  readonly #terminals = new Map<vscode.Terminal, () => void>();
  /** Serializes starts and stops. */
  readonly #inTurn = queueWork();

  constructor(parts: GatewayParts) {
    this.#parts = parts;
    const { settings, log } = parts;
    this.#isWanted = settings.current['gateway.enabled'];
    this.#subscription = vscode.Disposable.from(
      vscode.window.onDidCloseTerminal((terminal) => this.#forget(terminal)),
      settings.onDidChange((before) => log.run(this.#applySettings(before))),
      vscode.workspace.onDidGrantWorkspaceTrust(() => log.run(this.startIfWanted())),
    );
  }

  /** Starts it if it is wanted and not running yet. */
  async startIfWanted(): Promise<void> {
    const isMissing = this.#isWanted && this.#running === undefined;
    if (isMissing && vscode.workspace.isTrusted) await this.start('setting');
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const terminal of this.#terminals.keys()) this.#forget(terminal);
    this.#parts.log.run(this.close());
  }

  async #applySettings(before: KarlSettings): Promise<void> {
    const now = this.#parts.settings.current;
    if (OWN_SETTINGS.every((name) => now[name] === before[name])) return;
    if (now['gateway.enabled'] !== before['gateway.enabled']) this.#isWanted = now['gateway.enabled'];
    if (!this.#isWanted) return await this.#stop();
    if (now.baseUrl === EDITOR_MODELS) return await this.#stop(OF_EDITOR);
    if (now['gateway.port'] !== before['gateway.port']) await this.close();
    await this.startIfWanted();
  }

  /** A start by the setting asks nothing and reports only problems; a start for a terminal does not show the address. */
  async start(by: 'command' | 'terminal' | 'setting'): Promise<Running | undefined> {
    const { settings, setup, log } = this.#parts;
    const { output } = log;
    if (by !== 'setting' && !(requireTrust() && (await setup.complete()))) return undefined;
    if (settings.current.baseUrl === '') {
      output.warn('The gateway was not started: no server is set (karl.baseUrl).');
      return undefined;
    }
    if (settings.current.baseUrl === EDITOR_MODELS) {
      if (by === 'setting') log.note(OF_EDITOR);
      else log.warn(OF_EDITOR);
      return undefined;
    }
    this.#isWanted = true;
    const wasRunning = this.#running !== undefined;
    const started = await this.#inTurn(async () => {
      this.#running ??= await this.#listen();
      return this.#running;
    });
    if (started === undefined) return undefined;
    await vscode.commands.executeCommand('setContext', 'karl.gateway', true);
    output.info(`The gateway ${wasRunning ? 'runs' : 'started'} at ${started.url}.`);
    if (by !== 'command') return started;
    const copy = { label: t('Copy Settings for an Agent…'), run: () => this.#parts.log.run(this.copySettings()) };
    this.#tell(describeAddress(started), [copy]);
    return started;
  }

  #tell(text: string, actions: readonly NoticeAction[] = []): void {
    this.#parts.notices.tell({ id: 'told', severity: 'info', text, actions, passing: true });
  }

  async #listen(): Promise<Running | undefined> {
    const { settings, adapters, factory, readKey, log } = this.#parts;
    const { models, threads } = await factory;
    const hosts = new Set<string>();
    const started = await adapters.startGateway({
      port: settings.current['gateway.port'],
      token: await this.#readToken(),
      relay: threads.relay(models.readKey, (model) => models.resolve(model).profile),
      listModels: (signal) => adapters.askForModels(settings.current.baseUrl, readKey, signal),
      hosts,
      getKey: readKey,
      onLoss: (sentence) => log.output.warn(`gateway: ${sentence}`),
      onBug: (error) => log.output.error(`gateway: ${error instanceof Error ? error.stack : String(error)}`),
    });
    if (!started.ok) {
      log.warn(sentence('{0} The setting is karl.gateway.port.', started.error));
      return undefined;
    }
    const inside = vscode.Uri.parse(started.value.url);
    // If it cannot be reached from outside, its address on this machine is shown.
    const outside = await Promise.resolve(vscode.env.asExternalUri(inside)).catch(() => inside);
    hosts.add(hostOf(outside));
    return { gateway: started.value, url: outside.toString(true).replace(/\/$/, '') };
  }

  /** Stops it until the user starts it, or changes its setting. */
  async stopByUser(): Promise<void> {
    this.#isWanted = false;
    await this.#stop();
  }

  /** `why`: the reason, unless the user stopped it. */
  async #stop(why?: Phrase): Promise<void> {
    const { log } = this.#parts;
    const wasRunning = await this.close();
    if (!wasRunning) return;
    if (why !== undefined) return log.warn(why);
    log.output.info('The gateway was stopped.');
    this.#tell(t('Karl: the gateway was stopped.'));
  }

  /** Stops the gateway and cancels running requests; false if it was not running. */
  close(): Promise<boolean> {
    return this.#inTurn(async () => {
      const running = this.#running;
      await running?.gateway.close();
      this.#running = undefined;
      await vscode.commands.executeCommand('setContext', 'karl.gateway', false);
      return running !== undefined;
    });
  }

  /** Copies the settings for the named agent, or for one that the user chooses. */
  async copySettings(name?: unknown): Promise<void> {
    const running = this.#running ?? (await this.start('command'));
    if (running === undefined) return;
    const target = await this.#target(running);
    const agents = await this.#parts.adapters.listAgents();
    const known = agents.flatMap(({ title, copy }) => (copy === undefined ? [] : [{ title, ...copy(target) }]));
    const { address, token, model } = target;
    const other = {
      title: t('Another agent or program'),
      where: t('the environment of a program that uses an OpenAI library'),
      settings: `OPENAI_BASE_URL=${address}/v1\nOPENAI_API_KEY=${token}\nOPENAI_MODEL=${model}\n`,
    };
    const items = [...known, other].map(({ title, where, settings }) => ({
      label: title,
      description: translate(where),
      settings,
    }));
    const title = t('Karl: Copy the settings for which agent?');
    const picked = items.find(({ label }) => label === name) ?? (await vscode.window.showQuickPick(items, { title }));
    if (picked === undefined) return;
    await vscode.env.clipboard.writeText(picked.settings);
    const copied = t('Copied for {0}. Paste it into {1}.', picked.label, picked.description);
    this.#tell(`${copied} ${describeAddress(running)}`);
  }

  /** What an agent is told about the gateway. */
  async #target({ gateway }: Running) {
    const { model } = this.#parts.settings.current;
    return { address: gateway.url.replace(/\/v1$/, ''), token: await this.#readToken(), model };
  }

  /**
   * Starts the named agent, or one that the user chooses, in a terminal, configured for the gateway. The user's own
   * configuration of it is not changed.
   */
  async openTerminal(name?: unknown): Promise<void> {
    const running = this.#running ?? (await this.start('terminal'));
    if (running === undefined) return;
    const items = (await this.#parts.adapters.listAgents()).map((agent) => ({
      label: agent.title,
      description: agent.program ?? t('not found: {0}', `npm install -g ${agent.package}`),
      agent,
    }));
    items.sort((one, other) => Number(other.agent.program !== undefined) - Number(one.agent.program !== undefined));
    const title = t('Karl: Start which agent in a terminal?');
    const named = items.find(({ agent }) => agent.name === name);
    const picked = named ?? (await vscode.window.showQuickPick(items, { title }));
    if (picked === undefined) return;
    const { label, agent } = picked;
    const missing = () => t('Karl: {0} was not found. Install it with: {1}', label, `npm install -g ${agent.package}`);
    const problem = agent.program === undefined ? missing() : agent.problem && translate(agent.problem);
    if (problem !== undefined) return void vscode.window.showWarningMessage(problem);
    const { environment, words, remove } = agent.prepare(await this.#target(running));
    const cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
    const terminal = vscode.window.createTerminal({
      name: t('{0} under Karl', label),
      ...(agent.program !== undefined && { shellPath: agent.program }),
      shellArgs: [...words],
      env: environment,
      ...(cwd !== undefined && { cwd }),
      // VS Code would restart it without the gateway.
      isTransient: true,
    });
    terminal.show();
    this.#terminals.set(terminal, remove);
  }

  #forget(terminal: vscode.Terminal): void {
    this.#terminals.get(terminal)?.();
    this.#terminals.delete(terminal);
  }

  async #readToken(): Promise<string> {
    const { secrets } = this.#parts;
    const known = await secrets.get(TOKEN_SECRET);
    if (known !== undefined) return known;
    const token = newId();
    await secrets.store(TOKEN_SECRET, token);
    return token;
  }
}

/** Says at which address the gateway can be reached, and from which machine. */
function describeAddress({ gateway, url }: Running): string {
  const { remoteName } = vscode.env;
  if (remoteName === undefined) return t("Karl's gateway is at {0}, on this computer only.", gateway.url);
  const inside = t(
    "Karl's gateway is at {0} on the remote machine ({1}) that this window is connected to. Agents in its terminals and extensions reach it at that address.",
    gateway.url,
    remoteName,
  );
  return url === gateway.url ? inside : `${inside} ${t('From your own computer, the address is {0}.', url)}`;
}

function hostOf(uri: vscode.Uri): string {
  const address = `http://${uri.authority}`;
  return URL.canParse(address) ? new URL(address).hostname : uri.authority;
}
