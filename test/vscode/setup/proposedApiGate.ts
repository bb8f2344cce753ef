import fs from 'node:fs';
import path from 'node:path';

/** The programs of VS Code's server that let extensions use proposed APIs, in its folder `out`. */
const PROGRAMS = [
  'server-main.js',
  'vs/code/browser/workbench/workbench.js',
  'vs/workbench/api/node/extensionHostProcess.js',
  'vs/workbench/api/worker/extensionHostWorkerMain.js',
];

/** `isProposedApiEnabled(extension, proposal)`, known by the function behind it, which throws when the answer is no. */
const GATE =
  /(function ([\w$]+)\(([\w$]+),([\w$]+)\)\{return)(.{1,80}?)(\}function [\w$]+\(\3,\4\)\{if\(!\2\(\3,\4\)\)throw new Error\(`Extension '\$\{\3\.identifier\.value\}' CANNOT use API proposal)/g;

/**
 * Gives the VS Code server in a folder the gate that users' editors have: an extension may use the proposed APIs that
 * are granted to it, and Karl, whose manifest asks for none, is granted none. The server from npm says yes to every
 * extension, so that code which fails for users would pass in tests (`suite/proposedApi.test.ts` tries it). Does nothing
 * the second time. Throws when a program has no gate that is known here.
 */
export function restoreGate(server: string): void {
  for (const program of PROGRAMS) {
    const file = path.join(server, 'out', program);
    const text = fs.readFileSync(file, 'utf8');
    const gated = withGate(text, file);
    if (gated === text) continue;
    // A new file replaces the old one: a server that runs keeps the old one, and so do copies that are hard links.
    const draft = `${file}.${process.pid}`;
    fs.writeFileSync(draft, gated);
    fs.renameSync(draft, file);
  }
}

/** The text of a program with the gate restored. Throws when it has not exactly one; `name` is for the message. */
function withGate(program: string, name: string): string {
  let gates = 0;
  const gated = program.replace(GATE, (_, head: string, _gate, extension: string, proposal: string, body, tail) => {
    gates += 1;
    const closed = `!!${extension}.enabledApiProposals?.includes(${proposal})`;
    if (body !== '!0' && body !== closed) throw new Error(`${name}: the gate of proposed APIs is new: ${body}`);
    return `${head}${closed}${tail}`;
  });
  if (gates !== 1) throw new Error(`${name}: one gate of proposed APIs was expected, ${gates} were found`);
  return gated;
}
