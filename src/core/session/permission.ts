import * as z from 'zod/mini';

/** What the agent wants to do to the workspace, as the user is asked about it. */
export type WorkRequest =
  /** Changes a file, or makes it: then `before` is undefined. */
  | {
      readonly kind: 'edit';
      readonly tool: string;
      /** As the model and the user name it, and on the disk. */
      readonly path: string;
      readonly file: string;
      readonly before: string | undefined;
      readonly after: string;
      readonly added: number;
      readonly removed: number;
    }
  /** Runs a command line in the shell, in a folder. */
  | { readonly kind: 'command'; readonly tool: string; readonly command: string; readonly folder: string }
  /** Calls a tool of another extension or of an MCP server. */
  | { readonly kind: 'tool'; readonly tool: string; readonly input: string };

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that nobody sees are what is sought
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** A text that the user is asked about: what would hide in it, or turn its direction, is shown as its number. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** What the user said. The model is told the reason, which may be empty. */
export type WorkAnswer = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly reason: string };

/** What the user allows without being asked, until it is revoked. */
export type Grant =
  | { readonly kind: 'tool'; readonly tool: string }
  /** Exactly this command line. */
  | { readonly kind: 'command'; readonly command: string }
  /** A plain command line that begins with these words. */
  | { readonly kind: 'prefix'; readonly prefix: string };

const grants = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('tool'), tool: z.string() }),
    z.object({ kind: z.literal('command'), command: z.string() }),
    z.object({ kind: z.literal('prefix'), prefix: z.string().check(z.minLength(1)) }),
  ]),
);

/** The grants of a stored value; none of one that is malformed, so that the user is asked. */
export function parseGrants(stored: unknown): readonly Grant[] {
  const parsed = grants.safeParse(stored);
  return parsed.success ? parsed.data : [];
}

/** Whether a grant covers a request. */
export function covers(grant: Grant, request: WorkRequest): boolean {
  switch (grant.kind) {
    case 'tool':
      return request.kind !== 'command' && grant.tool === request.tool;
    case 'command':
      return request.kind === 'command' && grant.command === request.command;
    case 'prefix':
      return request.kind === 'command' && isPlain(request.command) && startsWithWords(request.command, grant.prefix);
  }
}

/** What the user may allow for good when asked about a request, the narrowest first. */
export function grantsFor(request: WorkRequest): readonly Grant[] {
  if (request.kind !== 'command') return [{ kind: 'tool', tool: request.tool }];
  const { command } = request;
  const exact: Grant = { kind: 'command', command };
  const prefix = isPlain(command) ? prefixOf(command) : undefined;
  return prefix === undefined || prefix === command ? [exact] : [exact, { kind: 'prefix', prefix }];
}

/**
 * Whether the shell runs one program and nothing else: no second command, no substitution, no file that is written. What
 * is not certain is not plain.
 */
function isPlain(command: string): boolean {
  return /^[\w ./:=@,+-]+$/.test(command);
}

function startsWithWords(command: string, prefix: string): boolean {
  return command === prefix || command.startsWith(`${prefix} `);
}

/** The program and its subcommand: `npm test`, `npm run build`; the program alone would allow all that it can do. */
function prefixOf(command: string): string | undefined {
  return /^[a-z][\w.-]* (?:(?:run|exec) )?[a-z][\w:-]*(?= |$)/i.exec(command)?.[0];
}
