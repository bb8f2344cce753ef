/** What prose says of a to-do, in the words that notes use. */
export type SaidState = 'open' | 'done' | 'in progress' | 'blocked' | 'deferred' | 'cancelled';

/** Words that name a state when a label is made of them and of fillers alone, by language. Lower case. */
const LABELS: readonly (readonly [state: SaidState, spaced: readonly string[], unspaced: readonly string[]])[] = [
  [
    'deferred',
    [
      '(?:left |saved |keep |keeping |put off |moved )?(?:for|until|till|to) (?:later|another day|tomorrow|next week|the next (?:release|sprint|iteration|pr|session))',
      'later|postponed|deferred|put off|parked|on hold|shelved|on the back burner|not now|someday',
      'für später|später|aufgeschoben|verschoben|zurückgestellt|vertagt|geparkt|auf eis',
      '(?:remis(?:e|es)? à|pour) plus tard|plus tard|reporté(?:e|es|s)?|différé(?:e|es|s)?',
      '(?:queda |quedan |se queda |dejado |aplazad[oa] )?para (?:más tarde|después|luego|más adelante)|más tarde|aplazad[oa]s?|pospuest[oa]s?',
      '(?:fica |ficou |deixad[oa] |adiad[oa] )?para (?:depois|mais tarde)|mais tarde|adiad[oa]s?|postergad[oa]s?',
      'per dopo|più tardi|rimandat[oaie]|rinviat[oaie]|posticipat[oaie]',
      '(?:voor )?later|uitgesteld|geparkeerd',
      'na później|później|odłożon[eay]|przełożon[eay]',
      'на потом|позже|отложен[оаы]?|отложенное',
      'sonraya (?:bırakıldı|kaldı)|sonraya|ertelendi|daha sonra',
      '나중에(?: 할 (?:것|일))?|나중으로|보류|미룸|연기',
    ],
    [
      '(?:以后|之后|稍后|日后|回头|晚点)(?:再(?:做|说|处理|弄)?|处理)?',
      '(?:推迟|延后|暂缓|搁置)(?:了|处理)?',
      '後回し',
      '後で(?:やる|対応)?',
      '保留',
      '延期',
    ],
  ],
  [
    'cancelled',
    [
      "cancell?ed|dropped|abandoned|scrapped|obsolete|no longer (?:needed|necessary|required)|not needed(?: any ?more)?|won['’]?t do|wontfix|discarded",
      'gestrichen|verworfen|entfällt|fällt weg|hinfällig|nicht mehr nötig|abgebrochen|storniert',
      'annulé(?:e|es|s)?|abandonné(?:e|es|s)?|plus nécessaire',
      'cancelad[oa]s?|descartad[oa]s?|ya no (?:hace falta|es necesari[oa])|não (?:é mais necessári[oa]|precisa mais)',
      'annullat[oaie]|scartat[oaie]|non serve più',
      'geannuleerd|vervallen|niet meer nodig',
      'anulowan[eoay]|porzucon[eoay]|niepotrzebn[eay]',
      'отменен[оаы]?|отменён|больше не нужно',
      'iptal(?: edildi)?|gerek kalmadı|vazgeçildi',
      '취소(?:됨|했습니다|합니다)?|필요 ?없음|폐기',
    ],
    [
      '(?:已|已经)?取消(?:了)?',
      '不(?:再需要|用|需要)(?:做)?了?',
      '作废',
      '放弃(?:了)?',
      '中止',
      'キャンセル',
      '不要(?:になった|になりました)',
      '取りやめ',
    ],
  ],
  [
    'blocked',
    [
      'blocked(?: by [\\p{L}\\p{N} ._-]{1,30})?|stuck|waiting(?: (?:for|on) [\\p{L}\\p{N} ._-]{1,30})?',
      'blockiert|wartet(?: auf [\\p{L}\\p{N} ._-]{1,30})?|hängt',
      'bloqué(?:e|es|s)?|en attente|bloquead[oa]s?|bloccat[oaie]|geblokkeerd|zablokowan[eay]|заблокирован[оаы]?|engellendi|막힘|차단됨|대기 중',
    ],
    ['受阻', '阻塞', '被(?:阻塞|卡住)', '卡住(?:了)?', '等待中', 'ブロック(?:中|されている)?', '待ち'],
  ],
  [
    'in progress',
    [
      'in[ -]progress|under way|underway|ongoing|started|working on(?: it)?|wip|doing|half[ -]done|partly done|partially done|almost (?:done|finished)|begun',
      'in arbeit|in bearbeitung|läuft|begonnen|angefangen|gestartet|teilweise (?:erledigt|fertig)|fast fertig|halb fertig',
      'en cours|commencé(?:e|es|s)?|en curso|en progreso|empezad[oa]s?|em andamento|iniciad[oa]s?|começad[oa]s?|in corso|iniziat[oaie]|mee bezig|bezig|begonnen|w toku|rozpoczęt[eay]|в работе|начат[оаы]?|в процессе|devam ediyor|başlandı|진행 ?중|시작함|작업 ?중',
    ],
    [
      '进行中',
      '正在(?:做|进行|处理)',
      '处理中',
      '已开始',
      '(?:做|完成)了?一半',
      '进行到一半',
      '進行中',
      '作業中',
      '対応中',
      '着手(?:済み?|しました)?',
    ],
  ],
  [
    'open',
    [
      'open|reopened|fixme|remaining|remains?|left(?: over| open)?|left to do|to do|to-do|todos?|to be done|to go|pending|outstanding|unfinished|undone|incomplete|missing|unaddressed|not (?:yet )?(?:done|finished|started|implemented|complete|completed|addressed|closed|resolved)(?: yet)?|not there yet|needs doing|need doing|yet to (?:do|come)|follow[- ]?ups?|backlog|next steps?',
      'offen|ausstehend|steht(?: noch)? aus|stehen(?: noch)? aus|fehlt|fehlen|zu tun|zu erledigen|bleibt(?: noch)?(?: zu tun| offen| übrig)?|übrig|nicht (?:erledigt|fertig|gemacht|abgeschlossen|umgesetzt)|unerledigt|wieder offen|nächste schritte|folgearbeiten',
      '(?:il )?(?:nous )?(?:me )?reste(?:nt)?(?: à faire| ouvert)?|(?:à|a) faire|en suspens|pas (?:encore )?(?:fait|fini|terminé)(?:e|es|s)?|non (?:fait|terminé)(?:e|es|s)?|manque(?: encore)?|ouvert(?:e|es|s)?|à terminer|prochaines étapes',
      'pendientes?|por hacer|falta(?:n)?(?: por hacer)?|queda(?:n)?(?: por hacer| pendientes?)?|abiert[oa]s?|sin (?:hacer|terminar)|no (?:está )?(?:hecho|terminado)|próximos pasos',
      'pendentes?|por fazer|falta(?:m)?(?: fazer)?|resta(?:m)?(?: fazer)?|em aberto|abert[oa]s?|não (?:feito|concluído|terminado)|a fazer|próximos passos',
      'da fare|manca(?:no)?|resta(?:no)?(?: da fare)?|rimane|rimangono|apert[oaie]|in sospeso|non (?:fatto|finito|completato)|prossimi passi',
      'te doen|openstaand|nog open|niet (?:gedaan|klaar|af)|blijft over|resteert|ontbreekt|volgende stappen',
      'do zrobienia|pozostało|zostało|pozostaje|otwarte|niezrobione|nie(?: jest)? (?:zrobione|skończone|gotowe)|brakuje|następne kroki',
      'осталось(?: сделать)?|остается|остаётся|не (?:сделан[оаы]?|готов[оаы]?|закончен[оаы]?)|открыт[оаы]?|предстоит|нужно сделать|следующие шаги',
      'kalan(?:lar)?|yapılacak(?:lar)?|bekleyen(?:ler)?|açık|yapılmadı|bitmedi|eksik|sıradaki adımlar',
      '남음|남은(?: (?:일|작업|것|할 일))?|남았습니다|남아 ?있(?:음|습니다)|할 ?일|미완료|미완|미해결|안 ?(?:함|했음|끝남)|해야 ?할 (?:일|것)|못 ?(?:함|했습니다)|다음 단계|열림',
    ],
    [
      '(?:还|尚|仍)(?:没有?|未)(?:做|完成|处理|开始|解决|弄)?(?:的|完)?',
      '(?:还|仍)?(?:剩下?|剩余|余下)(?:的)?',
      '(?:还|仍)(?:需要?|要)(?:做|处理|完成)?(?:的)?',
      '(?:还|仍)(?:差|缺)',
      '待(?:办|处理|完成|做|解决)(?:的)?',
      '未(?:完成|处理|解决|做|决)(?:的)?',
      '没做(?:完|的)?',
      '(?:重新)?打开',
      '下一步',
      '后续(?:工作|事项)?',
      '遗留(?:问题|事项)?',
      '残り',
      '残って(?:いる|います)?',
      '残(?:件|作業|タスク)',
      '未(?:完了|対応|着手|解決|実装|了)',
      'やる(?:べき)?こと',
      'これから',
      'まだ(?:です|終わっていない|やっていない|できていない)?',
      '次のステップ',
      '課題',
    ],
  ],
  [
    'done',
    [
      'done|finished|completed|complete|closed|ticked off|checked off|crossed off|wrapped up|resolved|taken care of|dealt with|off the list',
      'erledigt|fertig(?:gestellt)?|abgeschlossen|abgehakt|geschafft|umgesetzt|beendet|gemacht|vom tisch',
      'fait(?:e|es|s)?|terminé(?:e|es|s)?|fini(?:e|es|s)?|achevé(?:e|es|s)?|bouclé(?:e|es|s)?|réglé(?:e|es|s)?',
      'hech[oa]s?|list[oa]s?|terminad[oa]s?|completad[oa]s?|acabad[oa]s?|finalizad[oa]s?|cerrad[oa]s?|resuelt[oa]s?',
      'pront[oa]s?|feit[oa]s?|concluíd[oa]s?|finalizad[oa]s?|terminad[oa]s?|fechad[oa]s?|resolvid[oa]s?',
      'fatt[oaie]|finit[oaie]|completat[oaie]|terminat[oaie]|conclus[oaie]|chius[oaie]',
      'klaar|gedaan|afgerond|voltooid|gereed|afgevinkt|af',
      'gotowe|zrobione|ukończon[eoay]|zakończon[eoay]|skończone|zamknięte|załatwione',
      'готово|сделано|завершен[оаы]?|завершён|выполнен[оаы]?|закончен[оаы]?|закрыт[оаы]?|решен[оаы]?',
      'bitti|tamam(?:landı)?|yapıldı|tamamlandı|hazır|kapandı|çözüldü',
      '완료(?:했습니다|됨|되었습니다|됐습니다|했어요?)?|끝(?:났습니다|냈습니다|냄|남|났어요?|냈어요?)?|마쳤습니다|마침|다 ?(?:했습니다|했어요?|됐습니다)|해결(?:됨|했습니다)?|처리 ?완료',
    ],
    [
      '(?:已|已经|都)?(?:完成|做完|搞定|处理完?|办完|结束|解决|完工|弄好|做好)(?:了|啦|毕)?',
      '完了(?:しました|です|済み?)?',
      '済み?(?:です)?',
      '終わり(?:ました)?',
      '終了(?:しました)?',
      '対応済み?(?:です)?',
      'できました',
      '解決(?:しました|済み?)?',
    ],
  ],
];

/** Words that may stand beside a state in a label and say nothing of it. */
const FILLERS: readonly string[] = [
  'still|now|already|just|yet|also|finally|all|that|this|these|it|one|is|are|was|has|have|been|be|i|we|what|which|whats|things?|items?|tasks?|work|points?|to-?dos?|steps?|here|today|so far|for now|from the list|on the list|and|the|only|as|marked|again|list|still to|fully|completely|status|state|current(?:ly)?',
  'noch|jetzt|nun|schon|bereits|alles|das|dies|damit|ist|sind|wurde|es|was|mir|uns|punkte?|aufgaben?|arbeit|heute|somit|auch|ganz|komplett|endlich|aktuell|derzeit|wieder|für jetzt|soeben|gerade|davon|die|der|und',
  "encore|maintenant|déjà|tout|c['’]est|est|sont|ce qui|ce qu['’]il|tâches?|points?|aussi|enfin|désormais|toujours|la|le|les|et",
  'aún|todavía|ahora|ya|todo|está|están|es|lo que|lo|que|tareas?|puntos?|también|por fin|los|las',
  'ainda|agora|já|tudo|está|estão|o que|que|tarefas?|itens|também|os|as|isso|isto|foi',
  'ancora|adesso|ora|già|tutto|è|sono|ciò che|quello che|punti|attività|anche|cosa',
  'nog|nu|al|alles|dit|dat|is|zijn|wat|taken|punten|ook|er|steeds',
  'jeszcze|teraz|już|wszystko|jest|są|co|zadania|punkty|to',
  'ещё|еще|теперь|уже|всё|все|это|что|задачи|задача|пункты|пока',
  'hâlâ|henüz|şimdi|artık|hepsi|bu|işler|görevler|maddeler|olarak',
  '아직|이제|지금|모두|이미|작업|항목|일|것|이것|방금|현재|추가로|은|는|도',
];
const UNSPACED_FILLERS =
  '现在|已经|目前|还|仍然?|都|全部|的|是|有|任务|事项|项目|工作|部分|内容|状态|刚刚?|今天|也|了|这个|这项|这一?部分|まだ|もう|今|すべて|全て|タスク|項目|作業|の|は|が|も|これ|状態';

const LONGEST_LABEL = 48;
/** Signs of code, paths and numbers: no label has them. */
const NO_LABEL = /[`_/\\{}<>=@|$[\]]|\d{2}/;
const MOST_WORDS = 8;

interface Grammar {
  readonly state: SaidState;
  readonly label: RegExp;
}

let grammars: readonly Grammar[] | undefined;

/** Compiled when first asked: most sentences have no label. */
function labelGrammars(): readonly Grammar[] {
  grammars ??= LABELS.map(([state, spaced, unspaced]) => {
    const filler = `(?:${FILLERS.join('|')})`;
    const cue = `(?:${spaced.join('|')})`;
    const dense = `(?:${UNSPACED_FILLERS})`;
    return {
      state,
      label: new RegExp(
        `^(?:(?:${filler} ){0,6}${cue}(?: ${filler}){0,5}|${dense}{0,4}(?:${unspaced.join('|')})${dense}{0,4})$`,
        'u',
      ),
    };
  });
  return grammars;
}

/** The state that words name when they say nothing else: "Still open", "Finished now", "还没做", "나중에 할 것". */
export function labelState(words: string): SaidState | undefined {
  if (words.length > LONGEST_LABEL || NO_LABEL.test(words)) return undefined;
  const bare = words
    .toLowerCase()
    .replace(/\([^)]{0,30}\)/g, ' ')
    .replace(/[^\p{L}\p{M}'’ -]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ -]+|[ -]+$/g, '');
  if (bare === '' || bare.split(' ').length > MOST_WORDS) return undefined;
  const known = KNOWN_LABELS.get(bare);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const state = labelGrammars().find(({ label }) => label.test(bare))?.state;
  if (KNOWN_LABELS.size > 2000) KNOWN_LABELS.clear();
  KNOWN_LABELS.set(bare, state ?? 'none');
  return state;
}

/** Labels come again and again. */
const KNOWN_LABELS = new Map<string, SaidState | 'none'>();
