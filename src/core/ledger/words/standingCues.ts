import { cues } from './cues.ts';

/** Something has not moved on: it stands on an older version than one would think. */
const STILL = cues(
  [
    'still (?:on|at|in|runs?|running|us(?:es|ing)|has|have|requires?|needs?|supports?|expects?|relies|depends|ships?|targets?|pinned|stuck|hosted|deployed)',
    '(?:is|are) (?:stuck|frozen|pinned) (?:on|at|to)',
    '(?:has|have) not (?:yet )?been (?:migrated|upgraded|moved)',
    '(?:läuft|laufen|nutzt|nutzen|verwendet|verwenden|hängt|steht|ist|sind|setzt|setzen) (?:\\p{L}+ ){0,2}(?:noch|weiterhin|nach wie vor)',
    'siguen?',
    'todavía',
    'aún (?:usa\\p{L}*|está\\p{L}*|corre\\p{L}*|funciona\\p{L}*)',
    '(?:tourne|tournent|utilise|utilisent|est|sont|reste|restent) (?:\\p{L}+ )?(?:encore|toujours)',
    'ainda',
    'continua[m]?',
    'ancora',
    'nog (?:steeds|altijd)',
    'draai(?:t|en) nog',
    'вс[её] ещ[её]',
    'до сих пор',
    'по-прежнему',
    'nadal',
    'wciąż',
    'hâlâ',
    'halen',
  ],
  ['仍', '还在', '还是用', '还停留', '依然', '依旧', 'まだ', 'いまだ', '引き続き', '依然', '아직', '여전히'],
);
/** A product and its version: `PostgreSQL 12.4`, `Node 18`, `ES5`, `v1.22`. */
const VERSIONED =
  /[A-Z][\w.+#-]{0,30}(?: [A-Z][\w.]{1,20})? ?(?:v|version )?\d{1,4}(?:\.\d{1,4}){0,3}(?![\w:%-])|\bv\d{1,3}(?:\.\d{1,3})+\b/;

/** Somebody outside of this code. */
const OUTSIDER = cues(
  [
    '(?:partner|customer|client|vendor|supplier|merchant|tenant|auditor|regulator|subscriber|integrator|reseller|user)s?',
    '(?:(?:an)?other|mobile|external|separate|different|sister|downstream|upstream|second|third-party|legacy|partner|billing|data|bi|finance|ios|android|web|ops|sales|marketing) (?:repositor(?:y|ies)|repos?|teams?|apps?|services?|projects?|products?|systems?|departments?|companies|pipelines?|dashboards?|warehouse|codebase)',
    '(?:repositor(?:y|ies)|apps?) of (?:an|the)other team',
    'bank|erp|sap|crm|warehouse|call ?cent(?:er|re)|accounting|bookkeeping',
    '(?:partner|kunde|kundin|mandant|lieferant|händler|zulieferer)(?:n|s|en)?',
    '(?:kunden|buchhaltung|fachabteilung)',
    '(?:andere[nmrs]?|externe[nmrs]?|mobile[nmrs]?) (?:team|projekt|repository|repo|dienst|system|app|abteilung)\\p{L}*',
    'mobil-?\\p{L}*',
    'soci[oa]s?|clientes?|proveedor(?:es)?|parceir[oa]s?|fornecedor(?:es)?',
    '(?:otr[oa]|outr[oa]|altr[oa]|autre|ander|inny|другой|другая|başka) (?:equipo|repositorio|proyecto|servicio|equipe|repositório|projeto|serviço|team|progetto|servizio|équipe|dépôt|projet|service|zespół|projekt|команд\\p{L}*|проект\\p{L}*|ekip|takım)',
    'partenaires?|clients?|fournisseurs?',
    'clienti|fornitor[ei]|partner',
    'klant(?:en)?|leverancier\\p{L}*',
    'партн[её]р\\p{L}*|клиент\\p{L}*|поставщик\\p{L}*',
    'klien[ct]\\p{L}*|dostawc\\p{L}*',
    'müşteri\\p{L}*|ortağ\\p{L}*|tedarikçi\\p{L}*',
    '(?:repositorio|app|aplicación|repositório|aplicativo|dépôt|application) (?:móvil\\p{L}*|mobile)',
  ],
  [
    '合作方',
    '合作伙伴',
    '客户',
    '供应商',
    '(?:移动端|另一个|其他|别的|外部)[^,，。]{0,6}(?:仓库|团队|项目|系统|服务|部门)',
    '提携先',
    'パートナー',
    '取引先',
    '顧客',
    '(?:モバイル|別の|他の|外部の?)[^、。]{0,8}(?:リポジトリ|チーム|プロジェクト|システム|サービス|アプリ|側)',
    '파트너',
    '고객',
    '협력사',
    '거래처',
    '(?:모바일|다른|외부) ?(?:저장소|팀|프로젝트|시스템|서비스|앱)',
  ],
);
/** What somebody outside does with this code or its data, and what would break. */
const TOUCHES = cues(
  [
    '(?:also |directly |still )?(?:called|used|consumed|imported|read|parsed|polled|scraped|shared|referenced|embedded|owned|queried|fetched) (?:directly )?(?:by|from|with|in)',
    '(?:sends?|delivers?|uploads?|provides?|exports?|submits?|posts?) (?:us |their |its |the |all |only )?(?:\\p{L}+ ){0,3}(?:in|as|with|via|over|every|at|by|without)',
    '(?:pars(?:e|es)|reads?|consumes?|polls?|imports?|queries|calls?|depends? on|rel(?:y|ies) on|expects?|caches?|scrapes?|shares?) ',
    '(?:wird|werden) .{0,60}(?:aufgerufen|benutzt|verwendet|genutzt|gelesen|importiert|geteilt)',
    '(?:liefert|liefern|schickt|schicken|sendet|senden|liest|lesen|ruft|rufen|erwartet|erwarten|nutzt auch|verwendet auch|importiert)',
    '(?:envía|envían|entrega|entregan|manda|mandan|lee|leen|llama|llaman|espera|esperan|depende|dependen|consume|consumen|usa también|usan también)',
    '(?:se|es|son) (?:llama|usa|utiliza|lee|consume|llamad[oa]|usad[oa])n? (?:también )?(?:desde|por|en)',
    '(?:también|além) .{0,40}(?:llama|usa|utiliza|chama)\\p{L}*',
    '(?:envoie|envoient|livre|livrent|lit|lisent|appelle|appellent|attend|attendent|dépend|dépendent)',
    '(?:aussi|également) (?:appelée?|utilisée?|lue?|consommée?)s? (?:par|depuis|dans)',
    '(?:envia|enviam|lê|leem|chama|chamam|espera|esperam|depende|dependem|também é)',
    '(?:invia|inviano|legge|leggono|chiama|chiamano|aspetta|si aspetta|dipende)',
    '(?:stuurt|sturen|levert|leveren|leest|lezen|verwacht|gebruikt ook)',
    '(?:присыла|отправля|чита|вызыва|использу|ожида|завис)\\p{L}*',
    '(?:wysyła|przesyła|czyta|wywołuje|używa|oczekuje)\\p{L}*',
    '(?:gönder|oku|çağır|bekl)\\p{L}*',
  ],
  [
    '发送',
    '提供',
    '调用',
    '读取',
    '解析',
    '依赖',
    '共用',
    '使用',
    '传来',
    '送',
    '呼び出',
    '呼ば',
    '読',
    '利用',
    '依存',
    '共有',
    '보내',
    '보냅',
    '호출',
    '읽',
    '사용',
    '의존',
    '공유',
  ],
);
/** Of a name: that it is used elsewhere too. */
const ALSO_USED = cues(
  [
    '(?:is|are) also (?:called|used|consumed|imported|read|parsed|referenced) (?:by|from|in)',
    '(?:also|too) (?:calls?|uses?|imports?|reads?)',
    'wird auch .{0,60}(?:aufgerufen|benutzt|verwendet|genutzt)',
    'también (?:se )?(?:llama|usa|utiliza)\\p{L}*',
    '(?:est|sont) (?:aussi|également) (?:appel|utilis)\\p{L}*',
    'também (?:é|são|chama|usa)\\p{L}*',
    'anche .{0,30}(?:chiamat|usat)\\p{L}*',
    'wordt ook .{0,40}(?:aangeroepen|gebruikt)',
  ],
  ['也在?(?:调用|使用|用)', 'からも(?:呼|使|利用|参照)', '에서도 ?(?:호출|사용|쓰)'],
);

/** What runs at a set time. */
const SCHEDULED = cues(
  [
    'nightly|hourly|daily|weekly|monthly|cron(?: ?job)?|batch|scheduled|scheduler|backups?|maintenance|window|freeze|overnight|job|import|export|deploy\\p{L}*',
    'nächtlich\\p{L}*|nacht\\p{L}*|täglich\\p{L}*|stündlich\\p{L}*|wöchentlich\\p{L}*|wartungs\\p{L}*|sicherung\\p{L}*',
    'nocturn[oae]s?|diari[oae]s?|semanal(?:es)?|programad[oa]s?|proceso|tarea|copia de seguridad|mantenimiento',
    'quotidien\\p{L}*|hebdomadaire\\p{L}*|tâche|traitement|sauvegarde|planifi\\p{L}+',
    'noturn[oa]s?|diári[oa]s?|processo|tarefa|agendad[oa]s?',
    'notturn[oa]|giornalier[oa]|processo|attività|pianificat[oa]',
    'nachtelijke?|dagelijkse?|taak',
    'ночн\\p{L}+|ежедневн\\p{L}+|задач\\p{L}*|резервн\\p{L}+',
    'nocn[yae]|codzienn[yae]|zadani[ea]',
    'gecelik|günlük|haftalık|görev\\p{L}*|yedek\\p{L}*',
  ],
  [
    '夜间',
    '每晚',
    '每日',
    '每天',
    '每周',
    '定时',
    '批处理',
    '任务',
    '备份',
    '维护',
    '夜間',
    '毎晩',
    '毎日',
    '毎週',
    'バッチ',
    'ジョブ',
    'バックアップ',
    '定期',
    '야간',
    '매일',
    '매주',
    '배치',
    '작업',
    '백업',
    '점검',
  ],
);
const STARTS = cues(
  [
    'starts?|begins?|runs?|kicks? off|fires?|executes?|launches|opens?|closes?|ends?|finishes|is scheduled|are scheduled|takes place|happens?',
    'startet|beginnt|läuft|laufen|fängt|endet|öffnet|schließt',
    'empieza[n]?|comienza[n]?|arranca[n]?|corre[n]?|se ejecuta[n]?|inicia[n]?|termina[n]?',
    'commence[nt]*|démarre[nt]*|tourne[nt]*|débute[nt]*|se lance|finit|termine',
    'começa[m]?|roda[m]?|executa[m]?',
    'parte|inizia|comincia|gira|viene eseguit[oa]',
    'start|begint|loopt|draait',
    'начина\\p{L}*|запуска\\p{L}*|стартует|идёт|идет|выполня\\p{L}*',
    'zaczyna\\p{L}*|rusza|startuje|uruchamia\\p{L}*',
    'başla\\p{L}*|çalış\\p{L}*',
  ],
  [
    '开始',
    '启动',
    '运行',
    '执行',
    '结束',
    '始ま',
    '開始',
    '実行',
    '起動',
    '動き',
    '走り',
    '終わ',
    '시작',
    '실행',
    '돌아',
    '끝',
  ],
);
const CLOCK =
  /(?<![\d:.T-])(?:[01]?\d|2[0-3])(?::|h|\.(?=\d\d (?:Uhr|uur)))[0-5]\d(?![\d:.]\d)|(?<!\d)(?:[01]?\d|2[0-3])\s?(?:am|pm|a\.m\.|p\.m\.|Uhr|點|点|時|시)(?!\p{L})/iu;

/** A form in which data come from outside. */
const FORMAT =
  /\b(?:ISO[- ]?8859-?\d{1,2}|UTF-?(?:8|16)|ASCII|Windows-?125\d|CP-?\d{3,4}|Latin-?1|Shift[-_]JIS|EUC-(?:JP|KR)|GBK?(?:2312|18030)?|EBCDIC|CSV|XML|EDIFACT|JSON|XLSX?|FTP|SFTP|SOAP|UTC|CE[S]?T|GMT)\b/i;

/** Nothing that stands: a wish, a condition, a step of the work, a failure. */
const NO_STATE = cues(
  [
    "if|when|whether|unless|once|until|should|would|could|might|let me|i(?:['’]ll|['’]m| will| am| have| need| see)|we(?:['’]ll| will| need)|next|tests?|fail(?:s|ed|ing|ure)?|errors?|bug|example|e\\.g\\.|wait|waiting|todo|now",
    'wenn|falls|sollte|würde|könnte|ich|tests?|fehler|beispiel',
    'si|debería|podría|prueba|pruebas|ejemplo|exemple|quand|lorsque|devrait',
    'se|deveria|poderia|teste|exemplo|esempio|если|тест\\p{L}*|ошибк\\p{L}*|пример\\p{L}*',
  ],
  [
    '如果',
    '应该',
    '测试',
    '错误',
    '例如',
    '比如',
    'もし',
    'テスト',
    'エラー',
    '例えば',
    '만약',
    '테스트',
    '오류',
    '예를',
  ],
);

const LONGEST_STATE = 200;

/**
 * True for a sentence that tells how things stand outside of the code, which nobody reads in it: an old version in
 * production, what partners send, who else calls a function, when a job starts. Work has to respect it without a rule
 * being said.
 */
export function tellsHowThingsStand(sentence: string): boolean {
  if (sentence.length > LONGEST_STATE) return false;
  return mayTell(sentence) && !NO_STATE.test(sentence);
}

/** The rarest sign of each kind is looked for first: most sentences have none. */
function mayTell(sentence: string): boolean {
  if (/\d/.test(sentence)) {
    if (CLOCK.test(sentence) && SCHEDULED.test(sentence) && STARTS.test(sentence)) return true;
    if (VERSIONED.test(sentence) && STILL.test(sentence)) return true;
  }
  if (ALSO.test(sentence) && ALSO_USED.test(sentence) && OUTSIDER.test(sentence)) return true;
  return FORMAT.test(sentence) && OUTSIDER.test(sentence) && TOUCHES.test(sentence);
}

/** What every wording of `ALSO_USED` has. */
const ALSO = / (?:also|too|auch|también|aussi|également|também|anche|ook) |也在?[调使用]|からも|에서도/i;
