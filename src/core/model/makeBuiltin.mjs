// Makes builtin.generated.json beside this script: window, output limit and prices of the models of the main providers,
// taken from the npm package @earendil-works/pi-ai (MIT), which only this script installs. `npm run figures` writes the
// file anew; `npm run figures -- --check` says whether it is what the package has.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installApart } from '../../../test/vscode/setup/install.mjs';

/** Where the figures come from; a newer version is named here and in `test/vscode/setup/locks/figures.json`. */
const SOURCE = '@earendil-works/pi-ai@0.87.1';

/** Name in the source → [name in profiles, OpenAI-compatible base URL]. First-party providers stand before resellers: the first that knows a model id wins. */
export const PROVIDERS = {
  openai: ['openai', 'https://api.openai.com/v1'],
  anthropic: ['anthropic', 'https://api.anthropic.com/v1'],
  google: ['google', 'https://generativelanguage.googleapis.com/v1beta/openai'],
  xai: ['xai', 'https://api.x.ai/v1'],
  mistral: ['mistral', 'https://api.mistral.ai/v1'],
  deepseek: ['deepseek', 'https://api.deepseek.com/v1'],
  zai: ['zai', 'https://api.z.ai/api/paas/v4'],
  moonshotai: ['moonshot', 'https://api.moonshot.ai/v1'],
  minimax: ['minimax', 'https://api.minimax.io/v1'],
  nvidia: ['nvidia', 'https://integrate.api.nvidia.com/v1'],
  'qwen-token-plan': ['qwen', 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1'],
  xiaomi: ['xiaomi', 'https://api.xiaomimimo.com/v1'],
  groq: ['groq', 'https://api.groq.com/openai/v1'],
  cerebras: ['cerebras', 'https://api.cerebras.ai/v1'],
  together: ['together', 'https://api.together.xyz/v1'],
  fireworks: ['fireworks', 'https://api.fireworks.ai/inference/v1'],
  huggingface: ['huggingface', 'https://router.huggingface.co/v1'],
  openrouter: ['openrouter', 'https://openrouter.ai/api/v1'],
};

/** Output tokens that OpenAI sets apart in the window of these models: prompts may fill the window less these. */
const OPENAI_OUTPUT_SHARE = 128_000;

/**
 * Corrections to the source, with their reason. OpenAI publishes for the models from gpt-5 on an input limit below the
 * window (gpt-5: 400,000 and 272,000; gpt-5.5: 1,050,000 and 922,000). The source has no input limit, and writes for
 * some the size up to which the lower price applies (272,000) in place of the window; its entries for the same models
 * on OpenRouter have the true one.
 */
function openaiFigures(id, model, openrouter) {
  const name = id.replace(/^openai\//, '');
  const window = Math.max(model.contextWindow, openrouter.get(`openai/${name}`)?.contextWindow ?? 0);
  if (!/^gpt-[5-9]/.test(name) || model.maxTokens !== OPENAI_OUTPUT_SHARE) return { window: model.contextWindow };
  return { window, input: window > 272_000 ? window - OPENAI_OUTPUT_SHARE : 0 };
}

const round = (price) => Math.round(price * 1e4) / 1e4;

/** One row: [window, input limit or 0, output limit or 0, price in, price out, price of cached input]; unknown prices are left out. */
function row(id, model, openrouter) {
  const { window, input = 0 } = openaiFigures(id, model, openrouter);
  // A source that gives the window as output limit does not know the limit.
  const output = model.maxTokens > 0 && model.maxTokens < window ? model.maxTokens : 0;
  const { cost } = model;
  const priced = cost.input > 0 || cost.output > 0 || id.endsWith(':free');
  return [
    window,
    input,
    output,
    ...(priced ? [cost.input, cost.output, ...(cost.cacheRead > 0 ? [cost.cacheRead] : [])].map(round) : []),
  ];
}

/** The models of one provider, by id. */
function readModels(folder, source) {
  const groups = JSON.parse(readFileSync(new URL(`${source}.json`, folder), 'utf8'));
  const models = Object.values(groups)
    .flatMap((group) => Object.values(group))
    .filter((model) => (model.type ?? 'chat') === 'chat' && model.contextWindow > 0 && !model.id.endsWith(':batch'))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  return new Map(models.map((model) => [model.id, model]));
}

/** The table as text, made from the source's data files in `folder`. */
export function makeBuiltin(folder) {
  const openrouter = readModels(folder, 'openrouter');
  const lines = Object.entries(PROVIDERS).map(([source, [provider, baseUrl]]) => {
    const rows = [...readModels(folder, source)].map(([id, model]) => [id, row(id, model, openrouter)]);
    const body = rows.map(([id, values]) => `${JSON.stringify(id)}:${JSON.stringify(values)}`).join(',\n');
    return `${JSON.stringify(provider)}:{"baseUrl":${JSON.stringify(baseUrl)},"models":{\n${body}\n}}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const installed = pathToFileURL(`${installApart(root, 'figures')}/`);
  const text = makeBuiltin(new URL('node_modules/@earendil-works/pi-ai/dist/providers/data/', installed));
  const file = new URL('./builtin.generated.json', import.meta.url);
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) throw new Error(`builtin.generated.json is not what ${SOURCE} has`);
}
