import type { ChoiceOf } from '../found.ts';
import { namesOf } from '../read/names.ts';
import { CHOSEN, TAKES } from '../words/choiceCues.ts';
import { CHOICE, CONTRAST, WILL } from '../words/decisionCues.ts';
import { FILLERS } from '../words/fillerWords.ts';
import { DROPS, INSTEAD } from '../words/rejectionCues.ts';
import { SAID_TO_BE_DECIDED, SAID_TO_CONCLUDE, TURNS } from '../words/weighingCues.ts';

/** Where the reason begins; what follows is not what was decided. */
const REASON =
  /[,;:.—–-]?\s(?:since|because|as it|denn|weil|da (?:es|die|der|das|wir)|car|parce que|puisque|porque|pues|ya que|pois|já que|perché|poiché|siccome|omdat|want|bo|ponieważ|gdyż|потому что|так как|ведь|çünkü)\s|[,，、。]?\s?(?:因为|理由|原因|이유|때문|なぜなら)/iu;
/** In brackets stands what was turned down, with its reason, or what the decision is for. */
const IN_BRACKETS = /[(（][^()（）]{0,200}[)）]?/gu;
/** What was turned down, as far as a short phrase names it. */
const AGAINST =
  /(?:instead of|rather than|in place of|over|, not|, and not|against|statt|anstelle von|und nicht|, nicht|und gegen|au lieu (?:de |du |des |d['’])|plutôt que?|et non|, pas|en (?:lugar|vez) de|frente a|y no|, no|em vez de|no lugar de|e não|, não|invece di|al posto di|e non|, non|in plaats van|en niet|, niet|zamiast|a nie|, nie|вместо|а не|, не|而不是|而非|[,，]\s?(?:排除|放弃|弃用|否决|不采用)|[,，]\s?不用|[,，]\s?不选|[,，]\s?别用)\s*(?:the |a |an |den |die |das |dem |einen? )?([\w.+#/-]{1,40}(?: [\w.+#/-]{1,40}){0,2})/giu;
/** The other ways round: the alternative stands before the words that turn it down. */
const TURNED_DOWN =
  /(?<![\w.+#/-])((?:[\w.+#/-]{1,40} ){0,2}[\w.+#/-]{1,40})\s?(?:is out|is ruled out|scheidet aus|fällt weg|entfällt|est écarté\p{L}*|está fora|queda fuera|valt af|대신|말고|(?:은|는) ?(?:아님|제외|말고|버리고|버립니다)|ではなく|の代わり|は不採用|は却下)/giu;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_.+#/-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu;
/** Signs of Chinese and Japanese that join what a sentence is about with what is said of it. */
const UNSPACED_JOINTS =
  /[\u3040-\u309f]+|我们|我|你|使用|采用|选用|选择|决定|结论|方案|方面|放弃|弃用|排除|否决|而不是|而非|不用|取代|代替|替换|换成|改成|改用|改为|主意|改变|重新|考虑|再想|想|作废|错误|個|个|还是|就|吧|了|的|用|选|换|改|定|把|让|给|对|从|到|是|不|别|要|使|変更|方針|決定|採用|検討|切替|切|替|考|直|使|捨|選|結論|見送|却下/gu;
const PARTICLE = /(?:에서는|에는|에서|에게|으로|에|는|은|를|을|로|가|이|와|과|도|의)$/u;

/**
 * What a decision is about: its topic and what it takes, as phrases. The reason is left out, what it turns down, and the
 * words in which choices are announced.
 */
export function choiceOf(sentence: string): ChoiceOf {
  const told = sentence.normalize('NFKC').replace(SAID_TO_BE_DECIDED, ' ').replace(SAID_TO_CONCLUDE, ' ');
  const rest = withoutReason(told)
    .replace(IN_BRACKETS, (text) => (turnsDown(text) ? ' ; ' : ` ; ${text.slice(1)} ; `))
    .replace(AGAINST, (_, phrase: string) => ` ; ${phrase.slice(lengthOfName(phrase))}`)
    .replace(TURNED_DOWN, (_, phrase: string) => `${withoutLastName(phrase)} ; `);
  const names = new Set(namesOf(told).map((name) => name.replace(/`/g, '').toLowerCase()));
  const phrases: string[][] = [];
  for (const part of rest.split(/[\s/]*[,;:.!—–、。，；：(){}"„“”|]+(?:\s+|$)|(?<=[\u3000-\u9fff])[,;:]/u)) {
    let phrase: string[] = [];
    for (const word of [...wordsIn(part), '']) {
      if (word !== '' && (!isSaying(word) || isShortName(word, names))) phrase.push(word);
      else if (phrase.length > 0) {
        phrases.push(phrase);
        phrase = [];
      }
    }
  }
  return {
    phrases,
    names: [...names],
    all: [...new Set(wordsIn(told))],
    turns: TURNS.test(sentence),
  };
}

function turnsDown(text: string): boolean {
  return [DROPS, INSTEAD, CONTRAST].some((cue) => cue.test(text)) || REASON.test(text) || /\s\S+\s\S+\s/.test(text);
}

function isShortName(word: string, names: ReadonlySet<string>): boolean {
  return word.length < 3 && names.has(word) && !FILLERS.has(word) && !ARTICLES.has(word);
}

/** Characters of the words before the first that only joins. */
function lengthOfName(phrase: string): number {
  let end = 0;
  for (const word of phrase.matchAll(/\S+/g)) {
    if (end > 0 && isSaying(word[0].toLowerCase())) break;
    end = word.index + word[0].length;
  }
  return end;
}

function withoutLastName(phrase: string): string {
  const words = phrase.split(/\s+/);
  const joint = words.findLastIndex((word, index) => index < words.length - 1 && isSaying(word.toLowerCase()));
  return words.slice(0, joint + 1).join(' ');
}

function withoutReason(text: string): string {
  const at = REASON.exec(text)?.index ?? text.length;
  const head = text.slice(0, at);
  // `I take A over B: it is smaller.` A colon behind the names begins the reason; one before them ends the topic.
  const colon = /[:：]\s/.exec(head)?.index;
  if (colon === undefined || namesOf(head.slice(0, colon)).length < 2) return head;
  return head.slice(0, colon);
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    if (!/[\u3040-\u9fff\uac00-\ud7af]/.test(word)) {
      words.push(word);
      continue;
    }
    // A Latin name may stand against other signs without a blank.
    for (const part of word.match(/[\u3040-\u9fff]+|[\uac00-\ud7af]+|[^\u3040-\u9fff\uac00-\ud7af]+/g) ?? []) {
      if (/[\uac00-\ud7af]/.test(part)) words.push(part.length > 1 ? part.replace(PARTICLE, '') : '');
      else if (/[\u3040-\u9fff]/.test(part)) words.push(...part.split(UNSPACED_JOINTS));
      else words.push(part);
    }
  }
  return words.filter((word) => word !== '');
}

/** Words of the announcement itself and words without a meaning of their own. */
function isSaying(word: string): boolean {
  if (word.length < 3 && /^[\p{Script=Latin}\p{Script=Cyrillic}]+$/u.test(word)) return true;
  if (FILLERS.has(word) || ARTICLES.has(word)) return true;
  return [CHOICE, TAKES, CHOSEN, CONTRAST, DROPS, INSTEAD, WILL].some((cue) => cue.test(word));
}

const ARTICLES = new Set(
  'review revisión revisão revue tras nach prüfung überprüfung plans planes planos plan 评审之后 评审 レビューの結果 レビュー 结果 cambio mudança change against replace replaced replaces replacing replacement the for our that plan is as hence was were a an vou voy vado vamos usar ir per vai kies gebruik gebruiken part mise pour bitte please what need needs than biorę używam stawiam выбираю kullanıyorum seçtim ettim jetzt kommt entscheidung decision décision decisión decisão  its your about going picked chose want like die der das den dem des für bei ich wir ihr les des pour par notre para por los las del nuestro dos das per gli della delle voor het ons dla nad для про насчёт için 쓰겠습니다 씁니다 합니다 택했습니다 nehme verwende verwenden setze benutze'.split(
    ' ',
  ),
);
