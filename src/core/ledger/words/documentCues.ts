import { cues } from './cues.ts';

/** A heading under which a decision stands. */
const DECISION_HEADING =
  /^[\d.)\s#*_]*(?:(?:\p{L}+ ){0,3}(?:decisions?|resolutions?|entscheidung(?:en)?|beschl(?:uss|üsse)|décisions?|decisi(?:ón|ones)|decis(?:ão|ões)|decision[ei]|besluit(?:en)?|beslissing(?:en)?|decyzj[aei]|решени[ея]|karar(?:lar)?)|what (?:we|was) decided)(?: (?:outcome|made|taken|log|record|tomadas|prises|getroffen|tomada|prise|rationale))?[\s:：*_]*$|^[\d.)、\s]*(?:关键|设计|技术|架构|主要|设计の?)?(?:决定|决策|决议|決定|決議|採用|결정)(?:事项|事項|内容|结果|結果| 사항)?[\s:：*_]*$/iu;
const NOT_YET =
  /open|pending|needed|required|future|proposed|to be|draft|offen|ausstehend|pendiente|en attente|en suspens|待|未|保留|미정|보류/iu;

/** True for the heading of a part that says what was decided; `Open decisions` says what was not. */
export function headsDecision(heading: string): boolean {
  return heading.length < 60 && DECISION_HEADING.test(heading.trim()) && !NOT_YET.test(heading);
}

/** What stands before the colon announces a decision; more words than in speech, since a document labels its parts. */
export const DECISION_LABEL =
  /^[*_#\s[]*(?:(?:\p{L}+ ){0,2}(?:decision|choice|verdict|resolution)|decided|resolved|agreed|(?:\p{L}+ )?entscheidung|festlegung|beschluss|beschlossen|entschieden|décision|décidé|choix|decisión|decidido|acordado|elección|decisão|escolha|acuerdo|decisione|deciso|scelta|beslissing|besluit|besloten|keuze|decyzja|ustalono|wybór|решение|решили|решено|выбор|karar|seçim|决定|决策|决议|选型|定论|決定(?:事項)?|採用|合意|결정(?: ?사항)?|채택|선택)(?: \d{1,3})?[\]*_\s]{0,4}[:：]/iu;
/** Nothing follows the label yet. */
export const UNDECIDED =
  /[:：][\s*_]*(?:tbd|open|pending|none|n\/a|todo|to be (?:made|decided|determined)|offen|ausstehend|keine|pendiente|ninguna|en attente|aucune|pendente|待定|未定|保留|미정|보류|[-–—?]*$)/iu;

/** It says where decisions stand, or heads a table of them. */
export const POINTS_TO_DECISIONS =
  /\b(?:logged|recorded|listed|documented|tracked|described|captured) (?:in|under|below)\b|^see\b|^siehe\b|^\|[\s*]*(?:#|nr|id|decision|choice|entscheidung|décision|decisión|decisão|决定|決定|결정|date|topic)[\s*]*\|/i;

/** The state of a decision record. */
export const STATUS =
  /^[\s*_>|#-]{0,8}(?:status|stand|état|statut|estado|stato|статус|durum|状态|狀態|ステータス|状態|상태)[\s*_]{0,4}[:：|][\s*_]{0,4}(.{1,80})$/imu;
export const STATUS_HEADING =
  /^[\d.)\s]*(?:status|état|statut|estado|stato|статус|durum|状态|ステータス|状態|상태)\s*$/iu;
/** Such a decision is not, or no longer, in force. */
export const NOT_IN_FORCE =
  /superseded|deprecated|rejected|declined|withdrawn|proposed|draft|in discussion|under review|obsolete|abgelöst|ersetzt durch|abgelehnt|verworfen|veraltet|vorgeschlagen|entwurf|remplacée?|rejetée?|obsolète|proposée?|brouillon|reemplazad|sustituid|rechazad|obsolet|propuest|borrador|substituíd|rejeitad|propost|rascunho|sostituit|rifiutat|bozza|vervangen|afgewezen|voorgesteld|concept|заменен|отклон|устарел|предложен|черновик|zastąpion|odrzucon|propozycj|taslak|reddedil|önerilen|废弃|取代|否决|提议|草案|草稿|讨论中|廃止|置き換え|却下|提案|下書き|폐기|대체됨|거부|제안|초안/iu;

/** A rule in the prose of a document: said as one, not merely worded like one. */
const NORM = cues(
  [
    "must(?:n['’]t)?",
    'may (?:not|only|never)',
    'only .{1,60} (?:may|can|is allowed to|are allowed to|should|write|writes|touch|touches|edit|edits)',
    'never(?! (?:\\p{L}+s|been|had|was|mind|ending)(?: |$))(?![>,.);])',
    "(?<=(?:^|[.,;:()*—–-]|please|and|but|or|so|you) ?)(?:do not|don['’]t)",
    'does not accept|cannot be (?:changed|edited|renamed|removed)',
    '(?:is|are) (?:strictly )?(?:forbidden|prohibited|not allowed|not permitted|off[- ]limits|frozen|mandatory|read-only|not to be)',
    'not allowed to',
    'under no circumstances',
    '(?:needs?|requires?) (?:an? |at least |the )?(?:\\p{L}+ ){0,3}(?:approvals?|reviews?|reviewers?|sign-?offs?|permission|consent|changelog|migration)',
    '(?<!(?:is|are|was|will) )(?:always|shall)(?! (?:\\p{L}+s|been|had|was)(?: |$))',
    '(?:has|have) to be',
    '(?:darf|dürfen|muss|müssen|niemals|verboten|untersagt|zwingend|ausschließlich|pflicht|tabu)',
    'nicht (?:ändern|anfassen|löschen|verändern|umbenennen|entfernen|verwenden|benutzen|committen|pushen|bearbeiten)',
    '(?:braucht|brauchen|benötigt|benötigen|erfordert|erfordern) .{0,40}(?:freigabe|freigaben|review|reviews|genehmigung\\p{L}*|zustimmung|prüfung)',
    '(?:doit|doivent|jamais|interdit\\p{L}*|obligatoire\\p{L}*|impérativement)',
    "(?:ne|n['’]\\p{L}+) .{1,40} (?:pas|jamais|que)",
    '(?:nécessite\\p{L}*|requi\\p{L}+|exige\\p{L}*) .{0,40}(?:approbation|validation|relecture|revue|accord)\\p{L}*',
    'seule?s? .{1,60} (?:peut|peuvent)',
    '(?:nunca|jamás|debe|deben|prohibid[oa]s?|obligatori[oa]s?|está[n]? prohibido)',
    'no se (?:puede|pueden|permite|permiten|debe|deben)',
    '(?:solo|sólo|únicamente|apenas|somente|solamente) .{1,60} (?:puede|pueden|pode|podem)',
    '(?:necesita|requiere|necesita|exige|precisa)[nm]? .{0,40}(?:aprobaci|revisi|permiso|aprovaç|revis|autoriz)\\p{L}*',
    '(?:deve|devem|devono|proibid[oa]s?|vietat[oaie]|obrigatóri[oa]s?|não (?:pode|podem|deve|devem)|non (?:può|possono|deve|devono)|mai)',
    'solo .{1,60} (?:può|possono)',
    'richied\\p{L}+ .{0,40}(?:approvazion|revision)\\p{L}*',
    '(?:nooit|verboden|verplicht|moet(?:en)?|mag (?:niet|alleen|geen)|mogen (?:niet|alleen|geen))',
    'alleen .{1,60} (?:mag|mogen)',
    '(?:нельзя|запрещ\\p{L}+|обязательн\\p{L}+|никогда|долж(?:ен|на|но|ны)|не (?:должн\\p{L}+|допуска\\p{L}+|разреша\\p{L}+))',
    'только .{1,60} (?:может|могут|имеет|имеют)',
    'треб\\p{L}+ .{0,40}(?:одобрен|согласован|ревью|подтвержден)\\p{L}*',
    '(?:nigdy|musi|muszą|nie wolno|nie może|nie mogą|zabronion\\p{L}+|wymaga\\p{L}* .{0,40}(?:zgod|akceptac|zatwierdz)\\p{L}*)',
    'tylko .{1,60} (?:może|mogą)',
    '(?:asla|yasak\\p{L}*|zorunlu\\p{L}*|\\p{L}+m[ae]malı\\p{L}*|\\p{L}+ m[ae]malı|sadece .{1,60}(?:abilir|ebilir)|onay .{0,20}gerek\\p{L}*)',
  ],
  [
    '必须',
    '不得',
    '禁止',
    '严禁',
    '切勿',
    '务必',
    '不允许',
    '不准',
    '不要(?:修改|使用|提交|编辑|删除|引入|直接)',
    '不(?:能|可|可以)(?:修改|使用|提交|编辑|删除|引入|直接|依赖|写)',
    '(?:只有|仅有?|只能).{1,60}(?:可以|才能|能|可|允许)',
    '需要?.{0,8}(?:审批|批准|评审|审核|同意|复核)',
    '[てで]はいけ',
    '[てで]はなら',
    '[てで]は(?:駄目|ダメ|だめ)',
    '必ず',
    '厳禁',
    'しないこと',
    'しないで',
    'のみが?.{0,40}(?:できます|できる|可能|許可|書き込)',
    'だけが.{1,60}(?:できます|できる|よい|可)',
    '(?:承認|レビュー|許可)が.{0,12}必要',
    'なければなりません',
    'なければならない',
    '안 ?(?:됩니다|된다|돼요)',
    '금지',
    '반드시',
    '하지 ?(?:않습니다|마세요|말 것|말것|마십시오)',
    '만 .{1,40}수 있',
    '(?:승인|리뷰|허가)(?:이|가)? ?.{0,8}(?:필요|받아야)',
    '해야 (?:합니다|한다)',
  ],
);
/** Advice to a reader, or a description that only holds such a word. */
const NO_NORM = cues(
  [
    "(?:don['’]t|do not|doesn['’]t) (?:need|have|worry|forget|know|want|exist|matter|see|hesitate|work|support)",
    'must have (?:been|had)',
    'if you|you (?:may|can|might|could|want|must first|will)',
    'never (?:mind|been|had|existed|used|mentions?|returned)',
    'always (?:been|was|were)',
    'must-have',
    'nicht .{1,40} müssen|muss nicht|müssen nicht',
    'wenn (?:sie|du|ihr)',
    'si (?:quieres|desea|vous|tu)',
  ],
  ['如果你', '如果您', 'したい場合', '하려면'],
);

const LONGEST_NORM = 220;

/** True for a sentence of a document that forbids or demands something of whoever works on the project. */
export function isNorm(sentence: string): boolean {
  return sentence.length <= LONGEST_NORM && NORM.test(sentence) && !NO_NORM.test(sentence);
}

const WHO =
  "(?:the |our |this )?(?:users?|team|maintainers?|human|owner|developer|reviewers?|lead|customer|boss|client)|(?:der|die|unser\\p{L}?) (?:benutzer|nutzer|anwender|user|team|auftraggeber)(?:in)?|(?:l['’]utilisat(?:eur|rice)|l['’]équipe)|(?:al? )?(?:el |la |o |a )?(?:usuari[oa]|utilizador[a]?|equipo|equipe)|(?:l['’]utente|il team)|de gebruiker|het team|пользователь|команда|użytkownik|zespół|kullanıcı|ekip";
/** What only a text about somebody says; of the user of a product other words are said, too. */
const PREFERS =
  'prefers?|would rather|bevorzugt|legt wert|préfère|prefiere|prefere|preferisce|heeft liever|verkiest|geeft de voorkeur|предпочитает|woli|preferuje|tercih';
const LIKES =
  "likes?|dislikes?|hates?|wants?|loves?|doesn['’]t (?:like|want)|does not (?:like|want)|mag|möchte|wünscht|will|hätte|aime|souhaite|veut|n['’]aime|quiere|le gusta[n]?|no quiere|desea|gosta|quer|não gosta|vuole|desidera|ama|wil|хочет|любит|просит|не любит|chce|lubi|ister|istiyor|sever";
const PREFERRED = new RegExp(`^[*_\\s]*(?:${WHO}) (?:\\p{L}+ ){0,2}?(?:${PREFERS})(?!\\p{L})`, 'iu');
const LIKED = new RegExp(`^[*_\\s]*(?:${WHO}) (?:\\p{L}+ ){0,2}?(?:${LIKES})(?!\\p{L})`, 'iu');
const PREFERRED_UNSPACED =
  /^(?:用户|使用者|团队|用戶|ユーザー|利用者|チーム|사용자|팀|유저).{0,60}(?:偏好|喜欢|更愿意|习惯|不喜欢|偏爱|好み|好む|好んで|好き|嫌|선호|좋아|싫어)/u;
const REFUSED_CALL = /proceed|tool use|before re-?invoking/i;

/**
 * True for a sentence that says what the user or the team likes better; in a file in which an agent `remembers` also one
 * that says what they want.
 */
export function tellsPreference(sentence: string, remembers: boolean): boolean {
  if (PREFERRED.test(sentence) || PREFERRED_UNSPACED.test(sentence)) return true;
  return remembers && LIKED.test(sentence) && !REFUSED_CALL.test(sentence);
}

/** A heading under which each item is a preference. */
export const PREFERENCE_HEADING =
  /preferences?|likes|vorlieben|präferenzen|préférences?|preferencias?|preferências?|preferenze|voorkeur\p{L}*|предпочтени\p{L}*|preferencje|tercihler|偏好|喜好|好み|선호/iu;
