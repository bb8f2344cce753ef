import { remember } from '../remember.ts';

/** How a sentence tells of tests that passed and that failed, by language; lower case. */
const PASSED =
  'pass(?:ed|es|ing)?|green|succeeded|successful|ok|bestanden|erfolgreich|grün|laufen durch|réussis?|réussies?|passés?|passent|passées?|correct[oa]s|pasan|pasaron|pasad[oa]s|exitos[oa]s|superad[oa]s|passam|passaram|passad[oa]s|aprovad[oa]s|bem-sucedid[oa]s|superat[ie]|riuscit[ie]|passat[ie]|passano|geslaagd|geslaagde|slagen|zaliczon\\S*|udan\\S*|przeszł\\S*|przechodz\\S*|прошл\\S*|пройден\\S*|проходят|успешн\\S*|geçti|başarılı|geçen';
const FAILED =
  'fail(?:ed|s|ing|ures?|ure)?|errors?|errored|broken|red|fehlgeschlagen|fehlschläge|fehlerhaft|rot|schlagen fehl|échoués?|échouées?|échecs?|échouent|fallid[oa]s|fallan|fallaron|fallos?|errores|falham|falharam|falhas?|falhad[oa]s|reprovad[oa]s|fallit[ie]|falliscono|errori|mislukt|mislukte|gefaald|falen|niezaliczon\\S*|nieudan\\S*|nie przeszł\\S*|błęd\\S*|упал\\S*|провал\\S*|неуспешн\\S*|не прошл\\S*|ошиб\\S*|başarısız|kaldı|hatalı';
const DENSE_PASSED = '通过|成功|合格|パス|통과|성공';
const DENSE_FAILED = '失败|失敗|未通过|不合格|실패';
const COUNT = '\\d{1,7}(?:[.,]\\d{3}){0,2}';
/** What is counted may stand between: "12 tests passed", "5209 件中 5205 件が成功". */
const THINGS =
  '(?: (?:tests?|testcases?|specs?|cases?|checks?|examples?|prüfungen|pruebas|testes|essais|prove|testy|testów|тест\\S*|of them|davon)){0,2}';
const DENSE_THINGS = '\\s?[个個件項项개]?\\s?(?:测试|测试用例|用例|テスト|테스트)?[がは가이은는]?\\s?';
const EDGE = '(?![a-zß-ɏа-ё])';
const STATE = `(?:${PASSED}|${FAILED})${EDGE}`;
const DENSE = `(?:${DENSE_PASSED}|${DENSE_FAILED})`;

const ONE_COUNT = [
  `${COUNT} (?:of|out of|von|de|des|sur|su|di|van|z|из|/|／) ?(?:the |den |los |las |les )?${COUNT}${THINGS}(?: \\S{1,12}){0,2}? ${STATE}`,
  `${COUNT} ?/ ?${COUNT}${THINGS} ${STATE}`,
  `${COUNT}${THINGS} ${STATE}`,
  `(?:共\\s?)?${COUNT}\\s?[个個件項项개]?\\s?(?:测试|テスト|테스트)?[中のうち里]{1,3}[，,、]?\\s?(?:有\\s?)?${COUNT}${DENSE_THINGS}${DENSE}`,
  `${COUNT}\\s?개 중 ${COUNT}${DENSE_THINGS}${DENSE}`,
  `${COUNT}${DENSE_THINGS}${DENSE}`,
  `${DENSE}\\s?[:：]?\\s?${COUNT}\\s?[个個件項项개]?`,
  `(?!ok|green|red|rot|grün)${STATE}:? ${COUNT}(?: (?:of|de|von|sur|su|di|из) ${COUNT})?${THINGS}`,
  `${COUNT} tests?`,
].join('|');
const COUNTS = new RegExp(`(?<![\\w.])(?:${ONE_COUNT})`, 'gu');
/** What has counts at least. */
const STEM =
  /pass|fail|succe|green|broken|erro|bestand|erfolg|grün|schl|réuss|éch|correct|pas[ao]|exito|super|fall|falh|aprov|sucedid|riusc|geslaag|slagen|mislukt|falen|zalicz|udan|przesz|przech|błęd|прош|пройд|проход|успеш|упал|провал|ошиб|geç|başar|kaldı|hatalı|通过|成功|合格|パス|통과|성공|失败|失敗|실패/;
const FAILED_COUNT = new RegExp(
  `(?<![\\d.,])0*[1-9][\\d.,]{0,9}(?:${THINGS} (?:${FAILED})${EDGE}|${DENSE_THINGS}(?:${DENSE_FAILED}))|(?:${DENSE_FAILED})\\s?[:：]?\\s?0*[1-9]`,
  'u',
);
const PART_OF = /(\d[\d.,]*)\s?(?:of|out of|von|de|sur|su|di|van|z|из|\/)\s?(?:the |den |los |las |les )?(\d[\d.,]*)/u;
const DENSE_PART_OF =
  /(\d[\d.,]*)\s?(?:[个個件項项개]?\s?(?:测试|テスト|테스트)?[中のうち里]{1,3}|개 중)[，,、]?\s?(?:有\s?)?(\d[\d.,]*)/u;
const LONGEST_SPAN = 120;
const MOST_BETWEEN = 24;

/** What a sentence says of a run of tests. */
export interface TestCounts {
  /** The counts, as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
}

/**
 * The counts of a sentence that tells how a run of tests ended ("12 passed, 3 failed"); undefined when it does not, or
 * tells one count alone that may be of anything.
 */
export const testCounts: (sentence: string) => TestCounts | undefined = remember(readCounts, 2);

function readCounts(sentence: string): TestCounts | undefined {
  if (!/\d/.test(sentence) || sentence.length > 400) return undefined;
  const lower = sentence.toLowerCase();
  if (!STEM.test(lower)) return undefined;
  if (lower.length !== sentence.length) return undefined;
  const [first, ...others] = lower.matchAll(COUNTS);
  if (first === undefined) return undefined;
  let end = first.index + first[0].length;
  let counted = 1;
  for (const next of others) {
    if (next.index - end > MOST_BETWEEN || next.index + next[0].length - first.index > LONGEST_SPAN) break;
    end = next.index + next[0].length;
    counted += 1;
  }
  const text = sentence.slice(first.index, end);
  const part = PART_OF.exec(text);
  const dense = DENSE_PART_OF.exec(text);
  if (counted < 2 && part === null && dense === null && !ABOUT_TESTS.test(lower)) return undefined;
  if (!STATED.test(text.toLowerCase())) return undefined;
  const fewer = (part !== null && part[1] !== part[2]) || (dense !== null && dense[1] !== dense[2]);
  return { text, start: first.index, end, failed: fewer || FAILED_COUNT.test(text.toLowerCase()) };
}

const STATED = new RegExp(`(?:${PASSED}|${FAILED})${EDGE}|${DENSE}`, 'u');
const ABOUT_TESTS = /(?<![a-z])(?:tests?|specs?|suites?|pruebas|testes|prove|testy|тест)|测试|テスト|테스트/;

/** The suite that a sentence is about: a path, or a name in code marks beside words for tests. */
export function suiteIn(sentence: string, counts: TestCounts): string | undefined {
  const around = `${sentence.slice(0, counts.start)} ${sentence.slice(counts.end)}`;
  const path = /(?<![\w:/.-])(?:\.{1,2}\/)?[\w@.-]{1,60}(?:\/[\w@.-]{1,60}){1,10}/.exec(around)?.[0];
  const named = path ?? /`([\w@./:-]{2,80})`/.exec(around)?.[1];
  return named === undefined ? undefined : suiteName(named) || undefined;
}

/** A suite as runners and people call it: without the marks of "here" and "everything below", and without a manifest. */
export function suiteName(path: string): string {
  return path
    .replace(/^\.\//, '')
    .replace(/\/(?:\.{3}|\*{1,2}|Cargo\.toml|package\.json|pom\.xml|build\.gradle(?:\.kts)?|go\.mod)$/, '')
    .replace(/[/.:]+$/, '');
}
