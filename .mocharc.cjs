// `npx mocha` runs the unit ring, from source; `npx mocha FILE...` these files alone.
const isNamed = process.argv.slice(2).some((word) => /\.test\.\w+$/.test(word));

module.exports = {
  spec: isNamed
    ? []
    : [
        // What takes longest begins first.
        'test/{rescue,attack,adapters,engine}/**/*.test.ts',
        'test/vscode/{setup,harness}/**/*.test.ts',
        'test/{core,host,protocol,bench}/**/*.test.ts',
        'test/*.test.ts',
      ],
  parallel: !isNamed,
  // One more than a machine for continuous integration has cores: some tests wait for a time limit.
  jobs: 3,
  require: ['test/vscode/harness/mochaHooks.ts'],
  // Ends what hangs, and judges no speed.
  timeout: 300_000,
  exit: true,
};
