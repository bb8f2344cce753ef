/** Marks a reply that broke off. Fields with the prefix `karl_` stay in the transcript and are never sent. */
export const INTERRUPTED_FIELD = 'karl_interrupted';

/** Begins a turn after a reply that broke off; recognised as written by a client, not by the human. */
export const CONTINUE = '[Request interrupted] Continue where the last reply broke off.';
