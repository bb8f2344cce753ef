/**
 * The fields of `extra` that a workspace folder may set: they change how the model writes its reply. Others may decide
 * who gets the conversation or what else is done with it (`provider` and `plugins` of a router, `api_base` of a proxy).
 */
const FOLDER_FIELDS = new Set([
  'temperature',
  'top_p',
  'top_k',
  'top_a',
  'min_p',
  'typical_p',
  'seed',
  'stop',
  'logit_bias',
  'presence_penalty',
  'frequency_penalty',
  'repetition_penalty',
  'repeat_penalty',
  'max_tokens',
  'max_completion_tokens',
  'parallel_tool_calls',
  'reasoning',
  'reasoning_effort',
  'thinking',
  'enable_thinking',
  'verbosity',
  'chat_template_kwargs',
]);

/** The fields of a folder's `extra` that are used, and the names of those that are not. */
export function splitFolderExtra(extra: Readonly<Record<string, unknown>>): {
  readonly used: Readonly<Record<string, unknown>>;
  readonly refused: readonly string[];
} {
  const isUsed = ([name]: readonly [string, unknown]): boolean => FOLDER_FIELDS.has(name);
  const fields = Object.entries(extra);
  return {
    used: Object.fromEntries(fields.filter(isUsed)),
    refused: fields.filter((field) => !isUsed(field)).map(([name]) => name),
  };
}
