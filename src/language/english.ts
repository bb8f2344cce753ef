import type { Phrases } from '../core/phrase.ts';

/** The words for what core reports. Each text is also the key of its translations in `l10n`. */
export const TEXTS: Readonly<Record<keyof Phrases, string>> = {
  'window.shortage':
    'The window is too small for this conversation: prompt, tools, pinned messages and the current request take {0} tokens, what the model has not read yet takes {1}, but there is room for only {2}. Use a model with a larger window, or fewer tools.',
  'window.typed': 'Enter a whole number of tokens from {0} to {1}, such as 32768, or nothing to use what Karl detects.',
  'window.silent-cut':
    'The server silently cuts prompts at {0} tokens: it reported that many for a request of about {1}. Karl uses this as its window. Start the server with a larger context length.',
  'usage.too-small':
    'The server reported {0} prompt tokens for a request of about {1}: it seems to have dropped part of the prompt. Check the context length that the server was started with.',

  'error.status': 'status {0}',

  'profile.not-json': 'cannot be read as JSON: {0}',
  'profile.no-form': 'must be an array of profiles, { "profiles": [...] } or an object of profiles by model id',
  'profile.missing': 'is missing, or has no value',
  'profile.unknown-field': 'has an unknown field: {0}',
  'profile.one-of': 'must be one of {0}',
  'profile.id': 'must be a non-empty name, with * only at its end',
  'profile.base-url': 'must be an http or https URL without credentials: Karl keeps keys in the secret storage',
  'profile.tokens': 'must be a whole number of tokens, more than 0',
  'profile.milliseconds': 'must be a whole number of milliseconds, more than 0',
  'profile.extra': 'must be an object, nested at most {0} levels deep',
  'profile.at-least': 'must be at least {0}',
  'profile.more-than': 'must be more than {0}',
  'profile.type': 'must be of the type {0}',
  'profile.other': 'has an invalid value',
  'profile.not-by-folder': 'may be set only in your own file, which KARL_MODEL_PROFILES names, not by a folder',
  'profile.more': '{0}; and {1} more like these.',

  'skipped.empty': 'The conversation has no messages yet.',
  'skipped.nothing-to-compact':
    'Nothing can be replaced: only the prompt, pinned messages, the current request and summaries are left.',
  'skipped.already-under-target': 'The conversation is already under the target.',
  'skipped.too-few-messages': 'There are no messages before the last ones that the strategy keeps.',
  'skipped.cuts-meet': 'The kept top and bottom leave fewer than 4 messages between them.',
  'skipped.single-turn': 'There is only one turn, and this strategy keeps the newest turn whole.',
  'skipped.trace-too-small': 'The current turn has too few tool calls to be worth shortening.',
  'skipped.vetoed': 'The hook that runs before a compression refused it.',
  'skipped.gain-too-small': 'The compression would have saved less than a tenth of what it may change.',

  'summary.no-model':
    'Strategy {0} needs a model to write its summaries, and none is set. Set one, or choose a strategy that needs none.',
  'summary.empty': 'The model wrote an empty summary.',
  'summary.too-long': "The model's summary is too long: {0} tokens where {1} were asked for.",
  'summary.no-statements': "The model's summary states nothing.",
  'summary.unsupported': "Too little of the model's summary is supported by the conversation: {0} of {1} statements.",
  'summary.cut-off': "The model's summary was cut at its limit of {0} tokens twice.",
  'check.no-numbers': 'The model did not answer with statement numbers.',
  'check.too-many-doubts': 'Its answer was not used: it doubted {0} of the {1} statements.',

  'law.gap': 'complete: {0} does not follow {1}',
  'law.unnamed': 'complete: {0} is neither whole nor behind a handle',
  'law.end': 'complete: the view ends at {0}, the transcript at {1}',
  'law.frozen': 'frozen: {0} ({1}) was changed',
  'law.no-call': 'paired: a result without its call in {0}',
  'law.no-result': 'paired: a call without its result before {0}',
  'law.no-content': 'paired: an empty message in {0}',
  'law.last-call': 'paired: the last call has no result',
  'law.unfenced': 'untrusted: the note of {0} is not fenced',
  'law.fence-inside': 'untrusted: a fence mark stands inside the note of {0}',
  'law.human-fenced': 'untrusted: what the human wrote in {0} is behind a fence',
  'law.fact-missing': 'audited: {0} "{1}" of {2} is not in the view',

  'by-hand.nothing': 'There is nothing to change.',
  'by-hand.no-message': 'There is no message {0}.',
  'by-hand.gone': 'Message {0} is no longer in the window.',
  'by-hand.already-dropped': 'Message {0} is already dropped.',
  'by-hand.already-short': 'Message {0} is already short.',
  'by-hand.already-whole': 'Message {0} is already whole.',
  'by-hand.breaks-law': 'This cannot be done: it would break a law of compression ({0}).',
  'frozen.instructions': 'Instructions always stay whole.',
  'frozen.request': 'Your current request always stays whole.',
  'frozen.running': 'The call is still running.',
  'frozen.stray': 'Message {0} is a result without a call: none of it is sent.',
  'frozen.pinned': 'Message {0} is pinned. Unpin it first.',

  'listener.failed': 'A listener of the conversation failed: {0}',
  'run.busy': 'Karl is compressing. Wait or press Stop.',
  'run.overtaken': 'The conversation was compressed meanwhile. Try again.',
  'preview.stale': 'The conversation has changed since this was previewed. Preview it again.',
  'preview.broken': 'The conversation has changed since this was previewed. Preview it again. ({0})',

  'hook.timed-out':
    'The command of {0} took longer than {1} s ({2}) and was stopped. The compression was not affected. Run the command by hand to see what is wrong.',
  'hook.not-run':
    'The command of {0} could not be run: {1}. The compression was not affected. Run the command by hand to see what is wrong.',
  'hook.exit-code':
    'The command of {0} ended with exit code {1}. The compression was not affected. Run the command by hand to see what is wrong.',
  'hook.no-reason': 'it gave no reason',

  'reply.output-limit': 'The reply was cut off at the output limit.',
  'reply.filtered': "The reply was cut off by the provider's content filter.",
  'request.foreign':
    'A request would have carried content that does not belong to it. It was sent as its agent wrote it. Please report this.',

  'stored.compaction': 'compression {0} is malformed ({1}): dropped, its messages are whole again',
  'stored.undone': 'a compression that was undone is malformed: it cannot be redone',
  'stored.profiles': 'malformed entries among the profiles that were used: dropped',
  'stored.pins': 'pins that refer to no message: dropped',
  'stored.profile-name': 'the profile of the model has no name: dropped',
  'stored.profile-values': 'the profile of the model has invalid values ({0}): repaired',
};
