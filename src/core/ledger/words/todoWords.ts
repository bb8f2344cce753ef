/** What tells one to-do from another: the names in it (files, identifiers, versions) and its other words. */
export interface TodoWords {
  readonly names: readonly string[];
  readonly words: readonly string[];
}

/** Runs of letters of one script; a name may hold digits, dots, slashes and underscores. */
const RUN =
  /[A-Za-z\u00c0-\u024f0-9_./\\@#$-]+|[\u0370-\u03ff\u0400-\u052f]+|[\uac00-\ud7af]+|[\u3040-\u30ff\u3400-\u9fff]+/g;
const HAN = /[\u3040-\u30ff\u3400-\u9fff]/;
const LEAST_LETTERS = 3;
const COMMON = new Set(
  'the for and with from into that this der die das des dem den für und mit von ein eine les des une pour avec dans los las del por para con una dos das com uma per del della het een van voor met'.split(
    ' ',
  ),
);

/** The names and words of a to-do, each once, lower case; scripts without blanks by pairs of signs. */
export function todoWords(text: string): TodoWords {
  const names = new Set<string>();
  const words = new Set<string>();
  const dense = HAN.test(text) || /[\uac00-\ud7af]/.test(text);
  for (const [run] of text.normalize('NFKC').matchAll(RUN)) {
    if (HAN.test(run)) for (let at = 0; at + 1 < run.length; at++) words.add(run.slice(at, at + 2));
    else if (run.charCodeAt(0) >= 0xac00) {
      if (run.length > 1) words.add(run);
    } else addSpaced(run.replace(/^[./\\-]+|[./\\-]+$/g, ''), dense, names, words);
  }
  return { names: [...names], words: [...words] };
}

function addSpaced(word: string, dense: boolean, names: Set<string>, words: Set<string>): void {
  if (word === '') return;
  const lower = word.toLowerCase().replaceAll('\\', '/');
  // A Latin word between other letters is a name ("给 parse 补测试").
  if (/[_/.\\@#$\d]|[a-z][A-Z]/.test(word) || (dense && word.length > 1 && word.charCodeAt(0) < 0x250))
    names.add(lower);
  else if (word.length >= LEAST_LETTERS && !COMMON.has(lower)) words.add(lower);
}
