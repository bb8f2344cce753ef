import * as vscode from 'vscode';
import type { ListedModels } from '../../adapters.ts';
import {
  EDITOR_MODELS,
  HOSTED_SERVERS,
  type KnownServer,
  LOCAL_SERVERS,
  originOf,
} from '../../core/model/providers.ts';
import { t, translate } from '../../language/language.ts';
import type { Basics } from '../basics.ts';
import { withProgress } from '../dialogs.ts';
import { listEditorModels } from '../editorModels/editorModels.ts';
import { plainText, withoutIcons } from '../present/words.ts';
import { SETTING_RULES } from '../settings/settingRules.ts';
import type { NamedServer } from './folderServers.ts';
import { describeServer, type Keys, needsNoKey } from './secrets.ts';

/** A server that the user selected. */
interface SelectedServer {
  readonly baseUrl: string;
  /** The key entered in the dialog, to be stored. Empty: the server needs none. */
  readonly key: string | undefined;
  /** Its models that can chat, undefined if it lists none; or why the test failed, if the user selects it anyway. */
  readonly listed: ListedModels;
}

/** How long a server may take to list its models, milliseconds. */
const LIST_TIMEOUT = 5000;

/** What the dialogs use. */
type DialogParts = Pick<Basics, 'adapters' | 'readKey'> & { readonly keys: Keys };

/** Asks which server runs the model and tests the connection. Undefined if the user cancelled. */
export async function selectServer(current: string, parts: DialogParts): Promise<SelectedServer | undefined> {
  const baseUrl = await askPlace(current, parts);
  return baseUrl ? await tryServer(baseUrl, parts) : undefined;
}

/** Tests the connection, and asks what to do if that fails. `key`: one that was entered here. */
async function tryServer(baseUrl: string, parts: DialogParts, key?: string): Promise<SelectedServer | undefined> {
  const origin = originOf(baseUrl) ?? baseUrl;
  const withKey = async (problem?: string) => {
    const entered = await askKey(origin, problem);
    return entered === undefined ? undefined : await tryServer(baseUrl, parts, entered);
  };
  if (key === undefined && !needsNoKey(origin) && (await parts.keys.read(origin)) === undefined) return await withKey();
  const listed = await listModels(t('Karl: testing {0}', describeServer(origin)), baseUrl, parts, key);
  if (listed.ok) return { baseUrl, listed, key };
  const { kind, status } = listed.error;
  const message = translate(listed.error.message);
  const enterKey = () => withKey(t('{0}: it asks for a key, or the key is wrong.', message));
  if (status === 401) return await enterKey();
  // LM Studio answers an unknown path with status 200 and an error in place of the list.
  const isNoList = kind === 'refused' && (status ?? 404) === 404;
  const usual = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/v1`;
  const change = async () => {
    const changed = await askBaseUrl(baseUrl);
    return changed ? await tryServer(changed, parts) : undefined;
  };
  const items: readonly (vscode.QuickPickItem & { go(): Promise<SelectedServer | undefined> })[] = [
    ...(isNoList && new URL(baseUrl).pathname === '/'
      ? [{ label: t('Try {0}', usual), go: () => tryServer(usual, parts, key) }]
      : []),
    { label: t('Try again'), go: () => tryServer(baseUrl, parts, key) },
    ...(status === 403 ? [{ label: t('Enter another API key…'), go: enterKey }] : []),
    { label: t('Change the address…'), description: baseUrl, go: change },
    {
      label: t('Use it anyway'),
      description: t('for a server that starts later or does not list its models'),
      go: async () => ({ baseUrl, listed, key }),
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: plainText(`Karl: ${message}`),
    ignoreFocusOut: true,
  });
  return await picked?.go();
}

/**
 * Asks VS Code or a server for its models, which also tests the connection, and shows `title` meanwhile. `key` replaces the
 * stored one.
 */
export function listModels(
  title: string,
  baseUrl: string,
  { adapters, readKey }: DialogParts,
  key?: string,
): Promise<ListedModels> {
  const signal = AbortSignal.timeout(LIST_TIMEOUT);
  return withProgress(title, async () =>
    baseUrl === EDITOR_MODELS
      ? await listEditorModels(signal)
      : await adapters.listModels(baseUrl, key === undefined ? readKey : async () => key, signal),
  );
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

async function askPlace(current: string, parts: DialogParts): Promise<string | undefined> {
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
    go: () => pickFound(parts),
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

async function pickFound(parts: DialogParts): Promise<string | undefined> {
  const find = () => parts.adapters.findServers(AbortSignal.timeout(LIST_TIMEOUT));
  const found = await withProgress(t('Karl: looking for servers'), find);
  const servers = found.map(
    ({ label, baseUrl, models, needsKey }): PlaceItem => ({
      label: label ?? t('Server on port {0}', new URL(baseUrl).port),
      description: `${baseUrl} · ${needsKey ? t('asks for a key') : describeModels(models)}`,
      go: async () => baseUrl,
    }),
  );
  const again: PlaceItem = { label: `$(refresh) ${t('Look again')}`, go: () => pickFound(parts) };
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

/** Asks whether a server may be used. The safe answer comes first; `undefined` if the user cancelled. */
export async function askServer({ origin, source }: NamedServer): Promise<boolean | undefined> {
  const refuse = { label: t('Do not use it'), description: t('nothing is sent there') };
  const allow = {
    label: t('Send the conversations of this folder to {0}', describeServer(origin)),
    description: t('your keys stay here'),
  };
  const picked = await vscode.window.showQuickPick([refuse, allow], {
    title: t('Karl: This folder names a server, {0}. May it be used?', describeServer(origin)),
    placeHolder: plainText(t('Named in {0}', source)),
    ignoreFocusOut: true,
  });
  return picked === undefined ? undefined : picked === allow;
}

/**
 * Asks for one of the models that the server listed, or for a name if it listed none. `current`: the one in the settings,
 * which comes first if it is listed and is proposed if the server did not answer. Undefined if the user cancelled.
 */
export async function askModel(listed: ListedModels, current: string): Promise<string | undefined> {
  const models = (listed.ok ? listed.value : undefined) ?? [];
  if (models.length === 0)
    return await askName(
      listed.ok
        ? t('The server lists no models that can chat. Enter the name that the server uses.')
        : t('{0}. Enter the name that the server uses.', listed.error.message),
      listed.ok ? '' : current,
    );
  const isListed = models.includes(current);
  const items: readonly (vscode.QuickPickItem & { readonly model?: string })[] = [
    ...(isListed ? [{ label: withoutIcons(current), description: t('in use'), model: current }] : []),
    ...models.filter((model) => model !== current).map((model) => ({ label: withoutIcons(model), model })),
    { label: t('Other model…') },
  ];
  const picked = await vscode.window.showQuickPick(items, { title: t('Karl: Which model?'), ignoreFocusOut: true });
  return picked === undefined ? undefined : (picked.model ?? (await askName(t('The name that the server uses'))));
}

async function askName(prompt: string, value = ''): Promise<string | undefined> {
  return await vscode.window.showInputBox({
    title: t('Karl: Name of the model'),
    value,
    prompt: plainText(prompt),
    ignoreFocusOut: true,
    validateInput: (value) =>
      SETTING_RULES.model.accepts(value) ? undefined : t('Allowed: {0}', SETTING_RULES.model.allowed),
  });
}
