import * as vscode from 'vscode';
import type { FoundServer } from '../../adapters/servers/models.ts';
import type { QueryFailure } from '../../adapters/servers/query.ts';
import type { ListedModels } from '../../adapters.ts';
import { t, translate } from '../../core/language.ts';
import {
  EDITOR_MODELS,
  HOSTED_SERVERS,
  type KnownServer,
  LOCAL_SERVERS,
  originOf,
} from '../../core/model/providers.ts';
import { SETTING_RULES } from '../../core/session/settings.ts';
import { plainText, withoutIcons } from '../present/words.ts';
import { describeServer, needsNoKey } from './secrets.ts';

/** A server that the user selected. */
interface SelectedServer {
  readonly baseUrl: string;
  /** The key entered in the dialog, to be stored. Empty: the server needs none. */
  readonly key: string | undefined;
  /** Its models that can chat, undefined if it lists none; or why the test failed, if the user selects it anyway. */
  readonly listed: ListedModels;
}

/** What is asked while the dialog is open. */
interface Asked {
  /** Looks for servers on this machine. */
  findServers(signal: AbortSignal): Promise<readonly FoundServer[]>;
  /** Whether a key for an origin is stored, or the information that it needs none. */
  hasKey(origin: string): Promise<boolean>;
  /** Asks a server for its models. `key` replaces the stored one. */
  listModels(baseUrl: string, key: string | undefined, signal: AbortSignal): Promise<ListedModels>;
}

/** How long a server may take to list its models, milliseconds. */
const TEST_TIMEOUT = 5000;

/** Asks which server runs the model and tests the connection. Undefined if the user cancelled. */
export async function selectServer(current: string, ask: Asked): Promise<SelectedServer | undefined> {
  let baseUrl = await askPlace(current, ask);
  let key: string | undefined;
  while (baseUrl !== undefined && baseUrl !== '') {
    const origin = originOf(baseUrl) ?? baseUrl;
    if (key === undefined && !needsNoKey(origin) && !(await ask.hasKey(origin))) {
      key = await askKey(origin);
      if (key === undefined) return undefined;
    }
    const tested = await test(baseUrl, key, ask);
    if (tested.ok) return { baseUrl, listed: tested, key };
    const { status } = tested.error;
    const message = translate(tested.error.message);
    const way = status === 401 ? 'key' : await askWhatNow(baseUrl, tested.error);
    if (way === undefined) return undefined;
    if (way === 'key') {
      key = await askKey(origin, t('{0}: it asks for a key, or the key is wrong.', message));
      if (key === undefined) return undefined;
    }
    if (way === 'use') return { baseUrl, listed: tested, key };
    if (way === 'usual-path') baseUrl = withUsualPath(baseUrl);
    if (way === 'change') {
      baseUrl = await askBaseUrl(baseUrl);
      key = undefined;
    }
  }
  return undefined;
}

/** Asks for the key of an origin; `problem`: why it asks again. Undefined if the user cancelled. */
export async function askKey(origin: string, problem?: string): Promise<string | undefined> {
  const use = t(
    'Kept in the secret storage of VS Code and sent to this server only. Leave empty if the server needs none.',
  );
  const key = await vscode.window.showInputBox({
    title: t('Karl: API key for {0}', origin),
    prompt: problem === undefined ? use : plainText(`${problem} ${use}`),
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim();
}

/**
 * Must have no `detail`: after a list with rows of two lines, VS Code 1.139 would take a click for one on the row above.
 */
interface PlaceItem extends vscode.QuickPickItem {
  readonly go?: () => Promise<string | undefined>;
}

async function askPlace(current: string, ask: Asked): Promise<string | undefined> {
  const known = ({ label, baseUrl }: KnownServer): PlaceItem => ({
    label,
    description: baseUrl,
    go: async () => baseUrl,
  });
  const change: PlaceItem = {
    label: `$(edit) ${t('Change the address…')}`,
    description: current,
    go: () => askBaseUrl(current),
  };
  const find: PlaceItem = {
    label: `$(search) ${t('Find servers on this machine')}`,
    description: t('asks 127.0.0.1 at their usual ports; no key is sent'),
    go: () => pickFound(ask),
  };
  const items: readonly PlaceItem[] = [
    ...(current === '' ? [] : [change]),
    find,
    separator(t('On this machine')),
    ...LOCAL_SERVERS.map(known),
    separator(t('Hosted')),
    ...HOSTED_SERVERS.map(known),
    separator(t('In VS Code')),
    {
      label: t("VS Code's own models"),
      description: t('of Copilot or another vendor'),
      go: async () => EDITOR_MODELS,
    },
    separator(t('Elsewhere')),
    { label: t('Other server…'), description: t('any OpenAI-compatible base URL'), go: () => askBaseUrl('') },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: t('Karl: Which server runs the model?'),
    placeHolder: t("Any server that speaks the OpenAI chat-completions API, or VS Code's own models"),
    ignoreFocusOut: true,
  });
  return await picked?.go?.();
}

function separator(label: string): PlaceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function pickFound(ask: Asked): Promise<string | undefined> {
  const found = await withProgress(t('Karl: looking for servers'), (signal) => ask.findServers(signal));
  const servers = found.map(
    ({ label, baseUrl, models, needsKey }): PlaceItem => ({
      label: label ?? t('Server on port {0}', new URL(baseUrl).port),
      description: `${baseUrl} · ${needsKey ? t('asks for a key') : describeModels(models)}`,
      go: async () => baseUrl,
    }),
  );
  const again: PlaceItem = { label: `$(refresh) ${t('Look again')}`, go: () => pickFound(ask) };
  const other: PlaceItem = { label: t('Other server…'), go: () => askBaseUrl('') };
  const picked = await vscode.window.showQuickPick([...servers, again, other], {
    title: servers.length === 0 ? t('Karl: No server answers on this machine') : t('Karl: Servers on this machine'),
    placeHolder: servers.length === 0 ? t('Start one and look again') : t('Which one runs the model?'),
    ignoreFocusOut: true,
  });
  return await picked?.go?.();
}

function describeModels(models: readonly string[]): string {
  if (models.length === 0) return t('no model yet');
  const names = withoutIcons(`${models.slice(0, 3).join(', ')}${models.length > 3 ? ', …' : ''}`);
  return models.length === 1 ? t('1 model: {0}', names) : t('{0} models: {1}', models.length, names);
}

async function askBaseUrl(value: string): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: t('Karl: Base URL'),
    value,
    placeHolder: 'https://host/v1',
    prompt: t('It usually ends with /v1.'),
    ignoreFocusOut: true,
    validateInput: (typed) =>
      SETTING_RULES.baseUrl.accepts(typed)
        ? undefined
        : t('Enter a URL that begins with http:// or https:// and has no user name, password, query or fragment.'),
  });
}

async function test(baseUrl: string, key: string | undefined, ask: Asked): Promise<ListedModels> {
  return await withProgress(t('Karl: testing {0}', describeServer(originOf(baseUrl) ?? baseUrl)), (signal) =>
    ask.listModels(baseUrl, key, signal),
  );
}

async function withProgress<Value>(title: string, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const location = vscode.ProgressLocation.Window;
  return await vscode.window.withProgress({ location, title }, () => work(AbortSignal.timeout(TEST_TIMEOUT)));
}

type Way = 'again' | 'key' | 'change' | 'use' | 'usual-path';

/** An address with the path that most servers have. */
function withUsualPath(baseUrl: string): string {
  return `${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1`;
}

async function askWhatNow(baseUrl: string, { kind, message, status }: QueryFailure): Promise<Way | undefined> {
  // LM Studio answers an unknown path with status 200 and an error in place of the list.
  const isNoList = kind === 'refused' && (status ?? 404) === 404;
  const lacksPath = isNoList && new URL(baseUrl).pathname === '/';
  const items: readonly (vscode.QuickPickItem & { readonly way: Way })[] = [
    ...(lacksPath ? [{ label: t('Try {0}', withUsualPath(baseUrl)), way: 'usual-path' } as const] : []),
    { label: t('Try again'), way: 'again' },
    ...(status === 403 ? [{ label: t('Enter another API key…'), way: 'key' } as const] : []),
    { label: t('Change the address…'), description: baseUrl, way: 'change' },
    { label: t('Use it anyway'), description: t('it may start later, or list no models'), way: 'use' },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: plainText(`Karl: ${translate(message)}`),
    ignoreFocusOut: true,
  });
  return picked?.way;
}
