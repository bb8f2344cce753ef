import * as z from 'zod/mini';

/** What the agent wants to do to the workspace, for the question to the user. */
export type WorkRequest =
  /** Changes a file, or creates it if `before` is undefined. */
  | {
      readonly kind: 'edit';
      readonly tool: string;
      /** The name for model and user; `file` is the real path. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for invisible characters
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** Makes invisible and direction-changing characters visible as numbers, in text that the user is asked about. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** The user's answer. The model is told the reason, which may be empty. */
export type WorkAnswer = { readonly kind: 'allowed' } | { readonly kind: 'denied'; readonly reason: string };

const grant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tool'), tool: z.string() }),
  /** Exactly this command line. */
  z.object({ kind: z.literal('command'), command: z.string() }),
  /** A plain command line that begins with these words. */
  z.object({ kind: z.literal('prefix'), prefix: z.string().check(z.minLength(1)) }),
]);

/** What the user allows without being asked, until it is revoked. */
export type Grant = Readonly<z.infer<typeof grant>>;

/** Reads stored grants. A malformed value has none, so that the user is asked. */
export function parseGrants(stored: unknown): readonly Grant[] {
  return z.array(grant).safeParse(stored).data ?? [];
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

/** What the user may allow permanently when asked about a request, the narrowest first. */
export function grantsFor(request: WorkRequest): readonly Grant[] {
  if (request.kind !== 'command') return [{ kind: 'tool', tool: request.tool }];
  const { command } = request;
  const exact: Grant = { kind: 'command', command };
  const prefix = isPlain(command) ? prefixOf(command) : undefined;
  return prefix === undefined || prefix === command ? [exact] : [exact, { kind: 'prefix', prefix }];
}

/** Whether the shell surely runs one program and nothing else: no second command, substitution or redirection. */
function isPlain(command: string): boolean {
  return /^[\w ./:=@,+-]+$/.test(command);
}

function startsWithWords(command: string, prefix: string): boolean {
  return command === prefix || command.startsWith(`${prefix} `);
}

/** The program with its subcommand (`npm test`, `npm run build`), since the program alone would allow everything it can do. */
function prefixOf(command: string): string | undefined {
  return /^[a-z][\w.-]* (?:(?:run|exec) )?[a-z][\w:-]*(?= |$)/i.exec(command)?.[0];
}
