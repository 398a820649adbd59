/** Retries: which requests are sent again, after which failures, and each carried out once by the server. */
import { createClient } from 'dossier-client';
import { type Cases, equal, failure, type Given, unique } from './case.ts';

const tokens = {
  user_id: '1',
  token: 'da',
  refresh_token: 'dr',
  token_expires: '2999-01-01',
  refresh_token_expires: '2999-01-01',
};
const signedIn = { getItem: () => JSON.stringify(tokens), setItem: () => undefined, removeItem: () => undefined };

/** `after` is the `Retry-After` of the answer; as a function it is asked for when the answer is made. */
type Step = number | 'fault' | { readonly status: number; readonly after: string | (() => string) };

/** A client whose `fetch` returns prepared answers, and the requests that it sent. */
function scripted(steps: readonly Step[], storage: typeof signedIn | null = signedIn) {
  const sent: { readonly at: number; readonly key: string | undefined; readonly method: string }[] = [];
  const fetch = async (_url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    const step = steps[Math.min(sent.length, steps.length - 1)] ?? 200;
    sent.push({
      at: performance.now(),
      key: headers.get('idempotency-key') ?? undefined,
      method: init.method ?? 'GET',
    });
    if (step === 'fault') throw new TypeError('fetch failed');
    const { status, after } = typeof step === 'number' ? { status: step, after: undefined } : step;
    const body = status === 200 ? { data: [], count: 1 } : { status: 'fail', message: 'No', err: 'no' };
    return new Response(JSON.stringify(body), {
      status,
      ...(after === undefined ? {} : { headers: { 'retry-after': typeof after === 'string' ? after : after() } }),
    });
  };
  return {
    client: createClient({ url: 'http://x.test', fetch, storage: storage ?? undefined, retry: { delay: 1 } }),
    sent,
  };
}

export const retries: Cases = {
  'network errors, 429 and 503 are retried, for reads and writes': async () => {
    for (const step of ['fault', 429, 503] as const) {
      const { client, sent } = scripted([step, step, 200]);
      await client.model('book').list();
      await client.model('book').create({});
      equal([step, sent.map(({ method }) => method)], [step, ['GET', 'GET', 'GET', 'POST']]);
      const writing = scripted([step, step, 200]);
      await writing.client.model('book').create({});
      const keys = new Set(writing.sent.map(({ key }) => key));
      equal([writing.sent.length, keys.size, /^[0-9a-f]{32}$/.test([...keys][0] ?? '')], [3, 1, true]);
    }
  },

  'each write has its own idempotency key, and reads have none': async () => {
    const { client, sent } = scripted([200]);
    const book = client.model('book');
    await Promise.all([book.create({}), book.set('1', {}), book.patch('1', {}), book.update('1', {}), book.call('f')]);
    await Promise.all([book.remove('1'), book.upsert({}, { on: ['a'] }), book.bulk([]), client.batch([])]);
    equal([new Set(sent.map(({ key }) => key)).size, sent.length], [9, 9]);
    await Promise.all([book.list(), book.query({}), book.aggregate([]), client.me(), book.rights()]);
    equal(
      sent.slice(9).map(({ key }) => key),
      [undefined, undefined, undefined, undefined, undefined],
    );
  },

  'a write is not sent again after other statuses': async () => {
    for (const status of [400, 403, 404, 408, 409, 410, 412, 413, 422, 500, 502, 504, 507]) {
      const { client, sent } = scripted([{ status, after: '0' }, 200]);
      equal([(await failure(client.model('book').create({})))['status'], sent.length], [status, 1]);
    }
  },

  'a request that may not be repeated safely is sent once': async () => {
    const { client, sent } = scripted(['fault', 200], null);
    equal((await failure(client.model('book').create({})))['status'], 0);
    const login = scripted(['fault', 200]);
    equal((await failure(login.client.login({ email: 'a', password: 'b' })))['status'], 0);
    const pipeline = scripted(['fault', 200]);
    equal((await failure(pipeline.client.model('book').aggregate([{ $out: 'x' }])))['status'], 0);
    equal([sent.length, login.sent.length, pipeline.sent.length], [1, 1, 1]);
  },

  'Retry-After is obeyed, as seconds and as a date': async () => {
    const { client, sent } = scripted([{ status: 503, after: '1' }, 200]);
    const dated = scripted([{ status: 429, after: () => new Date(Date.now() + 2000).toUTCString() }, 200]);
    await Promise.all([client.model('book').list(), dated.client.model('book').list()]);
    equal((sent[1]?.at ?? 0) - (sent[0]?.at ?? 0) >= 990, true);
    equal((dated.sent[1]?.at ?? 0) - (dated.sent[0]?.at ?? 0) >= 500, true);
    // too long to wait for
    const far = scripted([{ status: 429, after: '3600' }, 200]);
    equal([(await failure(far.client.model('book').list()))['status'], far.sent.length], [429, 1]);
  },

  'retries are limited, and a signal ends the wait': async () => {
    const { client, sent } = scripted([503]);
    equal([(await failure(client.model('book').list()))['status'], sent.length], [503, 5]);
    const waiting = scripted([{ status: 503, after: '100' }]);
    const stop = new AbortController();
    const asked = waiting.client.model('book').list({ signal: stop.signal });
    const look = setInterval(() => {
      if (waiting.sent.length > 0) stop.abort(new Error('enough'));
    }, 10);
    equal([(await failure(asked))['message'], waiting.sent.length], ['enough', 1]);
    clearInterval(look);
  },

  'a retry waits while the first attempt is still under way': async () => {
    const { client, sent } = scripted(['fault', { status: 409, after: '0' }, 200]);
    await client.model('book').create({});
    equal(sent.length, 3);
  },

  'a write whose answer was lost is carried out once': async ({ url, people }: Given) => {
    let losses = 0;
    const fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
      const answer = await globalThis.fetch(address, init);
      const isFirst = init.method === 'POST' && address.endsWith('/api/author') && losses++ === 0;
      if (isFirst) throw new TypeError('the connection is lost');
      return answer;
    };
    const client = createClient({ url, fetch, retry: { delay: 1 } });
    await client.login(people.ann);
    const name = unique('once');
    const made = await client.model('author').create({ name });
    equal([losses, made['name'], await client.model('author').count({ filter: { name } })], [2, name, 1]);
  },

  'a body that is larger than the server accepts is not sent': async ({ url, people }: Given) => {
    const sent: string[] = [];
    const fetch = (address: string, init?: RequestInit): Promise<Response> => {
      sent.push(new URL(address).pathname);
      return globalThis.fetch(address, init);
    };
    const client = createClient({ url, fetch });
    await client.login(people.ann);
    const refused = await failure(client.model('book').create({ title: 'é'.repeat(600_000) }));
    equal([refused['status'], /\d+ bytes, and the server accepts 1048576/.test(String(refused['err']))], [413, true]);
    equal(sent, ['/login', '/health']);
    await client.model('book').create({ title: 'x'.repeat(100_000) });
    equal(sent, ['/login', '/health', '/api/book']);
  },
};
