import { cues } from './cues.ts';

/** An alternative was looked at. */
export const CONSIDERED = cues(
  [
    'toyed with',
    'geprüft',
    'consider(?:ed|ing)',
    'weigh(?:ed|ing)',
    'evaluated',
    'tempting',
    'attractive',
    'appealing',
    'could have used',
    'would have (?:worked|been)',
    'thought (?:about|of)',
    'had in mind',
    'on the table',
    'looked (?:good|fine|promising|tempting)',
    'erwogen',
    'in betracht',
    'überlegt',
    'in ?frage',
    'denkbar',
    'verlockend',
    'reizvoll',
    'attraktiv',
    'gedacht',
    'envisag\\p{L}+',
    'considéré\\p{L}*',
    'pensé à',
    'tentante?',
    'séduisante?',
    'évalué\\p{L}*',
    'consider(?:é|ó|ado|amos|aron|ei|ar|ou|ato|ata)',
    'valor(?:é|ó|ado|amos|aron)',
    'evalu(?:é|ó|ado|amos|aron)',
    'pens(?:é|ado|amos|ei|ato) (?:en|em|a)',
    'tentador\\p{L}*',
    'atra(?:ctiv|ente)\\p{L}*',
    'avali(?:ei|amos|ado)',
    'cogit(?:ei|amos|ado)',
    'valutat\\p{L}*',
    'allettante',
    'overwogen',
    'verleidelijk',
    'aantrekkelijk',
    'rozważ\\p{L}+',
    'kusi\\p{L}+',
    'myśla\\p{L}+',
    'рассматрива\\p{L}+',
    'заманчив\\p{L}*',
    'привлекательн\\p{L}*',
    'думал\\p{L}*',
    'düşün\\p{L}+',
    'cazip\\p{L}*',
    'değerlendir\\p{L}+',
  ],
  [
    '考虑',
    '有吸引力',
    '诱人',
    '原本想',
    '本来想',
    '想过',
    '検討',
    '魅力的',
    '候補',
    '고려',
    '검토',
    '매력적',
    '생각했',
  ],
);

/** What follows speaks against what was said. */
export const BUT = cues(
  [
    "but|yet|still|however|although|though|it did not|it didn['’]t",
    'aber|doch|allerdings|jedoch|dennoch|trotzdem|nur',
    'mais|cependant|toutefois|pourtant|néanmoins',
    'pero|sin embargo|aunque|no obstante',
    'mas|porém|contudo|só que|ainda assim|no entanto|entretanto|todavia',
    'ma|però|tuttavia',
    'maar|echter|toch',
    'ale|jednak|lecz',
    'но|однако|зато',
    'ama|ancak|fakat',
  ],
  ['但', '不过', '可是', '然而', 'が、', 'けど', 'しかし', 'ものの', '지만', '으나', '하나', '그러나'],
);

/** Words that draw a conclusion; what stands behind the last of them is what was taken. */
const HENCE_WORDS =
  "so|hence|therefore|thus|which is why|that is why|that['’]s why|consequently|also|daher|deshalb|darum|deswegen|folglich|somit|es wird|donc|alors|du coup|ainsi|así que|por eso|por lo tanto|por tanto|entonces|então|por isso|logo|portanto|assim|quindi|perciò|dunque|pertanto|dus|daarom|vandaar|więc|dlatego|zatem|поэтому|так что|значит|следовательно|bu yüzden|o yüzden|bu nedenle|dolayısıyla";
const HENCE = new RegExp(
  `^.*(?:[,;:.—–-]\\s*|\\s)(?:and |und |et |y |e |en |i |и )?(?:${HENCE_WORDS})[\\s,:]+([^,;:]{2,80})$|^.*(?:所以|因此|于是|最终|最后|故|ので|ため|だから|よって|そこで|그래서|따라서|그러므로|결국)[、，,\\s]*([^、，,;]{2,60})$`,
  'su',
);

/** What a sentence concludes ("so …", "daher …"), or undefined when it ends without a conclusion. */
export function conclusionOf(sentence: string): string | undefined {
  const match = HENCE.exec(sentence.toLowerCase());
  const text = match?.[1] ?? match?.[2];
  return text === undefined ? undefined : sentence.slice(sentence.length - text.length);
}

/** An earlier choice is taken up again. */
export const TURNS = cues(
  [
    'replac(?:ed|es|ing) .{1,60} (?:with|by)',
    'swapp?(?:ed|ing) .{1,60} for',
    '(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)) .{0,60}from .{1,60} to',
    '(?:durch|gegen) .{1,60} (?:ersetzt|ausgetauscht|getauscht)',
    '(?:ersetzen|ersetzten) .{1,60} durch',
    'von .{1,60} auf .{1,60} (?:umgestellt|gewechselt|umgestiegen)',
    '(?:sustitu|reempla|substitu|remplac|sostitu)\\p{L}+ .{1,60} (?:por|par|con)',
    '(?:cambiamos|pasamos|mudamos|passamos) de .{1,60} (?:a|para)',
    'passé(?:s|e)? de .{1,60} à',
    'замен\\p{L}+ .{1,60} на',
    'cambio de planes',
    'mudança de planos',
    'changement de plan',
    'planänderung',
    'kurswechsel',
    'correction (?:for|on)',
    'rectific\\p{L}+',
    'contre-ordre',
    'entgegen (?:meiner|unserer)',
    'anders als (?:zuvor|bisher) entschieden',
    'chang(?:e|ed|ing) (?:of|my|our) (?:mind|plans?)',
    '(?:on )?second thoughts?',
    'reconsider(?:ed|ing)',
    'revisit(?:ed|ing)',
    'rethought',
    'after all',
    'no longer (?:use|using|go|going)',
    'revert(?:ing|ed)?(?: the| my| our)? .{0,40}decision',
    'takes? its place',
    'new decision',
    'update on',
    'was a mistake',
    "(?:does|did)(?:n['’]t| not) (?:hold|work out)",
    'umentschieden',
    'anders überlegt',
    'doch (?:anders|kein\\p{L}*|mit|lieber)',
    'noch ?(?:ein)?mal zu',
    'löst .{1,40} ab',
    'nicht bewährt',
    '(?:nehme|nehmen) .{1,60} zurück',
    'neue (?:lage|entscheidung)',
    'war ein fehler',
    'kommando zurück',
    "chang[eé]\\p{L}* d['’]avis",
    '(?:je|on|nous) (?:reviens|revient|revenons) sur',
    'réflexion faite',
    'finalement',
    '(?:cambi\\p{L}+|mudei|mudamos) de (?:idea|opinión|ideia|opinião|parecer)',
    'cambiato idea',
    'al final',
    'afinal',
    'revisé',
    'revi',
    'repens(?:ei|é|amos)',
    'reconsider(?:é|ei|ado)',
    'volt(?:ei|amos) atrás',
    'ripensat\\p{L}*',
    'van gedachten veranderd',
    'toch maar',
    'bij nader inzien',
    'zmieni\\p{L}+ zdanie',
    'передума\\p{L}+',
    'вернул\\p{L}* к',
    'пересмотр\\p{L}+',
    'вместо (?:него|неё|нее|них)',
    'fikrimi(?:zi)? değiştir\\p{L}*',
    'vazgeç\\p{L}+',
  ],
  [
    '替换了?',
    '换成',
    '换为',
    '改用',
    '改成',
    '取代',
    '置き換え',
    '切り替え',
    '乗り換え',
    '교체',
    '대체',
    '改主意',
    '改变主意',
    '改变了主意',
    '重新考虑',
    '再想',
    '作废',
    '不再用',
    '是个错误',
    '考え直',
    '方針を変更',
    'やはり',
    '見直し',
    '생각을 바꿨',
    '생각을 바꾸',
    '마음을 바꿨',
    '결정을 바꿉',
    '결정을 바꿨',
    '다시 검토',
    '다시 생각',
    '재검토',
    '실수였',
    '更正',
    'やっぱり',
  ],
);

/** Two things are named to choose between. */
export const BETWEEN = cues(
  ['between|of|from|zwischen|von|entre|tra|fra|tussen|między|между|из|vs|versus|arasında'],
  ['之间', '相比', '当中', 'のうち', '比べ', '중에서', '중에', '사이에서'],
);

/** What stands before the colon announces a decision. */
export const SAID_TO_BE_DECIDED =
  /^[*_#\s]*(?:(?:\p{L}+ )?(?:decision|choice|verdict|chosen|picked)|(?:\p{L}+ )?entscheidung|festlegung|beschluss|décision|choix|decisión|elección|decisão|escolha|decisione|scelta|beslissing|besluit|keuze|decyzja|wybór|выбор|karar|seçim|决定|决策|选型|決定|採用|결정|선택)[*_\s]*[:：]/iu;

/** What stands before the colon may announce a decision as well as something else. */
export const SAID_TO_CONCLUDE =
  /^[*_#\s]*(?:conclusion|fazit|ergebnis|conclusión|conclusão|conclusione|conclusie|wniosek|решение|итог|sonuç|结论|方案|結論|방안|결론)[*_\s]*[:：]/iu;

const REJECTED_WORDS =
  'rejected|discarded|ruled out|turned down|dismissed|dropped|verworfen|abgelehnt|ausgeschlossen|rejetée?s?|écartée?s?|descartad[oa]s?|rechazad[oa]s?|rejeitad[oa]s?|scartat[oaie]|respint[oaie]|afgewezen|verworpen|odrzucon[eoaąy]|отклон[её]н[оаы]?|отвергнут[оаы]?|reddedil\\p{L}+|elendi|否决|未采用|未选|放弃|弃用|排除|淘汰|却下|不採用|見送り|除外|기각|제외|탈락|미채택';
/** What stands before the colon turns something down. */
export const SAID_TO_BE_REJECTED = new RegExp(`^[*_#\\s]*(?:${REJECTED_WORDS})[*_\\s]*[:：]`, 'iu');

const AGAINST_WORDS = `instead of|rather than|over|not|statt|nicht|au lieu de|plutôt que|pas|non|en lugar de|en vez de|no|em vez de|não|invece di|al posto di|niet|in plaats van|nie|zamiast|не|а не|вместо|değil|yerine|不用|不是|而不是|ではなく|아님|대신`;

/** `Topic: choice (rejected: other, why)`: a line of a list that says what was turned down. */
export const LISTED_REJECTION = new RegExp(
  `^[^:：→=(（|]{2,60}(?:[:：]|→|->|=>)\\s*[^(（:：|]{2,60}?[(（[]\\s*(?:\\p{L}+ )?(?:${REJECTED_WORDS})(?!\\p{L})`,
  'iu',
);
/** `Topic: choice, other ruled out`, `Topic: choice (not other)`: only where both are names. */
export const LISTED_CONTRAST = new RegExp(
  `^[^:：→=(（|\`.]{2,50}(?:[:：]|→|->|=>)[*_\\s]*[^(（:：.,|]{2,40}?(?:[\\s(（,，—–-]+(?:${AGAINST_WORDS})(?![a-zß-ɏ])\\s*([^\\s,:：)）]+(?: [^\\s,:：)）]+)?)[)）]?[.]?$|\\s*[,;，；—–-]\\s?([^:：)）]{2,40})(?:${REJECTED_WORDS})(?!\\p{L}))`,
  'iu',
);

/** The head of a table that says what was taken and what was not. */
export const TABLE_OF_CHOICES = new RegExp(
  `^\\|.*(?:chosen|choice|decision|picked|gewählt|wahl|entscheidung|choisi|choix|elegid|elecci|escolh|scelt|keuze|gekozen|wybran|выбран|seçilen|选择|选用|决定|採用|決定|선택|결정).*\\|.*(?:alternatives?|alternativen?|alternativas?|alternative[ns]?|${REJECTED_WORDS})`,
  'iu',
);
