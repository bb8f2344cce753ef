import { language, t } from '../../core/language.ts';
import { type Attachment, attach } from '../../core/messages/attachments.ts';
import type { ChatMessage } from '../../core/messages/chat.ts';
import type { AttachedState } from '../../protocol/entries.ts';

/** What the view shows of an attachment. */
export function presentAttached(attachment: Attachment): AttachedState {
  if (attachment.kind === 'image')
    return { kind: 'image', label: t('Image, {0}', describeBytes(bytesOf(attachment.url))) };
  const { path, lines } = attachment;
  const range = lines === undefined ? '' : `:${lines.from}-${lines.to}`;
  return { kind: 'file', label: `${path}${range}`, path, line: lines?.from ?? 1 };
}

/** Bytes of the file in a base64 `data:` URL. */
export function bytesOf(url: string): number {
  return Math.floor(((url.length - url.indexOf(',') - 1) * 3) / 4);
}

/** A size as people read it. */
export function describeBytes(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1000))} kB`;
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return `${(bytes / 1_000_000).toLocaleString(language(), digits)} MB`;
}

const messages = new WeakMap<Attachment, ChatMessage>();

/** A message with nothing but the attachment, to be counted: the same object each time. */
export function messageOf(attachment: Attachment): ChatMessage {
  const known = messages.get(attachment) ?? { role: 'user', content: attach('', [attachment]) };
  messages.set(attachment, known);
  return known;
}
