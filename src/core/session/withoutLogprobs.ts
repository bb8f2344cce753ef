type Fields = Readonly<Record<string, unknown>>;

/** A choice from which part of the answer was removed, without `logprobs`: those spell the removed tokens out. */
export function withoutLogprobs(choice: Fields): Fields {
  return choice.logprobs === undefined || choice.logprobs === null ? choice : { ...choice, logprobs: null };
}
