/** Words with the shape of a name: quoted as code, humped, capitalised inside a sentence, with a mark or a digit. */
const NAME_SHAPE =
  /`[^`\n]{1,60}`|(?<![\w./])(?:[a-z]\w*[A-Z]\w*|[A-Za-z]\w*[-_.+#/\d][\w.+#/-]*\w|[A-Z][\w+#]+)(?!\w)|(?<![\w./])lib[a-z]{3,}/g;
/** Beside a script without capitals or with letters of its own, any Latin word is a name. */
const LATIN_WORD = /[A-Za-z][\w.+#/-]*\w/g;
/** Signs of a script in which names are written in Latin letters. */
export const OTHER_SCRIPT = /[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;

let last: { sentence: string; names: readonly string[] } = { sentence: '', names: [] };
let before = last;

/** The names in a sentence, each once. A sentence is asked about alone and with its neighbour: two answers are kept. */
export function namesOf(sentence: string): readonly string[] {
  if (sentence === last.sentence) return last.names;
  if (sentence === before.sentence) return before.names;
  before = last;
  last = { sentence, names: readNames(sentence) };
  return last.names;
}

function readNames(sentence: string): string[] {
  if (OTHER_SCRIPT.test(sentence)) return [...new Set(sentence.match(LATIN_WORD) ?? [])];
  const names = sentence.match(NAME_SHAPE) ?? [];
  return [...new Set(names)].filter((name, index) => index > 0 || !isMereStart(sentence, name));
}

/**
 * A capital at the beginning of a sentence makes no name of a common word, nor of one that a mark or an article follows
 * (`Good, …`, `Drop the …`).
 */
function isMereStart(sentence: string, name: string): boolean {
  if (!sentence.startsWith(name)) return false;
  if (COMMON_START.test(name)) return true;
  if (!/^[A-Z][a-z]+$/.test(name)) return false;
  const next = sentence.slice(name.length);
  return /^(?:[^\w\s]|\s+[^\p{L}]|\s+(?:the|a|an|this|that|it|from|to|of|in|on|off|for)\s)/u.test(next);
}

const COMMON_START =
  /^(?:The|This|That|It|We|I|You|They|Let|Now|So|OK|Okay|After|Before|Since|Because|Final|Finally|For|From|In|On|At|As|If|No|Not|Yes|And|But|Also|Use|Using|Keep|Switched|Switch|Rather|Instead|Went|Go|Going|Took|Taking|Moved|Looking|There|Then|Here|Both|Each|When|While|With|Without|An?|Ich|Wir|Die|Der|Das|Es|Ein|Eine|Statt|Gegen|Nach|On|Je|Nous|Le|La|Les|Au|Un|Une|Me|Nos|El|Los|Las|En|Se)$/;
