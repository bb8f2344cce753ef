/** An error in the form of OpenAI's API. */
export interface ApiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

/** An answer that reports an error. */
export interface HttpError {
  readonly status: number;
  readonly error: ApiError;
  /** Seconds after which the client may ask again. */
  readonly retryAfter?: number;
}

/** Makes an error. Its type follows from the status, as at OpenAI. */
export function httpError(
  status: number,
  message: string,
  about: { readonly code?: string; readonly param?: string } = {},
): HttpError {
  const { code = null, param = null } = about;
  return { status, error: { message, type: typeOf(status), param, code } };
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error';
  if (status === 403) return 'permission_error';
  if (status === 429) return 'rate_limit_error';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
