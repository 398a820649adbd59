/** Watches whose user signs out, or whose reader leaves, while they are not connected yet: they end, and nothing stays open. */
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Client, createClient } from 'dossier-client';

const tokens = {
  user_id: 'ann',
  token: 'ta',
  refresh_token: 'tr',
  token_expires: '2999-01-01',
  refresh_token_expires: '2999-01-01',
};

/** A promise that is resolved from outside. */
function gate<T = void>() {
  let open = (_value: T): void => undefined;
  const opened = new Promise<T>((done) => (open = done));
  return { open, opened };
}

const json = (body: object, status = 200): Response => new Response(JSON.stringify(body), { status });

/** A server that is asked by `fetch`: its sign-out and its event streams are answered when the test lets them. */
function openServer() {
  const [signOut, stream] = [gate(), gate()];
  const asked: string[] = [];
  const reached = { stream: gate(), signOut: gate() };
  const fetch = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(url);
    const signedIn = new Headers(init.headers).has('authorization') ? 'signed in' : 'anybody';
    asked.push(`${pathname} ${signedIn}`);
    if (pathname === '/login') return json(tokens);
    if (pathname === '/logout') {
      reached.signOut.open();
      await signOut.opened;
      return json({ status: 'okay' });
    }
    if (!pathname.startsWith('/events/')) return json({ data: [], limit: 20, position: 'p1' });
    reached.stream.open();
    await stream.opened;
    // a stream that never ends
    return new Response(new ReadableStream({ start: (sent) => sent.enqueue(new TextEncoder().encode(': hello\n\n')) }));
  };
  const streams = (): readonly string[] => asked.filter((one) => one.startsWith('/events/'));
  return { fetch, signOut, stream, reached, streams };
}

/** A WebSocket whose server refuses what it is sent. */
class RefusingSocket {
  static readonly made: RefusingSocket[] = [];
  static closed = gate();
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onmessage: ((event: { readonly data: unknown }) => void) | null = null;

  constructor() {
    RefusingSocket.made.push(this);
    setImmediate(() => this.onopen?.());
  }

  send(text: string): void {
    const { action } = JSON.parse(text) as { readonly action: string };
    const data = JSON.stringify({ action, status: 'error', message: 'this session has ended' });
    setImmediate(() => this.onmessage?.({ data }));
  }

  close(): void {
    RefusingSocket.closed.open();
  }
}

const before = globalThis.WebSocket;
const useSockets = (platform: unknown): void => void Object.assign(globalThis, { WebSocket: platform });
afterAll(() => useSockets(before));
beforeEach(() => {
  RefusingSocket.made.length = 0;
  RefusingSocket.closed = gate();
  useSockets(RefusingSocket);
});

async function signedIn(server: ReturnType<typeof openServer>): Promise<Client> {
  const client = createClient({ url: 'http://x.test', fetch: server.fetch, retry: { delay: 100 } });
  await client.login({ email: 'ann@x.test', password: 'pw' });
  return client;
}

/** What a watch or a live list ends with. */
const fault = (target: EventTarget): Promise<unknown> =>
  new Promise((done) => target.addEventListener('error', (event) => done((event as CustomEvent<unknown>).detail)));

const kinds: readonly [string, (client: Client) => EventTarget][] = [
  ['a watch', (client) => client.model('book').watch()],
  ['a live list', (client) => client.model('book').live()],
];

describe.each(kinds)('%s ends with 401 where its user signs out', (_, open) => {
  test('after its socket was refused, before it connects again', async () => {
    const server = openServer();
    const client = await signedIn(server);
    const ended = fault(open(client));
    const leaving = client.logout();
    await server.reached.signOut.opened;
    // the server has ended the session already, and the client does not know it yet
    await RefusingSocket.closed.opened;
    server.signOut.open();
    server.stream.open();
    await leaving;
    expect(await ended).toMatchObject({ status: 401 });
    expect(server.streams()).not.toContain('/events/book anybody');
  });

  test('while its stream is being opened', async () => {
    useSockets(undefined);
    const server = openServer();
    const client = await signedIn(server);
    const ended = fault(open(client));
    await server.reached.stream.opened;
    server.signOut.open();
    await client.logout();
    server.stream.open();
    expect(await ended).toMatchObject({ status: 401 });
    expect(server.streams()).toEqual(['/events/book signed in']);
  });
});

test('a watch that is closed before it connects opens no socket', async () => {
  const client = await signedIn(openServer());
  const watch = client.model('book').watch();
  watch.close();
  for await (const change of watch) expect(change).toBeUndefined();
  const stopped = client.model('book').watch({ signal: AbortSignal.abort() });
  await stopped.ready;
  // what has been resolved has been followed
  await new Promise(setImmediate);
  expect(RefusingSocket.made).toEqual([]);
});
