import { countTokens, openConversation } from '../../../src/engine.ts';
import { textOf } from '../../laws/checkView.ts';
import type { ChatMessage } from '../../laws/face.ts';
import { table } from '../tokens/table.ts';
import type { NamedTranscript } from './transcripts.ts';

/** Messages after a compaction whose tool calls show what the agent needed. */
const NEEDED_MESSAGES = 60;
/** The view may have this share of the tokens before. */
const TARGET = 0.1;

const PROFILE = {
  id: 'bench',
  provider: 'bench',
  baseUrl: '',
  timeoutMs: 60_000,
  tools: true,
  envelope: 'standard',
  extra: {},
} as const;

/**
 * At each point where a product compacted for real: the file names that tool calls of the next messages used and that
 * had been seen before, the share of them in Karl's view and behind its handles, and the tokens that the view took.
 */
export async function measureNames(transcripts: readonly NamedTranscript[]): Promise<void> {
  const rows: string[][] = [];
  const totals = { names: 0, inView: 0, recoverable: 0 };
  for (const { id, messages, compactedBefore } of transcripts) {
    for (const index of compactedBefore) {
      const past = messages.slice(0, index);
      const names = neededNames(past, messages.slice(index, index + NEEDED_MESSAGES));
      const tokens = countTokens([...past]);
      const profile = { ...PROFILE, contextWindow: Math.ceil(tokens * 1.1) + 512, completionReserve: 256 };
      const conversation = openConversation({ profile, strategy: 'adaptive' });
      conversation.append(past);
      const report = await conversation.compact({ targetTokens: Math.floor(tokens * TARGET) });
      const view = conversation.view();
      const text = allText(view);
      const inView = names.filter((name) => text.includes(name));
      const recoverable: string[] = [];
      for (const name of names)
        if (inView.includes(name) || (await conversation.recall(name)).some(({ handle }) => handle !== ''))
          recoverable.push(name);
      totals.names += names.length;
      totals.inView += inView.length;
      totals.recoverable += recoverable.length;
      const human = countTokens(keptHumans(past, view));
      rows.push([
        `${id} @${index}`,
        report.reason ?? report.kind,
        String(names.length),
        share(inView.length, names.length),
        share(recoverable.length, names.length),
        String(report.tokensBefore),
        String(report.tokensAfter),
        share(report.tokensAfter - human, report.tokensBefore),
        String(human),
        names
          .filter((name) => !inView.includes(name))
          .slice(0, 3)
          .join(' '),
      ]);
    }
  }
  console.log(
    table(
      [
        'point',
        'run',
        'names',
        'in view',
        'recoverable',
        'before',
        'after',
        'after without human',
        'human tokens',
        'not in view',
      ],
      rows,
    ),
  );
  console.log(
    `\n${totals.names} names: ${share(totals.inView, totals.names)} in view, ${share(totals.recoverable, totals.names)} recoverable.`,
  );
}

/**
 * The last parts of paths in tool-call arguments that also occur in the past. What a call writes into a file does not
 * count.
 */
function neededNames(past: readonly ChatMessage[], next: readonly ChatMessage[]): string[] {
  const seen = allText(past);
  const names = new Set<string>();
  const texts = next.flatMap((message) =>
    (message.tool_calls ?? []).flatMap((call) => shortValues(call.function.arguments)),
  );
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/(?:^|[\s"'`(=/\\])([\w@.-]+\.[A-Za-z]\w{0,9})(?=$|[\s"'`),:;\\])/g))
      if (FILE_NAME.test(name) && seen.includes(name)) names.add(name);
  return [...names];
}

/** Longer argument values are the content of files, not their names. Characters. */
const LONGEST_VALUE = 400;

/** The short texts in the arguments of a call, at any depth; free text line by line. */
function shortValues(text: string): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') found.push(...(value.length <= LONGEST_VALUE ? [value] : []));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(text));
  } catch {
    // Not JSON, for instance a patch: the lines that name files.
    found.push(...text.split('\n').filter((line) => line.startsWith('***')));
  }
  return found;
}

const FILE_NAME =
  /^[\w@.-]*\.(?:[cm]?[jt]sx?|json|md|ya?ml|toml|py|go|rs|rb|java|kt|swift|sh|css|html?|sql|txt|lock|svg|xml|c|h|cpp|pony|ini|cfg|env)$/;

/** Raw user messages that are whole in the view. */
function keptHumans(past: readonly ChatMessage[], view: readonly ChatMessage[]): ChatMessage[] {
  const raw = new Set(past.filter((message) => message.role === 'user').map((message) => JSON.stringify(message)));
  return view.filter((message) => raw.has(JSON.stringify(message)));
}

function allText(messages: readonly ChatMessage[]): string {
  return messages
    .map(
      (message) =>
        `${textOf(message)}\n${(message.tool_calls ?? []).map((call) => call.function.arguments).join('\n')}`,
    )
    .join('\n');
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((part / whole) * 100).toFixed(1)} %`;
}
