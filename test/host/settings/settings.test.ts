import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  checkSettings,
  DEFAULT_SETTINGS,
  describeSettingProblem,
  type KarlSettings,
  SETTING_NAMES,
  SETTING_RULES,
  type SettingName,
} from '../../../src/host/settings/settingRules.ts';
import { inEnglish } from '../../../src/language/language.ts';
import { declaredSettings, readManifest } from '../../manifest.ts';

const declared = declaredSettings();
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;

const check = (values: Partial<Record<SettingName, unknown>>, lastGood: KarlSettings = DEFAULT_SETTINGS) =>
  checkSettings((name) => values[name], lastGood);

describe('settings', () => {
  it('take the defaults of the manifest when nothing is set', () => {
    const { settings, problems } = check({});
    assert.deepEqual(problems, []);
    for (const name of SETTING_NAMES) assert.deepEqual(settings[name], declared[`karl.${name}`]?.default, name);
  });

  it('are all declared in the manifest, and nothing else is', () => {
    assert.deepEqual(Object.keys(declared).sort(), SETTING_NAMES.map((name) => `karl.${name}`).sort());
  });

  it('accept every example, every enumerated value and both limits that the manifest shows, and nothing beyond', () => {
    for (const name of SETTING_NAMES) {
      const { accepts } = SETTING_RULES[name];
      const { examples = [], enum: values = [], minimum, maximum } = declared[`karl.${name}`] ?? assert.fail(name);
      for (const value of [...examples, ...values]) assert.ok(accepts(value), `${name}: ${JSON.stringify(value)}`);
      if (minimum !== undefined) assert.deepEqual([accepts(minimum), accepts(minimum - 1)], [true, false], name);
      if (maximum !== undefined) assert.deepEqual([accepts(maximum), accepts(maximum + 1)], [true, false], name);
    }
  });

  it('are in groups with titles, each with its own order', () => {
    const groups = readManifest().contributes.configuration;
    const titles = groups.map(({ title }) => texts[title.replaceAll('%', '')]);
    assert.deepEqual(titles.slice(0, 3), ['Server', 'Budget', 'Strategies']);
    assert.ok(titles.every((title) => title !== undefined));
    for (const { properties } of groups) {
      const orders = Object.values(properties).map(({ order }) => order);
      assert.deepEqual(orders, [...orders.keys()]);
    }
  });

  it('say summary and compression, never note or compaction; no text has null or a blank before a %', () => {
    for (const [key, text] of Object.entries(texts)) {
      const words = text.replaceAll(/`[^`]*`/g, '');
      assert.doesNotMatch(words, /\bnotes?\b|\bcompact(?:ion|ed|s)?\b|\bnull\b|\d %/i, key);
    }
  });

  it('keep the last good value, and say which setting, which value and what is allowed', () => {
    const good = check({ keepLastMessages: 25 }).settings;
    const { settings, problems } = check({ keepLastMessages: 'many' }, good);
    assert.equal(settings.keepLastMessages, 25);
    const said = 'karl.keepLastMessages is "many"; allowed: a whole number from 1 to 1000. 25 stays in effect.';
    assert.deepEqual(problems.map(describeSettingProblem).map(inEnglish), [said]);
  });

  it('report every wrong value of one change and take the right ones', () => {
    const { settings, problems } = check({ strategy: 'magic', 'thresholds.fraction': 2, keepLastMessages: 7 });
    assert.deepEqual(problems.map((problem) => problem.setting).sort(), ['karl.strategy', 'karl.thresholds.fraction']);
    const { strategy, keepLastMessages, 'thresholds.fraction': fraction } = settings;
    assert.deepEqual([strategy, fraction, keepLastMessages], ['adaptive', 0.8, 7]);
  });

  it('reject what is empty, of another kind or no address without credentials, instead of replacing it silently', () => {
    const wrong: Partial<Record<SettingName, readonly unknown[]>> = {
      'summary.maxTokens': ['', 0],
      'summary.model': [' gpt', 7],
      keepLastMessages: [0],
      'log.directory': ['', 'logs'],
      baseUrl: [
        ...['nonsense', 'ftp://host/v1', 'http://', 'https://user:pass@host/v1', 'https://host/v1?key=1'],
        ...[' http://host', 7],
      ],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values) {
        const problems = check({ [name]: value }).problems.map(({ setting }) => setting);
        assert.deepEqual(problems, [`karl.${name}`], `${name} = ${JSON.stringify(value)}`);
      }
    assert.equal(check({ baseUrl: 'http://127.0.0.1:1234/v1' }).problems.length, 0);
  });

  it('that contradict each other both keep their last good values, and the message names both', () => {
    const good = check({ 'thresholds.fraction': 0.7, 'thresholds.target': 0.4 }).settings;
    const cases: readonly [values: Partial<KarlSettings>, said: string][] = [
      [
        { 'thresholds.fraction': 0.3, 'thresholds.target': 0.6 },
        'karl.thresholds.target is 0.6; allowed: a number lower than karl.thresholds.fraction (0.3). ' +
          '0.4 with karl.thresholds.fraction 0.7 stays in effect.',
      ],
      [
        { 'sandwich.topFraction': 0.5, 'sandwich.bottomFraction': 0.5 },
        'karl.sandwich.topFraction is 0.5; allowed: at most 0.85 together with karl.sandwich.bottomFraction (0.5). ' +
          '0.2 with karl.sandwich.bottomFraction 0.3 stays in effect.',
      ],
      [
        { 'actionTrace.keep': 12 },
        'karl.actionTrace.keep is 12; allowed: a number lower than karl.actionTrace.trigger (10). ' +
          '5 with karl.actionTrace.trigger 10 stays in effect.',
      ],
    ];
    for (const [values, said] of cases) {
      const { settings, problems } = check({ ...good, ...values, 'actionTrace.largeKeep': 2 }, good);
      assert.deepEqual(problems.map(describeSettingProblem).map(inEnglish), [said]);
      assert.deepEqual(settings, { ...good, 'actionTrace.largeKeep': 2 });
    }
  });

  it('show a wrong value in at most one line', () => {
    const { problems } = check({ strategy: `x\n${'y'.repeat(5000)}` });
    const text = problems.map(describeSettingProblem).map(inEnglish).join('');
    assert.ok(text.length < 400 && !text.includes('\n'), text);
  });
});

describe('the manifest', () => {
  it('lets an untrusted folder set neither server, model, log folder, profiles, tools, hooks nor what is deleted', () => {
    const restricted = readManifest().capabilities.untrustedWorkspaces.restrictedConfigurations;
    for (const name of [
      ...['baseUrl', 'model', 'summary.model', 'log.directory', 'profiles.workspaceFile', 'tools.enabled'],
      ...['hooks.beforeCompact', 'hooks.afterCompact', 'hooks.timeoutSeconds', 'gateway.enabled', 'gateway.port'],
      ...['storage.days', 'storage.megabytes', 'storage.otherAgents'],
    ])
      assert.ok(restricted.includes(`karl.${name}`), name);
    for (const name of restricted) assert.ok(name in declared, name);
  });

  it('lets no folder, trusted or not, name a command that runs, or open an address on this machine', () => {
    for (const name of ['hooks.beforeCompact', 'hooks.afterCompact', 'gateway.enabled', 'gateway.port'])
      assert.equal(declared[`karl.${name}`]?.scope, 'machine', name);
  });

  it('has the menu of the view at its tab, too, but for what opens the tab and moves the view', () => {
    const { menus } = readManifest().contributes;
    const [view = [], tab = []] = [menus['view/title'], menus['editor/title']];
    const elsewhere = new Set(['karl.openInEditor', 'karl.moveView']);
    const inTab = tab.map(({ command, group }) => [command, group]);
    assert.deepEqual(
      inTab,
      view.filter(({ command }) => !elsewhere.has(command)).map(({ command, group }) => [command, group]),
    );
    assert.deepEqual([...new Set(tab.map(({ when }) => when))], ["activeWebviewPanelId == 'karl.editor'"]);
    assert.ok(tab.some(({ command }) => command === 'karl.help'));
  });

  it('has a text for every placeholder and no text without one', () => {
    const used = new Set([...readFileSync('package.json', 'utf8').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual([...used].sort(), Object.keys(texts).sort());
  });
});
