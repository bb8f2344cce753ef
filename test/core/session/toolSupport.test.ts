import assert from 'node:assert/strict';
import { classifyModelError } from '../../../src/core/model/classify.ts';
import { planRetry, refusesTools } from '../../../src/core/model/retry.ts';
import type { UserContent } from '../../../src/core/session/turnContext.ts';
import { describeProblem } from '../../../src/host/notices/describeProblem.ts';
import { errorReply } from '../../adapters/server/reply.ts';
import { openHarness } from './sessionHarness.ts';

/** What servers answer to tool definitions that they do not support. */
const JINJA = { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' };
const PARSER = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';
const UNSUPPORTED = { message: "Unsupported parameter: 'tools' is not supported with this model.", param: 'tools' };
const REFUSALS: Readonly<Record<string, object>> = {
  Ollama: { status: 400, error: { message: 'registry.ollama.ai/library/gemma:2b does not support tools' } },
  OpenRouter: { status: 404, error: { message: 'No endpoints found that support tool use. To learn more, visit …' } },
  'llama.cpp': { status: 500, error: JINJA },
  vLLM: { status: 400, object: 'error', message: PARSER },
  OpenAI: { status: 400, error: UNSUPPORTED },
  Mistral: { status: 400, message: 'Function calling is not enabled for this model' },
};

/** Errors that mention tools but have another cure, or none. */
const OTHERS: Readonly<Record<string, object>> = {
  'a wrong result': { status: 400, error: { message: "a message with role 'tool' must follow one with tool_calls" } },
  'a wrong schema': { status: 400, error: { message: "Invalid schema for function 'read_file': type is missing" } },
  'another field': { status: 400, error: { message: "Unsupported parameter: 'temperature' is not supported" } },
  'a key': { status: 403, error: { message: 'Your key is not allowed to use tools' } },
  'a limit': { status: 429, error: { message: 'Rate limit reached: tools are not available' } },
};

describe('an error about tools', () => {
  for (const [server, error] of Object.entries(REFUSALS))
    it(`is recognised where a server takes none: ${server}`, () => {
      const classified = classifyModelError(error);
      assert.equal(refusesTools(classified), true);
      assert.equal(planRetry(classified, 1, 0), undefined);
    });

  for (const [what, error] of Object.entries(OTHERS))
    it(`is none where the cause is ${what}`, () => assert.equal(refusesTools(classifyModelError(error)), false));
});

describe('an error about images', () => {
  const HAS_IMAGES = { hasImages: true } as const;
  const adviceOf = (status: number, message: string, images: { readonly hasImages?: true } = HAS_IMAGES): string => {
    const error = classifyModelError({ status, error: { message } });
    return describeProblem({ kind: 'model', error, attempts: 1, interrupted: false, ...images }).next;
  };
  const ADVICE = /^Edit the message and remove the image, or select another model/;

  it('is answered with what helps, whatever its status', () => {
    assert.match(adviceOf(400, 'This model does not support image input'), ADVICE);
    assert.match(adviceOf(400, 'Invalid image_url: the data cannot be decoded'), ADVICE);
    assert.match(adviceOf(404, 'No endpoints found that support image input'), ADVICE);
    assert.match(adviceOf(500, 'image input is not supported - hint: you may need to provide the mmproj'), ADVICE);
  });

  it('is not read from the name of a model, nor where the cause is another', () => {
    for (const [status, message] of [
      [404, 'The model `llama-3.2-vision` does not exist'],
      [400, 'This is the model gpt-image-1, which is not a chat model'],
      [403, 'Your key does not support image input'],
      [400, "Unsupported parameter: 'temperature' is not supported"],
    ] as const)
      assert.doesNotMatch(adviceOf(status, message), ADVICE, message);
  });

  it('depends on whether the request has an image', async () => {
    const respond = () => errorReply(400, { error: { message: 'Invalid image_url' } });
    const harness = await openHarness({ server: { respond } });
    const problemOf = async (content: UserContent) => {
      const outcome = await harness.session.send(content);
      return outcome.kind === 'failed' && outcome.problem.kind === 'model' ? outcome.problem.hasImages : outcome;
    };
    assert.equal(await problemOf('Pull the docker image.'), false);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
    assert.equal(await problemOf([{ type: 'text', text: 'See.' }, image]), true);
    await harness.close();
  });
});
