type Fields = Readonly<Record<string, unknown>>;

/** A choice of an answer of which something does not go on: the tokens that spell it out (`logprobs`) go with it. */
export function withoutLogprobs(choice: Fields): Fields {
  return choice.logprobs === undefined || choice.logprobs === null ? choice : { ...choice, logprobs: null };
}
