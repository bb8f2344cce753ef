import type { IncomingMessage } from 'node:http';
import type { ChatTool } from '../../core/messages/chat.ts';
import { type ParseList, parseLongJson } from '../../core/messages/parseJson.ts';
import { err, ok, type Result } from '../../core/result.ts';
import { runInSlices } from '../../core/steps.ts';
import { Recent } from '../node/recent.ts';
import { SLICES } from '../node/slices.ts';
import { type Fields, isFields } from '../openai/mergeFields.ts';
import { type HttpError, httpError } from './httpError.ts';

/** The largest body that is accepted, bytes: room for dozens of images, or for more text than any window holds. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** Reads bodies that are JSON objects. */
export class BodyReader {
  readonly #known = new KnownParts();
  readonly #largest: number;

  /** `largest`: bytes; default: 64 MB. */
  constructor(largest = LARGEST_BODY) {
    this.#largest = largest;
  }

  /** Rejects when the client leaves before the end. */
  async read(request: IncomingMessage): Promise<Result<Fields, HttpError>> {
    const { 'content-encoding': encoding = 'identity' } = request.headers;
    if (encoding !== 'identity') {
      const message = `The gateway takes no compressed bodies (Content-Encoding: ${encoding}): send the request uncompressed.`;
      return err(httpError(415, message, { code: 'unsupported_encoding' }));
    }
    const bytes = await readBody(request, this.#largest);
    if (!bytes.ok) return bytes;
    try {
      const body = await runInSlices(parseLongJson(bytes.value.toString(), this.#known.parser()), SLICES);
      if (isFields(body)) return ok(body);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return err(httpError(400, 'The body of the request is not a JSON object.', { code: 'invalid_json' }));
  }
}

/**
 * Reads a body. One that is too large is refused because of its stated length, or once that many bytes have come; the
 * rest is thrown away as it comes.
 */
async function readBody(request: IncomingMessage, largest: number): Promise<Result<Buffer, HttpError>> {
  let size = Number(request.headers['content-length'] ?? 0);
  const pieces: Buffer[] = [];
  if (size <= largest) {
    size = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      size += (piece as Buffer).byteLength;
      if (size > largest) break;
      pieces.push(piece as Buffer);
    }
  }
  if (size <= largest) return ok(Buffer.concat(pieces));
  request.resume();
  const megabytes = Math.round(largest / 1024 / 1024);
  const message = `The request is larger than the ${megabytes} MB that the gateway takes: send fewer or smaller images.`;
  return err(httpError(413, message, { code: 'request_too_large' }));
}

/** How much text is kept, characters: some histories of 200,000 tokens. */
const MOST_KNOWN = 16_000_000;

/**
 * Agents send their whole history with each request. A part of it that has come before is not parsed again: the same
 * objects stand for it, by which its messages are known.
 */
class KnownParts {
  readonly #parts = new Recent<string, readonly unknown[]>(MOST_KNOWN, (_, text) => text.length);

  /** Parses the lists of one body: no two places of it get the same objects. */
  parser(): ParseList {
    const taken = new Set<string>();
    return (text) => {
      if (taken.has(text)) return JSON.parse(text);
      taken.add(text);
      return this.#parts.take(text, () => JSON.parse(text));
    };
  }
}

/** The number of tool lists kept: that many agents can ask in turn. */
const MOST_LISTS = 32;

/** Agents send the same tools with each request: one object stands for all of them, so that they are counted once. */
export class ToolLists {
  readonly #lists = new Recent<string, readonly ChatTool[]>(MOST_LISTS);

  /** The list that stands for equal ones. */
  known(tools: readonly ChatTool[]): readonly ChatTool[] {
    return this.#lists.take(JSON.stringify(tools), () => tools);
  }
}
