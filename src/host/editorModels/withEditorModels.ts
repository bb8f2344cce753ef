import { EDITOR_MODELS } from '../../core/model/providers.ts';
import type { ModelClient } from '../../core/session/modelClient.ts';
import { classifyRefusal } from './classifyRefusal.ts';
import { EditorModelClient } from './editorModelClient.ts';
import { askEditorModel } from './editorModels.ts';

/** A client that asks the models of VS Code itself, and leaves servers to another client. */
export function withEditorModels(servers: ModelClient): ModelClient {
  const editor = new EditorModelClient({ ask: askEditorModel, classify: classifyRefusal });
  return {
    complete: (request, ...rest) => {
      const client = request.profile.baseUrl === EDITOR_MODELS ? editor : servers;
      return client.complete(request, ...rest);
    },
  };
}
