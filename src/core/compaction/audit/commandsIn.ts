import { anyOf, groupOf } from '../../messages/anyOf.ts';

const CODE = /`([^`\n]{4,400})`|"([^"\n]{4,400})"/g;
/** Where a note leaves part of a command out or puts a placeholder. */
const HOLE = /\s*(?:\.{3}|…|<[^<>\n]{1,40}>|\{[^{}\n]{0,40}\}|\bN\b)\s*/;
/** The beginning of a command: variable assignments, then a program's name and at least one argument. */
const COMMAND = /^(?:\$ )?(?:[A-Z][A-Z0-9_]*=\S* )*(?:sudo )?(?:\.{0,2}\/)?[a-z][\w./@+-]{1,60} (?=\S)/;
/** Signs of code, declarations or prose in code marks; a command line hardly ever has them. */
const NO_COMMAND = anyOf(
  /^[\w.]+\s*(?:[=:]=?|\()|[({]\s*\)?$|;\s*$|\breturn\b|=>/,
  /^(?:const|let|var|func|function|class|type|interface|import|export|if|for|while|def|async|await) /,
  /^(?:public|private|static|enum|struct|package|from|select|insert|update|delete) /,
);
const FLAG_OR_JOINT = /\s-{1,2}\w|&&|\|\||\s\|\s|\s[\w.-]+\/|\$\(/;
const PROGRAM = groupOf(
  /git|gh|npm|npx|pnpm|yarn|bun|node|deno|go|cargo|rustup|make|mvn|gradle|docker|kubectl|helm|terraform|aws|gcloud|az/,
  /python3?|pip3?|uv|poetry|pytest|ruby|bundle|rails|php|composer|dotnet|swift|brew|apt|apt-get|systemctl|curl|wget/,
  /ssh|scp|rsync|rm|mv|cp|mkdir|chmod|chown|kill|pkill|psql|mysql|sqlite3|redis-cli|mongo|sed|awk|grep|rg|find|tar|unzip/,
);
const SUBCOMMAND = new RegExp(String.raw`^(?:\$ )?(?:[A-Z][A-Z0-9_]*=\S* )*(?:sudo )?${PROGRAM}\s`);
/** In prose, a command is a program's name, up to two words and a flag, then anything shaped like a flag or a path. */
const IN_PROSE = new RegExp(
  String.raw`(?<![\w/.-])${PROGRAM}(?: [a-z][\w-]*){0,2}(?: -{1,2}[A-Za-z][\w-]*)+(?: [~./-](?:[^\s,;)]*[^\s,;.:)])?(?![^\s.,;:)]))*`,
  'g',
);

/** A shorter command (`git status`) is common knowledge and harmless. In words. */
const LEAST_WORDS = 3;

/** The command lines that a text names, each as the pieces around what it leaves out. */
export function commandsIn(text: string): string[][] {
  // In the source, other words may have stood between a program and its flags.
  const inProse = [...text.replace(CODE, ' ` ').matchAll(IN_PROSE)].map(([line]) => line.split(/ (?=-)/));
  return inProse.concat(commandsInCode(text));
}

function commandsInCode(text: string): string[][] {
  return [...text.matchAll(CODE)].flatMap(([, code, quoted]) => {
    const line = (code ?? quoted ?? '').trim().replace(/^\$ /, '');
    if (!COMMAND.test(line) || NO_COMMAND.test(line)) return [];
    if (!SUBCOMMAND.test(line) && !FLAG_OR_JOINT.test(line)) return [];
    if (line.split(/\s+/).length < LEAST_WORDS) return [];
    const pieces = line.split(HOLE).filter((piece) => piece.trim().length > 2);
    return pieces.length === 0 ? [] : [pieces];
  });
}
