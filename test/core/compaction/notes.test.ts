import assert from 'node:assert/strict';
import { contentText } from '../../../src/core/chat/parse.ts';
import { withDefaults } from '../../../src/core/compaction/strategy.ts';
import { type Summarizer, SummaryRefused } from '../../../src/core/compaction/summarizers/summarizer.ts';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import { inEnglish } from '../../../src/language/language.ts';
import {
  asksForCheck,
  assistant,
  compact,
  converse,
  reads,
  scripted,
  system,
  tool,
  user,
} from '../conversation/kit.ts';

const WORK = [
  system('You are an agent.'),
  user('Fix it. Never touch config/prod.yaml.'),
  ...reads(12),
  ...tool('w', 'write_file', { path: 'src/queue.ts', content: 'export class Queue {}' }, 'The file was written.'),
  ...reads(6, 20, 50),
  user('And now?'),
  ...reads(5, 5, 80),
  assistant('Read.'),
];

async function viewOf(messages: Parameters<typeof converse>[0], targetTokens: number): Promise<string> {
  const conversation = converse([...messages, assistant('Read.')]);
  const result = await conversation.compact({ trigger: 'command', targetTokens });
  assert.equal(result.kind, 'compacted');
  return conversation.request().map(contentText).join('\n');
}

const bash = (command: string, result: string, more: object = {}) =>
  tool(`${command} ${result}`, 'bash', { command, ...more }, result);

const edit = (path: string, old_string: string, new_string: string) =>
  tool(path, 'edit', { path, old_string, new_string }, 'Done.');

function lines(count: number, word: string): string {
  return Array.from({ length: count }, (_, index) => `${word} ${index}`).join('\n');
}

describe('a note without a model', () => {
  const report = `The queue loses jobs because the lock is released too early. ${'It was checked twice. '.repeat(20)}`;
  const turn = [
    user('Why are jobs lost?'),
    assistant('I look at the queue first, then at the lock and at the place where jobs are taken out again.'),
    ...reads(6, 30),
    ...bash('npm test', 'error TS2304: no such name\nexit code 1', { description: 'Run the tests' }),
    ...edit('src/lock.ts', 'release()', 'await release()'),
    assistant(report),
  ];

  it('leaves a closing report the message that it is, while there is room', async () => {
    const conversation = converse([...turn, user('And now?'), ...reads(6, 30, 20)]);
    await conversation.compact({ trigger: 'command', targetTokens: 1500 });
    assert.ok(conversation.request().some((message) => message.role === 'assistant' && message.content === report));
  });

  const steps = [
    ...bash('git worktree list', `/work/app 1a2b3c4 [main] ${'and one more word '.repeat(8)}`),
    ...bash('git commit -m Lock', `${lines(40, 'checked')}\n 3 files changed, 75 insertions(+)`),
    ...bash('cat src/lock.ts', lines(80, 'const')),
  ];
  const patch =
    '*** Begin Patch\n*** Update File: src/patch.ts\n@@\n+zero()\n one()\n-two()\n\\ No newline at end of file\n+three()\n+four()\n*** End Patch';
  const edits = [
    ...edit('src/apart.ts', 'one()\ntwo()', 'zero()\none()\nthree()'),
    ...edit('src/together.ts', 'one()\ntwo()', 'one()\nthree()\nfour()'),
    ...edit('src/less.ts', 'one()\ntwo()\nthree()', 'one()'),
    ...tool('p', 'apply_patch', { input: patch }, 'Done.'),
  ];
  const again = [...turn, ...bash('npm test', 'all 12 passed'), assistant('Green.')];
  const item = 'write the migration that moves the jobs of every tenant over to the queue and keeps their order';
  const todo = tool('a', 'TodoWrite', { todos: [{ content: item, status: 'pending' }] }, 'Saved.');
  for (const [what, messages, target, ...patterns] of [
    [
      'quotes what was said and done, each behind its handle, in order of time',
      [...turn, user('And now?'), ...reads(6, 30, 20)],
      450,
      /- \[t1\] I look at the queue[\s\S]*- \[t14-15\] \$ npm test → exit 1 error TS2304[\s\S]*- \[t16-17\] src\/lock\.ts \+ await release\(\)/,
    ],
    [
      'quotes a short result instead of its size, and the last line of a long one of an action',
      [user('Trim it.'), ...reads(6, 30), ...steps, ...reads(6, 30, 20)],
      900,
      /\$ git worktree list → \/work\/app 1a2b3c4 \[main\]/,
      /\$ git commit -m Lock → 41 lines \[…\] 3 files changed, 75 insertions/,
      /^(?![\s\S]*cat src\/lock\.ts[^\n]*const 79)/,
    ],
    [
      'marks unchanged lines between lines that an edit inserts, and says of one that only removes what it removes',
      [user('Trim it.'), ...edits, ...reads(12, 30, 20)],
      950,
      /src\/apart\.ts \+ zero\(\) one\(\) three\(\)\n/,
      /src\/together\.ts \+ three\(\) four\(\)\n/,
      /src\/patch\.ts \+ zero\(\) \[…\] three\(\) four\(\)\n/,
      /src\/less\.ts \+ \(only takes out: two\(\) three\(\)\)/,
    ],
    [
      'never quotes what an edit took out, and says a command once',
      [...again, user('And now?'), ...reads(9, 30, 20)],
      540,
      /^(?![\s\S]*(?:old_string|"release\(\)"))(?![\s\S]*\$ npm test[\s\S]*\$ npm test)/,
      /\$ npm test[^\n]* → all 12 passed/,
    ],
    [
      'leaves the list of the agent to the state, however much its items look like prose',
      [user('Fix it.'), ...todo, ...reads(12, 30, 20)],
      1200,
      /^(?![\s\S]*(write the migration that moves)[\s\S]*\1)[\s\S]*\[ \] write the migration/,
    ],
  ] as const)
    it(what, async () => {
      const view = await viewOf(messages, target);
      for (const pattern of patterns) assert.match(view, pattern);
    });

  it('says in the first note of the view how what it leaves out is opened, and nowhere else', async () => {
    const view = await viewOf(
      // The answer to the greeting is too short for a note.
      [
        user('Hi!'),
        assistant('Hello.'),
        ...turn,
        user('And now?'),
        ...reads(30, 30, 20),
        user('Go on.'),
        ...reads(6, 30, 60),
      ],
      700,
    );
    assert.match(view, /^[^<]*<karl-history[^<]*\n\[…\] marks what is left out; karl_recall opens any handle\.\n- \[/);
    assert.equal(view.split('karl_recall opens any').length, 2);
    assert.ok(view.split('<karl-history').length > 2);
  });

  it('counts what it does not quote by tool, and ends with the number of all others', async () => {
    const list = (at: number) =>
      tool(`l${at}`, 'TodoWrite', { todos: [{ content: 'Port it', status: 'pending' }] }, 'ok');
    const others = [...'abcdefghijkl'].flatMap((name) => tool(name, `plan_${name}`, { plan: [{ step: name }] }, 'ok'));
    const view = await viewOf(
      [user('Fix.'), ...[1, 2, 3].flatMap(list), ...others, ...reads(40, 20), user('And now?')],
      900,
    );
    assert.match(view, /\] \d+ messages; not quoted: \d+ read_file; 3 TodoWrite; 1 plan_a; .*; 1 plan_j; 2 others\n/);
  });

  it('says once what was said while the same call waited again, but all that was said beside a file', async () => {
    const said = (name: string, input: object) =>
      [30, 60].flatMap((at) =>
        tool(`${name}${at}`, name, input, `${at} of 90 tests passed`).map((message) =>
          message.role === 'tool' ? message : { ...message, content: `After ${at} of ninety, ${name} goes on.` },
        ),
      );
    const calls = [...said('write_stdin', { session_id: 7 }), ...said('Read', { file_path: 'tests.log' })];
    const view = await viewOf([user('Fix.'), ...calls, ...reads(40, 20), user('And now?')], 900);
    for (const told of ['60 of ninety, write', '30 of ninety, Read', '60 of ninety, Read'])
      assert.match(view, new RegExp(told));
    assert.doesNotMatch(view, /30 of ninety, write/);
  });

  it('says that the human declined an edit or a command, or stopped it', async () => {
    const declined =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing.";
    const asked = tool('e', 'edit', { path: 'src/lock.ts', new_string: 'x()' }, declined);
    const stopped = tool('s', 'shell', { command: ['bash', '-lc', 'npm test'] }, 'aborted by user after 29.7s');
    const view = await viewOf([user('Fix.'), ...asked, ...stopped, ...reads(40, 20), user('And now?')], 900);
    assert.match(view, /src\/lock\.ts \+ x\(\) → The user doesn't want to proceed/);
    assert.match(view, /\$ npm test → aborted by user after/);
    assert.doesNotMatch(view, /Files edited/);
  });

  it('says what the human answered inside a tool result before anything else', async () => {
    const declined =
      "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nkeep the old lock, wrap it";
    const work = [user('Fix.'), ...tool('e', 'edit', { path: 'a.ts', new_string: 'x' }, declined), ...reads(40, 20)];
    const view = await viewOf([...work, user('And now?')], 500);
    assert.match(view, /x → declined; the user: keep the old lock, wrap it/);
    const shell = [user('Fix.'), ...tool('e', 'Bash', { command: 'mv lock old' }, declined), ...reads(40, 20)];
    const shellView = await viewOf([...shell, user('And now?')], 500);
    assert.match(shellView, /mv lock old → The user doesn't want to proceed[\s\S]*keep the old lock, wrap it/);
  });
});

describe("a model's note", () => {
  it('loses the statements that name something no message has; the rest stays, and the receipt lists them', async () => {
    const summarizer = scripted(
      '- We moved all to `lib/quantum/flux.rs`.\n- The parts were read.\n- `src/queue.ts` was written.',
    );
    const conversation = converse(WORK, { summarizer });
    const result = await conversation.compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(result.kind === 'compacted' && result.receipt.model === 'scripted');
    assert.equal(summarizer.asked.length, 1, 'it is asked once');
    assert.ok(result.receipt.rejected.some((statement) => statement.includes('flux.rs')));
    const view = JSON.stringify(conversation.request());
    assert.match(view, /The parts were read\./);
    assert.doesNotMatch(view, /quantum/);
  });

  it('that is refused is replaced by quotations; the receipt gives the reason and names no model', async () => {
    const conversation = converse(WORK, { summarizer: scripted('We moved all to lib/quantum/flux.rs.') });
    const result = await conversation.compact({ trigger: 'command', targetTokens: 3000 });
    assert.ok(result.kind === 'compacted' && result.receipt.model === undefined);
    assert.match(inEnglish(result.receipt.withoutNote ?? ''), /: 0 of 1 statements/);
    assert.equal(result.receipt.withoutNoteKind, 'summary-rejected');
    assert.deepEqual(result.receipt.rejected, ['We moved all to lib/quantum/flux.rs.']);
  });

  it('that the server refuses is told with its refusal: by adaptive, by karl and by the fallback of karl', async () => {
    const refusal = classifyModelError({ status: 401 });
    const summarizer = { ...scripted(''), write: () => Promise.reject(new SummaryRefused('It said no.', refusal)) };
    const error = { kind: 'summarizer-failed', message: 'It said no.', refusal };
    const adaptive = await converse(WORK, { summarizer }).compact({ trigger: 'command', targetTokens: 3000 });
    assert.ok(adaptive.kind === 'compacted');
    assert.deepEqual(adaptive.unwritten, error);
    const failed = await converse(WORK, { summarizer }).compact({ trigger: 'command', strategy: 'karl' });
    assert.ok(failed.kind === 'failed');
    assert.deepEqual(failed.error, error);
    const conversation = converse(WORK, { summarizer, fallback: 'heuristic' });
    const fellBack = await conversation.compact({ trigger: 'command', strategy: 'karl', targetTokens: 3000 });
    assert.ok(fellBack.kind === 'compacted' && fellBack.fellBackFrom === 'karl');
    assert.deepEqual(fellBack.unwritten, error);
  });

  it('is ordered no longer than what else the target must hold allows', async () => {
    const lengths: number[] = [];
    const summarizer: Summarizer = {
      model: 'long',
      inputLimit: 32_000,
      write: async ({ messages, maxTokens }) => {
        if (asksForCheck(messages)) return { text: 'none', complete: true };
        lengths.push(maxTokens);
        return { text: 'The parts were read, one after the other. '.repeat(maxTokens / 10), complete: true };
      },
    };
    const conversation = converse(WORK, { summarizer });
    const result = await conversation.compact({ trigger: 'command', targetTokens: 1500 });
    assert.ok(result.kind === 'compacted' && result.receipt.model === 'long');
    assert.deepEqual(lengths, [600]);
    assert.ok(result.receipt.tokensAfter <= 1500, `${result.receipt.tokensAfter}`);
  });

  it('is not asked for if the target leaves too little room', async () => {
    const askedAt = async (targetTokens: number) => {
      const summarizer = scripted('The parts were read [t1].');
      await converse(WORK, { summarizer }).compact({ trigger: 'command', targetTokens });
      return summarizer.asked.length;
    };
    assert.deepEqual([await askedAt(700), await askedAt(600), await askedAt(1)], [1, 0, 0]);
  });

  it('is not asked for when the settings say never, and only when shortening is not enough when they say so', async () => {
    for (const [when, target, asked] of [
      ['never', 1000, 0],
      ['whenNeeded', 6000, 0],
      ['whenNeeded', 1000, 1],
    ] as const) {
      const summarizer = scripted('The parts were read, one after the other.');
      const settings = withDefaults({ summary: { maxTokens: 2000, when } });
      await converse(WORK, { summarizer, settings }).compact({ trigger: 'command', targetTokens: target });
      assert.equal(summarizer.asked.length, asked, `${when} ${target}`);
    }
  });

  it('that was cut at its limit is completed once', async () => {
    let calls = 0;
    const summarizer: Summarizer = {
      model: 'cut',
      inputLimit: 32_000,
      write: async () => {
        calls += 1;
        const text = calls === 1 ? '- The parts were read.\n- Half a sent' : '- Nothing is open now.';
        return { text, complete: calls > 1 };
      },
    };
    const conversation = converse(WORK, { summarizer });
    await compact(conversation, { strategy: 'karl' });
    const view = JSON.stringify(conversation.request());
    assert.ok(view.includes('Nothing is open now.') && !view.includes('Half a sent'), view);
  });

  it('is made from raw messages, never from an earlier note', async () => {
    for (const strategy of ['karl', 'adaptive'] as const) {
      const summarizer = scripted('The parts were read, says the first note.', 'More parts were read by now.');
      const conversation = converse(WORK, { summarizer });
      await conversation.compact({ trigger: 'command', strategy, targetTokens: 3000 });
      conversation.append([...reads(20, 30, 200), user('Go on.')]);
      await conversation.compact({ trigger: 'command', strategy, targetTokens: 3000 });
      assert.equal(summarizer.asked.length, 2);
      for (const prompt of summarizer.asked) assert.doesNotMatch(prompt, /says the first note/);
      assert.match(JSON.stringify(conversation.request()), /says the first note/, 'it stands word for word');
      assert.doesNotMatch(summarizer.asked[1] ?? '', /part3\.ts/, 'what it told of is not read again');
    }
  });
});
