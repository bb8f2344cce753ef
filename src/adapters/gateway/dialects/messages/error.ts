import type { HttpError } from '../../httpError.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** An error in the form of Anthropic's API. */
export function messagesError({ status, error }: HttpError): object {
  const type = TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
  // By these words clients know what a summary of their own can help with.
  const message = error.code === 'context_length_exceeded' ? `prompt is too long: ${error.message}` : error.message;
  return { type: 'error', error: { type, message } };
}
