import { globSync, readFileSync } from 'node:fs';

/** A text to count, and what it is. */
export interface Corpus {
  readonly name: string;
  readonly text: string;
}

const root = new URL('../../../', import.meta.url);
const MOST_CHARACTERS = 1_500_000;
/** The others need quadratic time in the length of a piece, which is for the pathological texts alone to show. */
const LONGEST_LINE = 2000;

function read(patterns: readonly string[]): string {
  let text = '';
  for (const file of globSync(patterns, { cwd: root }).sort()) {
    if (text.length > MOST_CHARACTERS) break;
    const lines = readFileSync(new URL(file, root), 'utf8').split('\n');
    text += `${lines.filter((line) => line.length < LONGEST_LINE).join('\n')}\n`;
  }
  return text.slice(0, MOST_CHARACTERS);
}

/** Ordinary texts: what fills the conversations of coding agents, from the packages that are installed here. */
export function ordinaryTexts(): Corpus[] {
  return [
    { name: 'prose', text: read(['node_modules/**/*.md']) },
    { name: 'TypeScript', text: read(['node_modules/{openai,zod}/src/**/*.ts', 'src/**/*.ts']) },
    { name: 'JSON', text: read(['node_modules/**/*.json']) },
    { name: 'Chinese/emoji', text: chineseAndEmoji() },
  ];
}

const SENTENCES = [
  '上下文窗口是模型一次可以处理的最大令牌数。',
  '当对话变长时，我们需要压缩旧的消息，但不能丢失用户关心的任何事实！',
  '测试失败的原因是配置文件中的路径不正确，请检查 src/core/tokens/estimate.ts 第 42 行。',
  'コンテキストの予算を超えないように、古いメッセージを要約します。',
  '에이전트가 며칠 동안 일할 수 있도록 오래된 메시지를 압축합니다.',
  '🚀 发布成功 ✅ 所有 1280 个测试通过 🎉👍🏽',
  '用户要求：不要修改数据库模式；保留所有公开的接口。',
  '今天天气很好，我们去公园散步吧😀，然后一起吃晚饭👨‍👩‍👧。',
];
const WORDS = [
  ...'的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严龙飞',
];

/** Fixed sentences among random words, so that a piece is not always one that was seen before. */
function chineseAndEmoji(): string {
  let state = 99;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  let text = '';
  while (text.length < 300_000) {
    text += SENTENCES[below(SENTENCES.length)];
    for (let word = 4 + below(16); word > 0; word--) text += WORDS[below(WORDS.length)];
    text += below(6) === 0 ? '😀\n' : '，';
  }
  return text;
}

/** Texts on which tokenizers hang: 200 kB and more without the boundaries that they rely on. */
export function pathologicalTexts(): Corpus[] {
  let state = 7;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const draw = (count: number, element: () => string): string => Array.from({ length: count }, element).join('');
  const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return [
    { name: 'one letter', text: 'a'.repeat(200_000) },
    { name: 'blanks', text: ' '.repeat(200_000) },
    { name: 'line ends', text: '\n'.repeat(200_000) },
    { name: 'dashes', text: '-'.repeat(200_000) },
    { name: 'random letters', text: draw(200_000, () => String.fromCharCode(97 + below(26))) },
    { name: 'Chinese, no boundary', text: draw(66_000, () => String.fromCharCode(0x4e00 + below(5000))) },
    { name: 'emoji', text: '😀👨‍👩‍👧'.repeat(8000) },
    { name: 'base64', text: draw(200_000, () => base64[below(64)] as string) },
    { name: 'random UTF-16', text: draw(100_000, () => String.fromCharCode(below(0x10000))) },
  ];
}
