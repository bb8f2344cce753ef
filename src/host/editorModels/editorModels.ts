import * as vscode from 'vscode';
import type { QueryFailure } from '../../adapters/servers/query.ts';
import type { ServedWindow } from '../../adapters/servers/window.ts';
import { t } from '../../core/language.ts';
import type { ChatTool } from '../../core/messages/chat.ts';
import { type ModelProfile, windowAround } from '../../core/model/profile.ts';
import type { Result } from '../../core/result.ts';
import type { EditorMessage, EditorPart } from '../provider/editorMessage.ts';
import { makeDataPart, readPart } from '../provider/readEditorMessage.ts';
import { type AskEditorModel, type EditorModelName, findModel, listModels } from './editorModelClient.ts';

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
  const { stream } = await found.sendRequest(messages.map(makeMessage), request, source.token);
  return readParts(stream);
};

async function* readParts(stream: AsyncIterable<unknown>): AsyncIterable<EditorPart> {
  for await (const part of stream) yield readPart(part);
}

function toTool({ function: { name, description = '', parameters } }: ChatTool): vscode.LanguageModelChatTool {
  return { name, description, ...(parameters !== undefined && { inputSchema: parameters }) };
}

type Said = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart;
type Heard = vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart;

function makeMessage({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  if (role === 'assistant') {
    const said = parts.flatMap((part): Said[] => (part.kind === 'call' ? [makeCall(part)] : makeSaid(part)));
    return vscode.LanguageModelChatMessage.Assistant(said);
  }
  const said = parts.flatMap((part): Heard[] => (part.kind === 'result' ? [makeResult(part)] : makeSaid(part)));
  return vscode.LanguageModelChatMessage.User(said);
}

function makeCall({ id, name, input }: Extract<EditorPart, { kind: 'call' }>): vscode.LanguageModelToolCallPart {
  return new vscode.LanguageModelToolCallPart(id, name, Object(input));
}

function makeResult({ callId, parts }: Extract<EditorPart, { kind: 'result' }>): vscode.LanguageModelToolResultPart {
  return new vscode.LanguageModelToolResultPart(callId, parts.flatMap(makeSaid));
}

/** Text, or an image. Before VS Code 1.106, no model takes images. */
function makeSaid(part: EditorPart): vscode.LanguageModelTextPart[] {
  if (part.kind === 'text') return [new vscode.LanguageModelTextPart(part.text)];
  if (part.kind !== 'data') return [];
  const made = makeDataPart(part.data, part.mimeType) ?? new vscode.LanguageModelTextPart('[image]');
  // The declarations are those of the oldest VS Code that Karl supports.
  return [made as vscode.LanguageModelTextPart];
}
