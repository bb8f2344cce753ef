import * as vscode from 'vscode';
import type { ModelProvider } from './modelProvider.ts';

/** The vendor under which the manifest declares Karl's models. */
const VENDOR = 'karl';

/**
 * Offers the models of OpenAI-compatible servers to VS Code's chat. `load` is called when VS Code first asks for
 * something; `onDidChange` makes VS Code ask for the models again.
 */
export function registerModels(load: () => Promise<ModelProvider>, onDidChange: vscode.Event<void>): vscode.Disposable {
  return vscode.lm.registerLanguageModelChatProvider(VENDOR, {
    onDidChangeLanguageModelChatInformation: onDidChange,
    provideLanguageModelChatInformation: async (options) => (await load()).provideLanguageModelChatInformation(options),
    provideLanguageModelChatResponse: async (...asked) => (await load()).provideLanguageModelChatResponse(...asked),
    provideTokenCount: async (model, text) => (await load()).provideTokenCount(model, text),
  });
}

/** Makes VS Code ask for the models, so that a chat which used one of them finds it when the window opens. */
export async function showModels(): Promise<void> {
  await vscode.lm.selectChatModels({ vendor: VENDOR });
}
