/**
 * npm run bench -- exam --exams DIR --transcripts DIR [--share 0.12] [--summaries DIR]
 *
 * The reader's exam: can someone who has only the compacted view go on with the work? Prints for each session which
 * share of the answers' literal strings stands in Karl's view, how full the view is, and what recall finds by the
 * question's own words; then the means, also by kind of question. A proxy for readers: good for seeing a change.
 */
import { parseArgs } from 'node:util';
import { readTranscripts } from '../compaction/transcripts.ts';
import { table } from '../table.ts';
import { type Answered, type ExamResult, readExams, takeExam } from './takeExam.ts';

const { values } = parseArgs({
  options: {
    exams: { type: 'string' },
    transcripts: { type: 'string' },
    share: { type: 'string', default: '0.12' },
    summaries: { type: 'string' },
  },
});
const { exams, transcripts, summaries } = values;
if (exams === undefined || transcripts === undefined) throw new Error('--exams DIR and --transcripts DIR are needed');
const sessions = new Map(readTranscripts(transcripts).map(({ id, messages }) => [id, messages]));
const results: ExamResult[] = [];
for (const exam of readExams(exams)) {
  const messages = sessions.get(exam.session);
  if (messages === undefined) throw new Error(`${transcripts} has no transcript ${exam.session}`);
  results.push(await takeExam(exam, messages, { share: Number(values.share), summaries }));
}
const all = results.flatMap(({ answers }) => answers);
const kinds = [...new Set(all.map(({ kind }) => kind))].sort();
const ofKind = (wanted: string) => all.filter(({ kind }) => kind === wanted);
console.log(
  table(
    ['', 'coverage', 'fill', 'recall'],
    [
      ...results.map(({ session, fill, answers }) => rowOf(session, fill, answers)),
      rowOf('all', mean(results.map(({ fill }) => fill)), all),
      ...kinds.map((kind) => rowOf(`  ${kind}`, undefined, ofKind(kind))),
    ],
  ),
);

function rowOf(name: string, fill: number | undefined, answers: readonly Answered[]): string[] {
  const share = (figure: 'coverage' | 'recall'): string => mean(answers.map((answer) => answer[figure])).toFixed(3);
  return [name, share('coverage'), fill?.toFixed(2) ?? '', share('recall')];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
