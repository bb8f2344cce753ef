import { type StatedTokens, toTokens } from './tokens.ts';

/** A sentence found in a text, the figures that its groups caught, and the text without it. */
export interface FoundSentence {
  readonly sentence: string;
  readonly figures: StatedTokens;
  readonly rest: string;
}

const SENT = String.raw`(?:your (?:messages|prompt|request|input)|you|the request|answering your request)`;
const STATES = String.raw`(?:resulted in|requested|will take|has|have|contains?)(?: a total of| about| over)?`;

/**
 * Sentences of servers and vendors: `who says it | where it was found | a real example`, with a pattern for normalised
 * text. The first match gives the figures; a figure that none of its groups (`limit`, `actual`, `input`, `output`)
 * catches is not used.
 */
export const PROVIDERS: Readonly<Record<`${string} | ${string} | ${string}`, RegExp>> = {
  'vLLM | serving_engine.py | length is 8192 tokens. However, you requested 512 output tokens and your prompt contains at least 7681 input':
    new RegExp(
      String.raw`is (?<limit>\d{2,9}) tokens\. however, you requested (?<output>\d{1,9}) output tokens ` +
        String.raw`and your prompt contains (?:at least )?(?<input>\d{1,9}) input`,
    ),
  'OpenAI, OpenRouter, xAI, vLLM | platform.openai.com | maximum context length is 16385 tokens. However, your messages resulted in 20110 tokens.':
    new RegExp(
      String.raw`maximum (?:context|prompt) length (?:(?:of|for) [\w./: -]{2,60}? )?is (?:only )?(?<limit>\d{2,9})(?: tokens)?` +
        String.raw`(?:[.,]? (?:however,? |but |and )?${SENT} ${STATES} (?<actual>\d{2,9})(?!\d| (?:input|output)))?`,
    ),
  'OpenAI Responses, Azure | platform.openai.com | Your input exceeds the context window of this model.':
    /input exceeds the context window of this model/,
  'Anthropic | docs.anthropic.com, errors | prompt is too long: 210042 tokens > 200000 maximum':
    /prompt is too long: (?<actual>\d{2,9}) tokens > (?<limit>\d{2,9}) maximum/,
  'Anthropic | docs.anthropic.com, errors | input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000':
    /max_tokens exceed context limit: (?<input>\d{1,9}) ?(?:\+|%2b|plus)? ?(?<output>\d{1,9}) ?> ?(?<limit>\d{2,9})/,
  'Amazon Bedrock | docs.aws.amazon.com/bedrock | ValidationException: Input is too long for requested model.':
    /input is too long for requested model|number of input tokens exceeds maximum length/,
  'Amazon Nova | ValidationException of Converse | Max input tokens: 128000, request input token count: 140000':
    /max input tokens: (?<limit>\d{2,9}), request input token count: (?<actual>\d{2,9})/,
  'Google | ai.google.dev | input token count (1200001) exceeds the maximum number of tokens allowed (1048576).':
    /token count (?:\(?(?<actual>\d{2,9})\)? )?exceeds the maximum number of (?:input )?tokens(?: allowed)? \(?(?<limit>\d{2,9})/,
  'GitHub Copilot | api.githubcopilot.com | prompt token count of 135000 exceeds the limit of 128000':
    /prompt token count of (?<actual>\d{2,9}) exceeds the limit of (?<limit>\d{2,9})/,
  'GitHub Models | models.github.ai | Request body too large for gpt-4o model. Max size: 8000 tokens.':
    /body too large(?: for [\w./:-]{1,60} model)?\. max size: (?<limit>\d{2,9}) tokens/,
  'Mistral | api.mistral.ai | Prompt contains 40000 tokens, too large for model with 32768 maximum context length':
    /contains (?<actual>\d{2,9}) tokens(?: and \d{1,9} draft tokens)?, too large for model with (?<limit>\d{2,9})/,
  'Cohere | api.cohere.com | total number of tokens in the prompt cannot exceed 4081 - received 5120.':
    /total number of tokens [^.;\d]{0,40}exceed (?<limit>\d{2,9}) - received (?<actual>\d{2,9})/,
  'Cohere | api.cohere.com | size limit exceeded by 1200 tokens. The limit for this model is 8992 tokens.':
    /size limit exceeded by \d{1,9} tokens(?:[^\n]{0,60}\bthe limit for this model is (?<limit>\d{2,9}))?/,
  'TGI, Together | router/src/validation.rs | `max_new_tokens` must be <= 4096. Given: 3900 `inputs` tokens and 512 `max_new_tokens`':
    /max_new_tokens must be <= (?<limit>\d{2,9})\. given: (?<input>\d{1,9}) inputs tokens and (?<output>\d{1,9}) max_new/,
  'TGI | router/src/validation.rs | `inputs` must have less than 4095 tokens. Given: 5210':
    /inputs must have less than (?<limit>\d{2,9}) tokens(?:\. given: (?<actual>\d{2,9}))?/,
  "SGLang | tokenizer_manager.py | input (400013 tokens) is longer than the model's context length (262144 tokens).":
    /\((?<actual>\d{2,9}) tokens\) is longer than the models context length \((?<limit>\d{2,9}) tokens\)/,
  'SGLang | tokenizer_manager.py | maximum context length of 65536 tokens. You requested a total of 70000 tokens':
    /context length of (?<limit>\d{2,9}) tokens\. you requested a total of (?<actual>\d{2,9}) tokens/,
  'vLLM, engine | vllm/v1/engine/processor.py | decoder prompt (length 41003) is longer than the maximum model length of 32768.':
    /prompt \((?:total )?length (?<actual>\d{2,9})\) is (?:long|too long)[a-z_( ]{10,50}(?:of|length) (?<limit>\d{2,9})/,
  "vLLM, SGLang, NIM, TensorRT-LLM | tensorrt_llm/executor | Input length (70330) exceeds model's maximum context length (65536).":
    /(?:input|prompt) length \(?(?<actual>\d{2,9})\)? exceeds (?:the |models )*maximum (?:\w+ ){1,4}\(?(?<limit>\d{2,9})/,
  'llama.cpp | llama.cpp/tools/server/server.cpp | request (33056 tokens) exceeds the available context size (32768 tokens)':
    /request (?:\((?<actual>\d{2,9}) tokens\) )?exceeds the available context size(?: \((?<limit>\d{2,9}) tokens\))?/,
  'llama-cpp-python | llama_cpp/llama.py | Requested tokens (5210) exceed context window of 4096':
    /requested tokens \((?<actual>\d{2,9})\) exceed context window of (?<limit>\d{2,9})/,
  'LM Studio | bug tracker | keep the first 9210 tokens when context the overflows. However, the model is loaded with context length of only 8192':
    /keep the first (?<actual>\d{2,9}) tokens when [^.]{0,40}\. however, [a-z ]{20,50} context length of only (?<limit>\d{2,9})/,
  'Moonshot | api.moonshot.ai | Your request exceeded model token limit: 262144 (requested: 270412)':
    /exceeded model token limit: (?<limit>\d{2,9})(?: \(requested: (?<actual>\d{2,9}))?/,
  'Fireworks | api.fireworks.ai | The prompt is too long: 221782, model maximum context length: 202752':
    /prompt is too long: (?<actual>\d{2,9}), model maximum context length: (?<limit>\d{2,9})/,
  'Groq, Cerebras | api.cerebras.ai | reduce the length of the messages or completion. Current length is 71023 while limit is 65536':
    /length of the messages or completion\.(?: current length is (?<actual>\d{2,9}) while limit is (?<limit>\d{2,9}))?/,
  'DashScope | help.aliyun.com/model-studio | Range of input length should be [1, 30720]':
    /range of (?:input|prompt|messages) length should be \[\d, ?(?<limit>\d{2,9})\]/,
  'Zhipu | docs.z.ai, code 1261 | tokens in request more than max tokens allowed':
    /tokens in request more than max tokens allowed|prompt exceeds max length\b/,
  'MiniMax | platform.minimax.io, code 2013 | invalid params, context window exceeds limit (2013)':
    /context window exceeds limit \(2013\)/,
  'Snowflake Cortex | docs.snowflake.com | max tokens of 8192 exceeded': /\bmax tokens of (?<limit>\d{2,9}) exceeded/,
};

const WORDS = String.raw`[^.;<>=+\d\n]{0,60}`;
const PLUS = String.raw`${WORDS}(?:\+|%2b|\bplus\b)${WORDS}`;
const OVER =
  String.raw`[^.;<>+\d\n]{0,40}?(?:[<>]=?|≥|\bexceed\w*|\b(?:greater|larger|longer|more|less) than|\b(?:over|above|beyond)\b|` +
  String.raw`surpass\w*|(?:must|should|can ?not) [^.;<>+\d\n]{0,20}(?:exceed|than|at most))[^.;<>+\d\n]{0,60}`;
/** Comparisons written with signs, by any server: the first whose figures agree counts. */
const COMPARISONS: readonly RegExp[] = [
  // `4096 > 32768 - 29000`.
  /(?<!\d)(?<output>\d{1,9}) ?>=? ?(?<limit>\d{1,9}) ?- ?(?<input>\d{1,9})/,
  // `184915 + 20000 > 204648`, `prompt (7000) + max_tokens (2000) = 9000 exceeds 8192`.
  new RegExp(
    String.raw`(?<!\d)(?<input>\d{1,9})(?:${PLUS}(?<more>\d{1,9}))?${PLUS}=?(?<output>\d{1,9})` +
      String.raw`(?:${WORDS}= ?(?<total>\d{1,9}))?${OVER}(?<limit>\d{1,9})`,
  ),
  // `the sum of prompt tokens (7000) and max_new_tokens (2000) exceeds 8192`.
  new RegExp(
    String.raw`\b(?:sum of|prompt|inputs?)\b${WORDS}(?<input>\d{1,9})(?:\.0)?${WORDS}\band\b${WORDS}` +
      String.raw`(?<output>\d{1,9})${OVER}(?<limit>\d{1,9})`,
  ),
  // `204308 tokens > 200000 maximum`, `n_keep (9028) >= n_ctx (4096)`.
  /(?<![\d.<])(?<actual>\d{2,9})\)?(?: (?:\w+ )?tokens?)?,? ?>=? ?[a-z_ ]{0,24}[(=:]{0,2} ?(?<limit>\d{2,9})(?![\d.]|[kmg]b)/,
  // `140000/128000 tokens`, `used 210000 of 200000 tokens`.
  /(?<![\d.])(?<actual>\d{2,9}) ?(?:tokens? )?(?:used |in use )?(?:\/|of|out of|vs\.?) ?(?:the )?(?<limit>\d{2,9})(?![\w.%/])/,
];

/** The first row whose sentence is in a normalised text. */
export function findProvider(text: string): FoundSentence | undefined {
  const match = Object.values(PROVIDERS)
    .map((pattern) => pattern.exec(text))
    .find((one) => one !== null);
  return match === undefined ? undefined : readMatch(text, match);
}

/** The first written comparison in a normalised text that says that something exceeds its limit. */
export function findComparison(text: string): FoundSentence | undefined {
  const matches = COMPARISONS.map((pattern) => pattern.exec(text)).filter((match) => match !== null);
  const isTrue = (match: RegExpExecArray, { actual = 0, limit }: StatedTokens): boolean =>
    limit !== undefined && actual >= limit && Number(match.groups?.total ?? actual) === actual;
  const found = matches.find((match) => isTrue(match, readMatch(text, match).figures));
  return found === undefined ? undefined : readMatch(text, found);
}

function readMatch(text: string, match: RegExpExecArray): FoundSentence {
  const figure = (name: string): number => Number(match.groups?.[name]); // NaN: not caught
  const [input, output] = [figure('input') + (figure('more') || 0), figure('output')];
  const actual = figure('actual') || input + output;
  const rest = `${text.slice(0, match.index)} ; ${text.slice(match.index + match[0].length)}`;
  return { sentence: match[0], figures: toTokens({ actual, limit: figure('limit'), input, output }), rest };
}
