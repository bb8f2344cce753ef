import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { cases, SEED } from './seed.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The length of a hostile text, and the time from which on an expression is looked at twice. Characters, ms of CPU. */
const LENGTH = 12_000;
const SUSPICIOUS_MS = 25;
/** A text of twice the length takes at most this many times as long; four times is quadratic. */
const MOST_GROWTH = 3;
/** What is repeated, besides the words of the expression itself. */
const UNITS = [...' \n\r\ta A1-./\\([{<>"\'`*#:=,_不', 'a ', ' a', '\n ', 'a\n', '1,', 'a.', '/a', '- ', '<a', '="'];

interface Expression {
  readonly file: string;
  readonly expression: RegExp;
}

/** The expressions that are written in the source, and those that it builds when it is loaded. */
async function findExpressions(): Promise<ReadonlyMap<string, Expression>> {
  const found = new Map<string, Expression>();
  const files = fs.globSync('src/**/*.ts', { cwd: root });
  for (const file of files)
    new Visitor({
      Literal: (one) => {
        if (!('regex' in one)) return;
        const expression = new RegExp(one.regex.pattern, one.regex.flags);
        found.set(String(expression), { file, expression });
      },
    }).visit(parseSync(file, fs.readFileSync(path.join(root, file), 'utf8')).program);
  const Plain = RegExp;
  for (const file of files.filter((one) => /^src\/core\//.test(one))) {
    class Recorded extends Plain {
      constructor(pattern: RegExp | string, flags?: string) {
        super(pattern, flags);
        found.set(String(this), { file, expression: new Plain(this.source, this.flags) });
      }
    }
    Object.defineProperty(Recorded, Symbol.species, { value: Plain });
    globalThis.RegExp = Recorded as RegExpConstructor;
    try {
      // A copy of its own: the module was loaded before.
      await import(`${path.join(root, file)}?expressions`);
    } finally {
      globalThis.RegExp = Plain;
    }
  }
  return found;
}

/** Words of an expression: what it looks for begins with one of them, or repeats it. */
function wordsOf({ source }: RegExp): readonly string[] {
  const plain = source
    .replace(/\\[bBdDwWsSpPu](?:\{[^}]*\})?|\(\?[:=!<]+|\[[^\]]*\]|\{[\d,]*\}/g, '\0')
    .replace(/\\n/g, '\n')
    .replace(/\\(.)/g, '$1');
  return [...new Set(plain.split(/[\0()|?*+^$]+/))].filter((word) => word !== '').slice(0, 8);
}

function timeOf(expression: RegExp, text: string): number {
  const before = process.cpuUsage().user;
  expression.lastIndex = 0;
  expression.test(text);
  return (process.cpuUsage().user - before) / 1000;
}

/**
 * The text for which the time grows faster than its length; undefined when there is none. `every`: only so many of the
 * texts are tried, others in each run.
 */
function findPump({ expression }: Expression, every = 1): string | undefined {
  const words = wordsOf(expression);
  let text = SEED;
  for (const unit of [...UNITS, ...words])
    for (const start of ['', ...words.slice(0, 3)]) {
      text += 1;
      if (text % every !== 0) continue;
      const make = (length: number) => `${start}${unit.repeat(Math.ceil(length / unit.length))}\u0001`;
      if (timeOf(expression, make(LENGTH)) < SUSPICIOUS_MS) continue;
      const growth = [1, 2, 3].map(
        () => timeOf(expression, make(2 * LENGTH)) / Math.max(1, timeOf(expression, make(LENGTH))),
      );
      if (Math.min(...growth) > MOST_GROWTH) return JSON.stringify([start, unit]);
    }
  return undefined;
}

describe('the regular expressions of the source', function () {
  this.timeout(300_000);

  it(`take time in proportion to the text, whatever is repeated in it (KARL_SEED=${SEED})`, async () => {
    const found = await findExpressions();
    assert.ok(found.size > 600, `only ${found.size} were found`);
    const slow = [...found.values()].flatMap((one) => {
      const pump = findPump(one, 4 / cases(4));
      return pump === undefined ? [] : [`${one.file}: ${String(one.expression).slice(0, 120)} on ${pump}`];
    });
    assert.deepEqual(slow, []);
  });

  it('are found out when they are quadratic', () => {
    assert.notEqual(findPump({ file: '', expression: /\s+$/ }), undefined);
    assert.equal(findPump({ file: '', expression: /(?<!\s)\s+$/ }, 4 / cases(4)), undefined);
  });
});
