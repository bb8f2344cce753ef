import * as vscode from 'vscode';
import { t } from '../../core/language.ts';
import type { Attachment, LineRange } from '../../core/messages/attachments.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { bytesOf, describeBytes } from '../present/attachments.ts';
import { findLink } from './findLink.ts';
import { findFile } from './openFile.ts';

/** Largest file and largest image that can be attached, bytes. */
const LARGEST_FILE = 1_000_000;
const LARGEST_IMAGE = 5_000_000;

const IMAGES: Readonly<Record<string, string>> = { png: 'png', jpg: 'jpeg', jpeg: 'jpeg', gif: 'gif', webp: 'webp' };

/** An attachment, or in a sentence why there is none. */
type Read = Result<Attachment, string>;

/** Reads a file of the workspace, as it is in an editor when it is open in one. */
export async function readAttachment(path: string): Promise<Read> {
  const uri = await findFile(path);
  if (uri === undefined) return err(t('There is no file {0} in this workspace.', path));
  try {
    return await readFile(uri, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(t('{0} could not be read: {1}', path, reason));
  }
}

async function readFile(uri: vscode.Uri, path: string): Promise<Read> {
  const link = await findLink(uri);
  if (link !== undefined)
    return err(t('{0} is a link and may lead out of the workspace. Attach the file that it leads to.', link));
  const { size } = await vscode.workspace.fs.stat(uri);
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return textAttachment(path, open.getText());
  const image = IMAGES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  const largest = image === undefined ? LARGEST_FILE : LARGEST_IMAGE;
  if (size > largest) return err(tooLarge(path, size, largest));
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (image !== undefined)
    return imageAttachment(`data:image/${image};base64,${Buffer.from(bytes).toString('base64')}`);
  return bytes.includes(0)
    ? err(t('{0} is a binary file ({1}), not text. It is not attached.', path, describeBytes(size)))
    : textAttachment(path, new TextDecoder().decode(bytes));
}

/** A text, or some lines of it. */
export function textAttachment(path: string, text: string, lines?: LineRange): Read {
  if (text.length > LARGEST_FILE) return err(tooLarge(path, text.length, LARGEST_FILE));
  return ok({ kind: 'file', path, ...(lines !== undefined && { lines }), text });
}

/** An image as a base64 `data:` URL. */
export function imageAttachment(url: string): Read {
  const bytes = bytesOf(url);
  return bytes > LARGEST_IMAGE ? err(imageTooLarge(bytes)) : ok({ kind: 'image', url });
}

/** Says that an image is too large. */
export function imageTooLarge(bytes: number): string {
  return tooLarge(t('The image'), bytes, LARGEST_IMAGE);
}

function tooLarge(what: string, bytes: number, most: number): string {
  return t(
    '{0} has {1}; {2} at most can be attached. Let the agent read the part that matters, or attach a selection.',
    what,
    describeBytes(bytes),
    describeBytes(most),
  );
}
