/** How tests talk to a server: one request, and its answer as text, as JSON, as a document and as rows. */

import http, { Agent, type IncomingMessage } from 'node:http';
import { checkDescribed } from './described.ts';

export type Document = Readonly<Record<string, unknown>>;

/** An answer. `body` is `{}` where the answer is not a JSON object. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, any>>;
  /** `data` of a single document, else `{}`. */
  readonly document: Document;
  /** `data` of a list, else `[]`. */
  readonly rows: readonly Document[];
}

export interface Sent {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with the headers given. */
  readonly raw?: string | Uint8Array;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Connections are kept: making one for each request is half of a small request's time. */
const agent = new Agent({ keepAlive: true, scheduling: 'lifo' });

/** Closes the idle connections to a server that is about to stop: it would wait for requests that are on their way. */
export function leave(url: string): void {
  const { hostname: host, port } = new URL(url);
  for (const socket of agent.freeSockets[agent.getName({ host, port: Number(port) })] ?? []) socket.destroy();
}

/**
 * Sends one request and reads the whole answer, which is held against the OpenAPI document; of an event stream only its head.
 * Redirects are not followed.
 */
export async function send(method: string, url: string, { body, raw, form, headers = {} }: Sent = {}): Promise<Answer> {
  const content = raw ?? form ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const answer = await exchange(method, url, content, {
    ...(content === undefined || raw !== undefined ? {} : { 'content-type': type }),
    ...headers,
  });
  checkDescribed(url, { method, ...answer });
  return answerOf(answer);
}

interface Exchanged {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

function exchange(
  method: string,
  url: string,
  content: string | Uint8Array | undefined,
  headers: Readonly<Record<string, string>>,
): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const length = content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) };
    const request = http.request(url, { method, agent, headers: { ...length, ...headers } }, (response) => {
      void read(response).then(resolve, reject);
    });
    request.once('error', (error) => {
      // the server closed an idle connection while this request was on its way
      const isStale = request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (isStale) exchange(method, url, content, headers).then(resolve, reject);
      else reject(error);
    });
    request.end(content);
  });
}

async function read(response: IncomingMessage): Promise<Exchanged> {
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const status = response.statusCode ?? 0;
  if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
    response.destroy();
    return { status, headers, text: '' };
  }
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return { status, headers, text: Buffer.concat(pieces).toString() };
}

function answerOf({ status, headers, text }: Exchanged): Answer {
  const json: unknown =
    headers.get('content-type')?.startsWith('application/json') === true && text !== '' ? JSON.parse(text) : {};
  const body = isDocument(json) ? json : {};
  const { data } = body;
  return {
    status,
    headers,
    text,
    body,
    document: isDocument(data) ? data : {},
    rows: Array.isArray(data) ? data.filter(isDocument) : [],
  };
}

const isDocument = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
