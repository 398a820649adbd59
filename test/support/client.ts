/** How tests talk to a server: one request, and its answer as text, as JSON, as a document and as rows. */

import { fetchDescribed } from './described.ts';

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

/** Sends one request and reads the whole answer, which is as the OpenAPI document says; of an event stream only its head. Redirects are not followed. */
export async function send(method: string, url: string, { body, raw, form, headers = {} }: Sent = {}): Promise<Answer> {
  const content = raw ?? form ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const response = await fetchDescribed(url, {
    method,
    redirect: 'manual',
    headers: { ...(content === undefined || raw !== undefined ? {} : { 'content-type': type }), ...headers },
    ...(content === undefined ? {} : { body: content }),
  });
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (endless) await response.body?.cancel();
  return answerOf(response.status, response.headers, endless ? '' : await response.text());
}

function answerOf(status: number, headers: Headers, text: string): Answer {
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
