// `npx mocha` runs the unit ring, from source; `npx mocha FILE...` these files alone.
const isNamed = process.argv.slice(2).some((word) => /\.test\.\w+$/.test(word));

module.exports = {
  spec: isNamed
    ? []
    : [
        'test/{attack,core,adapters,engine,host,protocol,rescue,bench}/**/*.test.ts',
        'test/vscode/{setup,harness}/**/*.test.ts',
        'test/*.test.ts',
      ],
  parallel: !isNamed,
  jobs: 2,
  require: ['test/vscode/harness/mochaHooks.ts'],
  // Ends what hangs, and judges no speed.
  timeout: 300_000,
  exit: true,
};
