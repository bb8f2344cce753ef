import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../gateway/openGateway.ts';

/** Answers by path: a value is sent as JSON, a function answers itself; everything else is 404. */
export type Answers = Readonly<Record<string, unknown>>;

/** Starts a server on a free loopback port, which records what it was asked. */
export async function startServer(answers: Answers) {
  const asked: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { url: path = '', headers } = request;
    asked.push({ path, headers });
    const answer = answers[path];
    if (typeof answer === 'function') {
      (answer as (response: ServerResponse, body: string) => void)(response, body);
      return;
    }
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { error: 'not found' }));
  });
  const origin = await listen(server);
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { origin, asked, stop };
}
