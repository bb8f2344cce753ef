import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a loopback server was asked. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Answers by path: a value is sent as JSON, a function answers itself; everything else is 404. */
export type Answers = Readonly<Record<string, unknown>>;

/** Starts a server on a free loopback port. */
export async function startServer(
  answers: Answers,
): Promise<{ origin: string; asked: Asked[]; stop: () => Promise<void> }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const path = request.url ?? '';
      asked.push({ method: request.method ?? '', path, headers: request.headers, body });
      const answer = answers[path];
      if (typeof answer === 'function') {
        (answer as (response: ServerResponse, body: string) => void)(response, body);
        return;
      }
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'not found' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
