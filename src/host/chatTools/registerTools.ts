import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { RecallInput } from './answerTools.ts';
import type { ConversationPlaces } from './workspaceConversations.ts';

/**
 * Registers the tools that other agents in VS Code find, as the manifest declares them. Both only read. What answers
 * them is loaded with the first call.
 */
export function registerTools(places: ConversationPlaces): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool<RecallInput>('karl_recall', {
      prepareInvocation: ({ input }) => ({ invocationMessage: t('Recalling {0}', input.query) }),
      invoke: async ({ input, tokenizationOptions }) => {
        const { recall } = await import('./answerTools.ts');
        return toResult(await recall(places, input, tokenizationOptions));
      },
    }),
    vscode.lm.registerTool<object>('karl_budget', {
      prepareInvocation: () => ({ invocationMessage: t('Reading the context budget') }),
      invoke: async () => {
        const { readBudget } = await import('./answerTools.ts');
        return toResult(await readBudget(places));
      },
    }),
  );
}

function toResult(text: string): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
}
