import * as vscode from 'vscode';
import type { QueryFailure } from '../../adapters/servers/query.ts';
import type { ServedWindow } from '../../adapters/servers/window.ts';
import type { ChatTool } from '../../core/chat/wire.ts';
import { type ModelProfile, windowAround } from '../../core/model/profile.ts';
import type { Result } from '../../core/result.ts';
import { t } from '../../language/language.ts';
import { toEditorMessages } from '../provider/editorMessages.ts';
import {
  type AskEditorModel,
  type EditorChunk,
  type EditorModelName,
  findModel,
  listModels,
} from './editorModelClient.ts';

const select = (name?: EditorModelName) => vscode.lm.selectChatModels(name);

/** The names of the models that VS Code has. Asks every vendor, so only for a list that the user wants. */
export function listEditorModels(signal: AbortSignal): Promise<Result<readonly string[], QueryFailure>> {
  return listModels(select, signal);
}

/** The window derived from a model's input limit. Asks its vendor; unknown if no answer comes before the signal aborts. */
export async function findEditorWindow(profile: ModelProfile, signal: AbortSignal): Promise<ServedWindow> {
  const input = (await findModel(profile.id, select, signal))?.maxInputTokens;
  if (input === undefined || input <= 0) return { dropsOldest: false };
  return { window: { tokens: windowAround(profile, input), source: 'server' }, dropsOldest: false };
}

/**
 * Asks a model. The first time, VS Code asks the user whether Karl may.
 * @throws vscode.LanguageModelError, or what the vendor throws
 */
export const askEditorModel: AskEditorModel = async ({ model, messages, tools, options }, signal) => {
  const found = await findModel(model, select, signal);
  if (found === undefined) throw vscode.LanguageModelError.NotFound(model);
  const source = new vscode.CancellationTokenSource();
  signal.addEventListener('abort', () => source.cancel(), { once: true });
  if (signal.aborted) source.cancel();
  const request = {
    justification: t('Karl sends your messages to this model, and the results of its tools.'),
    tools: tools.map(toTool),
    modelOptions: options,
  };
  const { stream } = await found.sendRequest(toEditorMessages(messages), request, source.token);
  return readChunks(stream);
};

async function* readChunks(stream: AsyncIterable<unknown>): AsyncIterable<EditorChunk> {
  for await (const part of stream) {
    if (part instanceof vscode.LanguageModelTextPart) yield part.value;
    if (part instanceof vscode.LanguageModelToolCallPart) yield part;
  }
}

function toTool({ function: { name, description = '', parameters } }: ChatTool): vscode.LanguageModelChatTool {
  return { name, description, ...(parameters !== undefined && { inputSchema: parameters }) };
}
