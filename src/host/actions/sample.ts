import * as vscode from 'vscode';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { ModelProfile } from '../../core/model/profile.ts';

/** The conversation that ships with Karl: over the threshold of its 16k profile. */
export interface Sample {
  readonly title: string;
  readonly profile: ModelProfile;
  readonly messages: readonly ChatMessage[];
}

/** Provider of the sample's profile: no server has it. */
export const SAMPLE_PROVIDER = 'sample';

/** Reads the sample: a file of the extension itself, checked by a test and not at run time. */
export async function readSample(extensionUri: vscode.Uri): Promise<Sample> {
  const uri = vscode.Uri.joinPath(extensionUri, 'media', 'sample', 'conversation.json');
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return JSON.parse(text) as Sample;
}
