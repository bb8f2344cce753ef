import { clauses } from './text.ts';

/** Tools of a request, by any of their names; a field (`tools`) as well as what a model can do (`function calling`). */
const TOOLS = /\b(?:tools?|tool[ _-](?:use|choice|calls?|calling)|functions?(?: call(?:s|ing))?|function_call)\b/;

/**
 * What is said of something that a server or a model cannot do. One example each:
 * "gemma:2b does not support tools" (Ollama), "No endpoints found that support tool use" (OpenRouter),
 * "tools param requires --jinja flag" (llama.cpp), "auto tool choice requires --enable-auto-tool-choice" (vLLM),
 * "Unsupported parameter: 'tools'" (OpenAI), "Function calling is not enabled for this model" (Mistral).
 */
const CANNOT =
  /\b(?:does not|doesnt|do not|dont|cannot|not|no longer) (?:\w+ )?(?:support(?:ed|s)?|enabled|available|allowed|accept(?:ed)?|permitted)\b|\bunsupported\b|\bno endpoints? found that support|\brequires? --\w/;

/** Whether an error says that the request may not carry tool definitions. Takes normalised texts. */
export function refusesTools(texts: readonly string[]): boolean {
  return texts.flatMap(clauses).some((clause) => TOOLS.test(clause) && CANNOT.test(clause));
}
