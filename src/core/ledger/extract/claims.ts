import type { Found } from '../found.ts';
import { isFilePath, normalizePath } from '../read/paths.ts';
import type { Reading } from '../read/reading.ts';
import { normalizeWords, sentences } from '../read/sentences.ts';
import { EXPLICIT_RULE } from '../words/constraintCues.ts';
import { cues } from '../words/cues.ts';

/** At most this many sentences of one message are read, and this many names of each kind are taken from it. */
const MOST_SENTENCES = 60;
const MOST_NAMES = 8;

/** What a sentence quotes as code. */
const QUOTED = /`([^`\n]{2,160})`/g;
const PATH = /(?:~?[\\/])?(?:[\w@.-]{1,60}[\\/]){1,12}[\w.-]{1,80}\.[A-Za-z]\w{0,7}(?![\w/\\])/g;
const PLACE = /(?:(?:[\w@.-]{1,60}[\\/]){0,12}[\w-]{1,80}\.[A-Za-z]\w{0,7}):\d{1,6}(?::\d{1,5})?(?!\w|\.\d)/;
/** A name of several parts, or one that is called: `mergeRows`, `RowMerger`, `merge_rows`, `merge()`. */
const NAME =
  /^(?:[A-Za-z_$][\w$]*(?:[a-z\d][A-Z]|_)[\w$]*|[A-Z][a-z]+[A-Z]\w*|[A-Za-z_$][\w$.]{2,60}(?=\(\)$))(?:\(\))?$/;
const BARE_NAME =
  /(?<![\w`./$-])(?:[a-z][a-z\d]{0,30}(?:[A-Z][a-z\d]{1,30}){1,8}|(?:[A-Z][a-z\d]{1,30}){2,8}|[a-z\d]{2,30}(?:_[a-z\d]{1,30}){1,8})(?![\w`/$-]|\.\w)/g;

const FAILS = cues(
  [
    'errors?',
    'fail(?:s|ed|ing|ure)?',
    'throws?',
    'threw',
    'crash(?:es|ed)?',
    'panic(?:s|ked)?',
    'exception',
    'breaks?',
    'broke',
    'stops?',
    'stopped',
    'fehler',
    'schlägt',
    'fliegt',
    'bricht',
    'scheitert',
    'stoppt',
    'wirft',
    'falla',
    'falló',
    'lanza',
    'detiene',
    'échoue',
    'erreur',
    'lève',
    'falha',
    'falhou',
    'lança',
    'errore',
    'fallisce',
    'ошибк\\p{L}*',
    'падает',
    'упал\\p{L}*',
    'błąd',
    'hata',
  ],
  [
    '错误',
    '失败',
    '报错',
    '抛出',
    '崩溃',
    '出错',
    '中断',
    '中止',
    'エラー',
    '失敗',
    '例外',
    '投げ',
    '止ま',
    '오류',
    '실패',
    '에러',
  ],
);
const EXIT =
  /(?:exit(?:ed|s)?(?: with)?(?: code| status)?|status|code|returned|failed with|exit-?code|rückgabewert|estado|código(?: de (?:salida|saída))?|code de (?:sortie|retour)|codice|код(?: возврата)?|退出码|返回值|返回|終了コード|戻り値|종료 코드)\D{0,16}?(\d{1,3})(?!\w|\.\d)/i;

/** How an answer begins that takes over what somebody asked for. */
const ACKNOWLEDGED =
  /^(?:understood|noted|got it|agreed|okay|ok|sure|will do|right|verstanden|notiert|alles klar|in ordnung|entendido|anotado|de acuerdo|vale|compris|noté|d['’]accord|bem|certo|capito|ricevuto|понял|принято|rozumiem|(?:i['’]ll|i will|we will|we['’]ll) (?:keep|stick|respect|follow|honou?r|observe|comply|adhere|abide)|(?:ich|wir) (?:halte|halten|beachte|beachten|respektiere) (?:mich|uns)?|me (?:ceñiré|atendré|ajustaré)|respetaré|cumpliré|je (?:respecte|respecterai|m['’]en tiens)|respeitarei|rispetterò|ik houd me|я (?:соблюдаю|буду соблюдать)|учту)\p{L}{0,3}[\s,.:;!–—-]|^(?:明白|已记录|记住|好的|收到|了解|知道了|承知|記録|分かりました|わかりました|알겠|확인|기록)/iu;
const WILL_NOT =
  /\b(?:won['’]t|will not|not|nicht|kein\p{L}*|no|ne|não|non|не|nie)(?!\p{L})|不|别|勿|ません|ない|않|안 /iu;
const REMEMBERED =
  /^(?:as you (?:like|wish|prefer|asked)|(?:i['’]ll|i will) (?:remember|keep in mind)|wie (?:gewünscht|du|sie)|ich (?:merke mir|denke daran)|como (?:prefieres|prefiere|quieres|pediste|você)|recordaré|lembrarei|comme (?:vous|tu)|je (?:retiens|me souviendrai)|come preferisci|ricorderò|как ты|запомню)(?!\p{L})|^(?:我会记住|按照?[你您]的|遵照|ご希望|お好み|覚えて|말씀하신|기억하)|(?:覚えておきます|기억하겠습니다)/iu;

/**
 * What the model says of files, names, failures and commands in prose: often the only trace of what was understood
 * between two calls. Told by shape (a path, a place, a quoted name), and soft: what the tools themselves show counts more.
 */
export function findClaims(reading: Reading): Found[] {
  if (reading.model === undefined) return [];
  const found = new Map<string, Found>();
  const add = (fact: Omit<Found, 'at' | 'by' | 'strength'>): void => {
    const all = [...found.values()];
    if (all.filter((other) => other.class === fact.class).length >= MOST_NAMES) return;
    found.set(`${fact.class}\n${fact.key}`, { ...fact, at: reading.at, by: 'model', strength: 'soft' });
  };
  for (const sentence of sentences(reading.model).slice(0, MOST_SENTENCES)) {
    if (ACKNOWLEDGED.test(sentence) && (EXPLICIT_RULE.test(sentence) || WILL_NOT.test(sentence)))
      add(claim('constraint', sentence));
    if (REMEMBERED.test(sentence)) add(claim('preference', sentence));
    if (!/[`/\\_]|[a-z][A-Z]/.test(sentence)) continue;
    const quoted = [...sentence.matchAll(QUOTED)].map(([, text = '']) => text.trim());
    const command = quoted.find(isCommand);
    const exit = command === undefined ? undefined : EXIT.exec(sentence.replace(command, ' '))?.[1];
    if (command !== undefined && exit !== undefined)
      add({ ...claim('command', command), key: command, state: `exit ${exit}` });
    const place = /:\d/.test(sentence) ? PLACE.exec(sentence)?.[0] : undefined;
    if (place !== undefined && FAILS.test(sentence)) add(failure(sentence, place, quoted));
    if (!/[/\\]/.test(sentence)) continue;
    const paths = [...new Set(sentence.match(PATH) ?? [])].filter(isFilePath);
    for (const path of paths) add({ class: 'file-read', value: path, key: normalizePath(path) });
    if (paths.length === 0) continue;
    const bare = sentence.replace(QUOTED, ' ').replace(PATH, ' ').match(BARE_NAME) ?? [];
    for (const name of [...quoted.filter((text) => NAME.test(text)), ...bare]) {
      const value = name.replace(/\(\)$/, '');
      add({ class: 'identifier', value, key: value });
    }
  }
  return [...found.values()];
}

function claim(kind: Found['class'], value: string): Pick<Found, 'class' | 'value' | 'key'> {
  return { class: kind, value, key: normalizeWords(value) };
}

function failure(
  sentence: string,
  place: string,
  quoted: readonly string[],
): Pick<Found, 'class' | 'value' | 'key' | 'anchor'> {
  const message = quoted.find((text) => !text.includes(place) && /\s|Error|Exception/.test(text));
  const after = sentence.slice(sentence.indexOf(place) + place.length).replace(/^[\s:：,，`)]+/, '');
  const value = message ?? (after.length > 12 ? after : sentence);
  return { ...claim('error', value), anchor: place };
}

/** `npm test`, `./scripts/run.sh --all`: words, the first one a program. */
function isCommand(text: string): boolean {
  return (
    /^(?:\.{0,2}\/)?[\w.-]+(?:\/[\w.-]+)*\s+\S/.test(text) && !/^[A-Z]\w+ (?:is|has|does|was)\b|[{};]|\w\(/.test(text)
  );
}
