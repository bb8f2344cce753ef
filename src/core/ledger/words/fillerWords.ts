/**
 * Words that stand between a thing and its figure, or that only say that one was set or measured. They differ from one
 * sentence to the next about the same thing, so they are no part of its name.
 */
export const FILLERS: ReadonlySet<string> = new Set(
  [
    'is are was were be been being to at in on now and or by with it its that this these those has have',
    'had than as will would should shall must can could may might only use uses used about around roughly nearly exactly',
    'currently still just but not no longer instead rather previously formerly originally former earlier before after then',
    'set sets setting put puts bump bumped raise raised raises lower lowered increase increased increases decrease decreased',
    'change changed changes cut cuts reduce reduced drop drops dropped rise rises rose grow grows grew fall falls fell went go',
    'goes come comes came out turn turns turned down up stay stays remain remains reach reaches reached hit hits equal land',
    'equals make makes made so we i you they our my your from into between over under below above measure measured lands',
    'measures measuring measurement profiling profiled benchmark benchmarked shows show showed see saw get gets got found',
    'observed counted count counts report reports reported latest new old today finally actually here there run runs ran',
    're ve ll s t m us capped cap caps sit sits averages average avg result results value configured configure exceed',
    'exceeds tune tuned tuning clock clocks clocked adjust adjusted settle settled settles pin pinned moved move moves update',
    'updated shrink shrank shrunk climbed climb jumped jump doubled halved took take takes need needs stands stood improved',
    'improves improve print prints printed logged logs says said told gives gave yields yielded let lets keep keeps kept',
    'fixed allow allows allowed limited holds hold held sat became become becomes please note again later once',
    'ein eine einen einem ist sind war waren auf vom mit und oder jetzt nun beträgt betragen',
    'liegt lag bei nach zu zum zur im am es ich wir ihr habe haben hat hatte wurde wird werden sein soll sollte darf muss',
    'gesetzt erhöht gesenkt geändert gestellt gemessen messung macht braucht kommt kam aktuell derzeit nur noch etwa rund',
    'genau steht stehen statt anstatt vorher zuvor bisher früher nicht mehr sondern neu neue neuer neues wert beim aber dann',
    'angepasst reduziert runter hoch gestiegen gefallen sinkt steigt sank stieg lief läuft ergab ergibt zeigt ca hier heute',
    'wieder endgültig schließlich künftig ab sofort haben hätten hoben hob senkte senkten setzte setzten stellte ergeben lautet',
    'un une est sont était étaient à au aux et ou en j ai je on nous avons avez maintenant désormais',
    'passe passé passée fixé mis mise réglé porté portée monté baissé descendu descend monte mesuré mesurée mesure atteint vaut',
    'valait reste tombe tombé tombée environ après avec que c ce cette actuellement relevé abaissé lieu auparavant avant',
    'plus pas ne mais se situe revient revenu augmenté réduit nouvelle nouveau valeur doit être dépasser dans sur',
    'un una al es son era eran está están en y o con por ahora queda quedó quedan he hemos ha puesto',
    'subido bajado cambiado ajustado fijado medido medición alcanza llega vale valía valor sigue unos actualmente subí bajé',
    'bajó subió puse cambié ajusté medí pasa pasó pasado lugar vez antes ya no debe ser más sube baja dio nuevo nueva sobre',
    'o os as um uma é são foi era está estão agora ficou fica definido medido passou passa subiu caiu aumentei reduzi',
    'mudei alterei ajustei medi deu vale em no na pelo pela com mais não deve ser valor novo nova atual atualmente',
    'gli uno è sono era ora adesso impostato misurato portato abbassato sceso salito passato vale valeva dal nel invece',
    'een is zijn was nu op gezet gemeten naar werd wordt verhoogd verlaagd staat plaats niet meer nieuwe waarde',
    'jest są było teraz ustawiono ustawiłem zmieniono wynosi na od po zmierzono spadło wzrosło',
    'и в на с по до от из за это теперь сейчас стал стала стало стали составляет равен равна равно как задан задана задано',
    'поднял подняли увеличил увеличили снизил снизили понизил поставил поставили изменил изменили замерам замер измерил измерили',
    'около примерно уже был была было были упал упала упало снизился снизилась снизилось снижен снижена вырос выросла выросло',
    'повышен увеличен вместо раньше не больше но должен должна должно превышать значение новое новый новая показал показала мы я',
    'actually fact reality correction mind scratch just being mine ours yours sees seen promised promise comes sitting settles',
    '우리 쪽 지금 이제 다시 사실 참고로 어젯밤 현재 운영 환경 후',
    'us uns euch aqui here ici aquí qui qua hier unser unsere nosso nossa ours',
    'tatsächlich eigentlich wirklich kommando zurück korrektur nimm nehmen sehe sehen siehst messe misst machst dann doch',
    'fait réalité vraiment correction voit voyons vois prends mesurons obtiens obtenu',
    'realidad realmente corrección vemos veo obtengo obtuve usa usamos pon ponemos mejor entonces',
    'verdade correção obtive obtenho vejo use usar então homologação realtà vedo ottengo usiamo werkelijkheid zie',
    'самом деле вижу видим получаю получил исправление поправка',
    'şimdi oldu olarak ayarlandı ölçüldü ile ve için bir',
  ].flatMap((line) => line.split(' ')),
);

/** The same in scripts without blanks: what is left of a word without them names the thing. */
export const UNSPACED_FILLERS =
  /我们|你们|他们|我|看到|测到|得到|其实|实际上|更正一下|更正|告诉你一下|昨晚|线上|还是|吧|我们这边|这边|现在|目前|当前|已经|最终|最后|重新|调整|上调|下调|调[到至为成]|改[成为到]|设[置定为成]|变[成为]|[升降涨跌提减增]+[高低少加]?[到至为了]|提高|降低|增加|减少|缩短|延长|实测|测得|测量|测出来|跑出来|大约|左右|结果|达到|不得超过|不能超过|不超过|应该|原来|之前|以前|不再|而不是|而是|变更|変更|設定|計測したところ|計測|測定|実測|現在|結果|増やし|減らし|下げ|上げ|引き上げ|引き下げ|しました|でした|です|ました|した|から|まで|現在|현재|이제|측정|설정|변경|결과|에서|으로|입니다|했습니다|됩니다|되었습니다|줄었습니다|늘었습니다|올렸습니다|내렸습니다|나옵니다|안정됩니다|사실|정정합니다|지금|참고로|어젯밤|였어|차라리|바꿔|설정해|넣어|까지|에게|에|의|도|만|우리 쪽|[是为到了在的把将约至由从也就는은을를이가로와과はをがにへとで:：]/g;

/** Words that join the parts of one name: "the cold start of the worker", "Dauer der Vollsynchronisation". */
export const LINKS: ReadonlySet<string> = new Set(
  'of for per the a an von für der die das des dem den eines einer de du des la le les l d pour par do da dos das del el los las para di della il lo van voor het для'.split(
    ' ',
  ),
);

/** Words that join a name to what is measured in it, when one follows: "handles in render-node". */
export const PLACED: ReadonlySet<string> = new Set(
  'in on at im am auf bei dans sur en em no na nel su op w в на'.split(' '),
);

/** Words for what is counted: alone they name no thing. */
export const UNITS: ReadonlySet<string> = new Set(
  [
    'lines line files file tests test tokens token bytes messages items rows calls times entries errors warnings ms mb kb',
    'seconds minutes hours days percent zeilen dateien tests aufrufe sekunden minuten stunden tage fehler lignes fichiers',
    'secondes jours erreurs líneas ficheros archivos pruebas segundos errores строк файлов тестов секунд ошибок мс мб',
  ].flatMap((line) => line.split(' ')),
);
