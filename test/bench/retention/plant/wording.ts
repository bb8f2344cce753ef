/** The languages of generated transcripts. */
export const LANGUAGES = ['en', 'de', 'zh'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The last wordings of every list are held out: reported apart, and no extractor may be developed against them. */
export const HELD_OUT = 2;

/**
 * How people and agents say things in one language. `{value}` and `{anchor}` are what is planted; the other slots fill
 * the sentence. Lists hold at least four wordings and then the held-out ones.
 */
export interface Wording {
  readonly constraint: readonly string[];
  readonly implicitConstraint: readonly string[];
  readonly decision: readonly string[];
  readonly decisionOfModel: readonly string[];
  readonly number: readonly string[];
  readonly numberChanged: readonly string[];
  readonly preference: readonly string[];
  readonly todo: readonly string[];
  readonly todoDone: readonly string[];
  readonly request: readonly string[];
  readonly report: readonly string[];
  readonly step: readonly string[];
  /** What a rule protects; `{path}` is a file. */
  readonly protected: readonly string[];
  /** What is measured; `{noun}` names the part of the program. */
  readonly measured: readonly string[];
  readonly task: readonly string[];
  readonly liking: readonly string[];
  readonly circumstance: readonly string[];
}

/** A sentence with its slots filled. */
export function say(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = slots[name];
    if (text === undefined) throw new Error(`no text for the slot {${name}} of "${template}"`);
    return text;
  });
}

export const english: Wording = {
  constraint: [
    'Never change {value}.',
    'Do not touch {value} under any circumstances.',
    'You must leave {value} exactly as it is.',
    'Under no circumstances may you edit {value}.',
    'Hands off {value}, please.',
    'I forbid any modification of {value}.',
  ],
  implicitConstraint: [
    'By the way, our customers still run {value}.',
    'Keep in mind that the nightly job depends on {value}.',
    'The old clients rely on {value} for now.',
    'Operations only gives us {value}.',
    'Legal signed off on {value} and nothing else.',
    'We ship this to people who are stuck with {value}.',
  ],
  decision: [
    'We decided to use {value} instead of {anchor}.',
    "Let's go with {value} rather than {anchor}.",
    'After the call the team settled on {value} and rejected {anchor}.',
    'Decision: {value}, not {anchor}.',
    'The verdict of the review is {value}; {anchor} is off the table.',
    'Between the two, {value} wins over {anchor}.',
  ],
  decisionOfModel: [
    "I'll use {value} instead of {anchor}, because it keeps the writes ordered.",
    'I went with {value} rather than {anchor}.',
    'Decision: {value} over {anchor}.',
    'I decided against {anchor} and chose {value}.',
    'I ruled out {anchor}; the code now relies on {value}.',
    'We settle for {value}, since {anchor} would need a lock.',
  ],
  number: [
    '{anchor} is {value}.',
    '{anchor} must be {value}.',
    'Set {anchor} to {value}.',
    'We measured {anchor} at {value}.',
    '{anchor} comes out at {value} on the staging box.',
    'Use {value} for {anchor}.',
  ],
  numberChanged: [
    '{anchor} is now {value}.',
    'Change {anchor} to {value}.',
    'From today on {anchor} is {value}.',
    'I raised {anchor} to {value}.',
    'Correction: {anchor} should read {value}.',
    'Make that {value} for {anchor}.',
  ],
  preference: [
    'I prefer {value}.',
    'I like {value} better.',
    'Please favour {value} where you can.',
    'My preference is {value}.',
    'I am a friend of {value}.',
    'What I enjoy reading is {value}.',
  ],
  todo: [
    'Todo #{id}: {value}.',
    'To-do #{id}: {value}',
    '- [ ] #{id} {value}',
    'Still open, #{id}: {value}.',
    'Put #{id} on the list: {value}.',
    'What remains is #{id}, {value}.',
  ],
  todoDone: [
    'Todo #{id} is done: {value}.',
    '- [x] #{id} {value}',
    '#{id} ({value}) is completed.',
    'Finished to-do #{id}: {value}.',
    '#{id} can be ticked off: {value}.',
    '#{id}, {value}: wrapped up.',
  ],
  request: [
    'Next, look at how the {noun} part loads its data and go on from there.',
    'Please continue with the {noun} module and tell me what you find.',
    'The {noun} screen is slow for some accounts. Can you have a look?',
    'Could you check why {noun} behaves differently after the last release?',
  ],
  report: [
    'I looked at the {noun} part and updated it. The change is small and covered.',
    'The {noun} module is adjusted now; the callers stay as they were.',
    'That was the cause for {noun}. I fixed it and ran the checks again.',
  ],
  step: ['Let me look at the {noun} code first.', 'Now I check the {noun} callers.', 'I will run the {noun} checks.'],
  protected: ['the public types in {path}', 'the migration order in {path}', 'the licence header of {path}'],
  measured: [
    'the request timeout of the {noun} client',
    'the cache size of {noun}',
    'the retry delay of the {noun} queue',
  ],
  task: ['write the migration guide for {noun}', 'cover the empty state of {noun}', 'remove the old flag of {noun}'],
  liking: ['short commit messages in {noun}', 'early returns in the {noun} code', 'table tests for {noun}'],
  circumstance: ['Node 16 with the {noun} plugin', 'one replica of the {noun} database', 'the CSV layout of {noun}'],
};

export const german: Wording = {
  constraint: [
    'Ändere niemals {value}.',
    'Du darfst {value} auf keinen Fall anfassen.',
    '{value} muss genau so bleiben, wie es ist.',
    'Bitte unter keinen Umständen {value} ändern.',
    'Finger weg: {value} bleibt unangetastet.',
    'Änderungen an {value} sind tabu.',
  ],
  implicitConstraint: [
    'Übrigens laufen unsere Kunden noch mit {value}.',
    'Denk daran, dass der Nachtlauf von {value} abhängt.',
    'Die alten Clients brauchen vorerst {value}.',
    'Vom Betrieb bekommen wir nur {value}.',
    'Die Rechtsabteilung hat {value} freigegeben und sonst nichts.',
    'Das geht an Leute, die auf {value} festsitzen.',
  ],
  decision: [
    'Wir haben uns für {value} statt {anchor} entschieden.',
    'Wir nehmen {value} und nicht {anchor}.',
    'Das Team hat {value} beschlossen und {anchor} verworfen.',
    'Entscheidung: {value}, nicht {anchor}.',
    'Das Ergebnis der Runde lautet {value}; {anchor} ist vom Tisch.',
    'Den Zuschlag bekommt {value}, {anchor} scheidet aus.',
  ],
  decisionOfModel: [
    'Ich verwende {value} statt {anchor}, weil so die Reihenfolge stimmt.',
    'Ich habe mich für {value} und gegen {anchor} entschieden.',
    'Entscheidung: {value} anstelle von {anchor}.',
    'Wir setzen auf {value} statt {anchor}.',
    '{anchor} fällt weg; der Code stützt sich jetzt auf {value}.',
    'Mit {value} fahren wir besser als mit {anchor}.',
  ],
  number: [
    '{anchor} beträgt {value}.',
    '{anchor} muss {value} sein.',
    'Setze {anchor} auf {value}.',
    'Gemessen haben wir: {anchor} {value}.',
    '{anchor} liegt auf dem Testsystem bei {value}.',
    'Nimm {value} für {anchor}.',
  ],
  numberChanged: [
    '{anchor} beträgt jetzt {value}.',
    'Ändere {anchor} auf {value}.',
    'Ab heute gilt: {anchor} {value}.',
    'Ich habe {anchor} auf {value} erhöht.',
    'Korrektur: {anchor} soll {value} lauten.',
    'Mach daraus {value} für {anchor}.',
  ],
  preference: [
    'Ich bevorzuge {value}.',
    'Mir ist {value} lieber.',
    'Am liebsten hätte ich {value}.',
    'Ich mag {value}.',
    'Ich bin ein Freund von: {value}.',
    'Gerne lese ich {value}.',
  ],
  todo: [
    'Todo #{id}: {value}.',
    'Aufgabe #{id}: {value}',
    '- [ ] #{id} {value}',
    'Noch offen, #{id}: {value}.',
    'Setz #{id} auf die Liste: {value}.',
    'Übrig bleibt #{id}, {value}.',
  ],
  todoDone: [
    'Todo #{id} ist erledigt: {value}.',
    '- [x] #{id} {value}',
    '#{id} ({value}) ist abgeschlossen.',
    'Aufgabe #{id} fertig: {value}.',
    '#{id} kann abgehakt werden: {value}.',
    '#{id}, {value}: unter Dach und Fach.',
  ],
  request: [
    'Schau dir als Nächstes an, wie {noun} seine Daten lädt, und mach dort weiter.',
    'Bitte arbeite am Modul {noun} weiter und sag mir, was du findest.',
    'Die Ansicht {noun} ist bei manchen Konten langsam. Siehst du nach?',
    'Kannst du prüfen, warum sich {noun} seit der letzten Version anders verhält?',
  ],
  report: [
    'Ich habe mir den Teil {noun} angesehen und angepasst. Die Änderung ist klein.',
    'Das Modul {noun} ist angepasst; die Aufrufer bleiben, wie sie waren.',
    'Das war die Ursache bei {noun}. Sie ist behoben, die Prüfungen liefen erneut.',
  ],
  step: [
    'Ich sehe mir zuerst den Code von {noun} an.',
    'Jetzt prüfe ich die Aufrufer von {noun}.',
    'Ich starte die Prüfungen für {noun}.',
  ],
  protected: [
    'die öffentlichen Typen in {path}',
    'die Reihenfolge der Migrationen in {path}',
    'den Lizenzkopf von {path}',
  ],
  measured: [
    'die Zeitgrenze des Clients {noun}',
    'die Cachegröße von {noun}',
    'die Wartezeit der Warteschlange {noun}',
  ],
  task: [
    'die Anleitung für {noun} schreiben',
    'den Leerzustand von {noun} abdecken',
    'den alten Schalter von {noun} entfernen',
  ],
  liking: ['kurze Commit-Texte in {noun}', 'frühe Rücksprünge im Code von {noun}', 'Tabellentests für {noun}'],
  circumstance: ['Node 16 mit dem Plugin {noun}', 'eine Replik der Datenbank {noun}', 'das CSV-Format von {noun}'],
};

export const chinese: Wording = {
  constraint: [
    '绝对不要修改{value}。',
    '任何情况下都不能碰{value}。',
    '{value}必须保持原样。',
    '禁止改动{value}。',
    '{value}一个字都别动。',
    '{value}是红线，谁也不许改。',
  ],
  implicitConstraint: [
    '顺便说一下，我们的客户还在使用{value}。',
    '请记住，夜间任务依赖{value}。',
    '旧客户端目前需要{value}。',
    '运维只给我们{value}。',
    '法务只批准了{value}。',
    '这个要交付给只有{value}的用户。',
  ],
  decision: [
    '我们决定使用{value}，而不是{anchor}。',
    '最终选择了{value}，放弃{anchor}。',
    '团队决定采用{value}，否决了{anchor}。',
    '决定：{value}，不用{anchor}。',
    '评审的结论是{value}，{anchor}出局。',
    '两者之中{value}胜出，{anchor}不再考虑。',
  ],
  decisionOfModel: [
    '我决定使用{value}而不是{anchor}，这样写入顺序不变。',
    '我选择了{value}，没有采用{anchor}。',
    '决定：用{value}代替{anchor}。',
    '这里改用{value}，放弃{anchor}。',
    '{anchor}行不通，代码现在依靠{value}。',
    '与{anchor}相比，{value}更合适，就按它来。',
  ],
  number: [
    '{anchor}是{value}。',
    '{anchor}必须为{value}。',
    '请把{anchor}设为{value}。',
    '我们测得{anchor}为{value}。',
    '{anchor}在测试环境达到{value}。',
    '{anchor}就用{value}吧。',
  ],
  numberChanged: [
    '{anchor}现在是{value}。',
    '请把{anchor}改为{value}。',
    '从今天起{anchor}为{value}。',
    '我已将{anchor}提高到{value}。',
    '更正：{anchor}应为{value}。',
    '{anchor}换成{value}好了。',
  ],
  preference: [
    '我更喜欢{value}。',
    '我偏好{value}。',
    '请尽量采用{value}。',
    '我习惯{value}。',
    '我最爱看{value}。',
    '对我来说{value}最顺眼。',
  ],
  todo: [
    '待办 #{id}：{value}。',
    '任务 #{id}：{value}',
    '- [ ] #{id} {value}',
    '还没做的 #{id}：{value}。',
    '把 #{id} 记到清单里：{value}。',
    '剩下 #{id}，{value}。',
  ],
  todoDone: [
    '待办 #{id} 已完成：{value}。',
    '- [x] #{id} {value}',
    '#{id}（{value}）完成了。',
    '任务 #{id} 做完了：{value}。',
    '#{id} 可以勾掉了：{value}。',
    '#{id}，{value}，搞定。',
  ],
  request: [
    '接下来看看 {noun} 部分是怎么加载数据的，然后继续。',
    '请继续处理 {noun} 模块，并告诉我你的发现。',
    '{noun} 页面对某些账号很慢，你能看一下吗？',
    '能不能查一下 {noun} 在上次发布之后为什么表现不同？',
  ],
  report: [
    '我看了 {noun} 部分并做了更新，改动很小。',
    '{noun} 模块已经调整，调用方保持原样。',
    '这就是 {noun} 的原因，已经修复并重新检查。',
  ],
  step: ['我先看看 {noun} 的代码。', '现在检查 {noun} 的调用方。', '我来运行 {noun} 的检查。'],
  protected: [' {path} 里的公共类型', ' {path} 的迁移顺序', ' {path} 的许可证头'].map((text) => text.trim()),
  measured: ['{noun} 客户端的请求超时', '{noun} 的缓存大小', '{noun} 队列的重试间隔'],
  task: ['编写 {noun} 的迁移说明', '覆盖 {noun} 的空状态', '删除 {noun} 的旧开关'],
  liking: ['{noun} 里简短的提交信息', '{noun} 代码中的提前返回', '{noun} 的表格测试'],
  circumstance: ['带 {noun} 插件的 Node 16', '{noun} 数据库的一个副本', '{noun} 的 CSV 格式'],
};
