/** How `dossier indexes` sends its requests: to a server, or to the project in the working folder. */
import { operator } from '../../policy/principal.ts';
import { withServices } from '../services.ts';
import type { Terminal } from '../terminal.ts';

/** Sends a request to `/server/indexes`. @throws Error with the reason of a refusal */
export type Send = <Answer>(method: 'GET' | 'POST', body?: object) => Promise<Answer>;

/** Where the requests go. */
export interface Target {
  /** The address of a server; without it, the project in the working folder. */
  readonly url?: string | undefined;
  /** The API key of an admin. */
  readonly key?: string | undefined;
  /** Whether an index is built or dropped, so that the data themselves are needed. */
  readonly writes: boolean;
  /** Whether one is dropped, such as one for which the models could not be served. */
  readonly drops: boolean;
}

const path = '/server/indexes';

/** Runs work with a sender. @throws what the work throws, and as `createServer` does without a `url` */
export async function withSender<T>(
  { url, key, writes, drops }: Target,
  terminal: Terminal,
  work: (send: Send) => Promise<T>,
): Promise<T> {
  if (url !== undefined) return work(toServer(url, key));
  const here = { address: 'command line', ip: '127.0.0.1', headers: {}, signal: new AbortController().signal };
  return withServices(
    terminal,
    ({ apis }) => {
      const sender = apis.sender({ ...here, principal: operator });
      return work((method, body) =>
        method === 'GET'
          ? sender.json({ operation: 'server.indexes', params: {}, repeat: 'safe' })
          : sender.json({ operation: 'server.index', params: {}, body, repeat: 'once' }),
      );
    },
    { readsOnly: !writes, keepsIndexes: drops },
  );
}

function toServer(url: string, key: string | undefined): Send {
  const address = `${url.replace(/\/+$/, '')}${path}`;
  return async <Answer>(method: 'GET' | 'POST', body?: object): Promise<Answer> => {
    const answer = await fetch(address, {
      method,
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new Error(`${address} does not answer`, { cause: error });
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(reasonIn(text) ?? `${address} answers ${answer.status}`);
    return parsed(text, address) as Answer;
  };
}

function parsed(text: string, address: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${address} does not answer with JSON`);
  }
}

/** The reason in the envelope of a refusal. */
function reasonIn(text: string): string | undefined {
  try {
    const { err } = JSON.parse(text) as { readonly err?: unknown };
    return typeof err === 'string' ? err : undefined;
  } catch {
    return undefined;
  }
}
