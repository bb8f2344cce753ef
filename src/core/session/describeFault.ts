import { english } from '../language.ts';
import type { ModelError } from '../model/classify.ts';

/** Says what went wrong in one short sentence, in English: it may be kept, and is shown with `retell`. */
export function describeFault(error: ModelError): string {
  const { kind } = error;
  if (error.spent === true) return english('The account has no credit or quota left.');
  switch (kind) {
    case 'rate-limit':
      return english('Rate limit reached.');
    case 'timeout':
      return english('The server did not answer in time.');
    case 'overflow':
      return english('The request was too long for the model.');
    case 'output-limit':
      return english('The server refused the length of the reply.');
    case 'payload-too-large':
      return english('The request was too large for the server.');
    case 'cancelled':
      return english('The request was cancelled.');
    default:
      return describeOtherFault(error);
  }
}

function describeOtherFault({ status, answered, brokeOff, refusal, retryable, evidence }: ModelError): string {
  if (answered === true) return english('The reply was empty or broken.');
  if (brokeOff === true) return english('The connection broke off while the answer arrived.');
  if (refusal !== undefined) return english('The model could not answer.');
  switch (status) {
    case undefined:
      return retryable ? english('No connection to the server.') : evidence;
    case 401:
      return english('The server rejected the API key (401).');
    case 403:
      return english('The server does not allow this request (403).');
    case 404:
      return english('The server does not have this model, or no API at this address (404).');
    default:
      return status < 500
        ? english('The server refused the request ({0}): {1}', status, evidence)
        : english('The server failed ({0}).', status);
  }
}
