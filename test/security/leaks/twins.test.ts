/**
 * Reads do not leak: two servers that differ only in data that a caller may not see answer every request alike, byte for byte.
 * LEAKS_REQUESTS is the number of requests for each kind of caller, LEAKS_SEED selects them.
 */
import { repeated } from '../../support/fixtures/people.ts';
import { ids, openTwin, type Twin } from '../../support/fixtures/twins.ts';
import { numbersFrom } from '../../support/numbers.ts';
import { type ReadRequest, requestsFrom } from './random.ts';

type Caller = 'anonymous' | 'eve';

const count = Number(process.env['LEAKS_REQUESTS'] ?? 80);
const seed = Number(process.env['LEAKS_SEED'] ?? 1);

/** Headers that differ between any two answers. */
const ofRequest: ReadonlySet<string> = new Set(['date', 'x-cache', 'x-request-id']);

/** An answer without its time, its request id and `x-cache`: the two servers receive changes at different times. */
async function answer(twin: Twin, caller: Caller, { method, path, body }: ReadRequest): Promise<object> {
  const headersOf = caller === 'eve' ? twin.eve : {};
  const { status, text, ...answer } = await repeated(() => twin.send(method, path, { body, headers: headersOf }));
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !ofRequest.has(name)));
  return { status, headers, text: text.replace(/"request_id":"[^"]*"/, '') };
}

/** The request for the page after an answer, if there is one. */
function cursorsIn(request: ReadRequest, text: string): ReadRequest[] {
  const cursor = /"next_cursor":"([^"]*)"/.exec(text)?.[1];
  if (cursor === undefined) return [];
  return [{ ...request, path: `${request.path.replace(/([?&])(page|after)=[^&]*&?/g, '$1')}&after=${cursor}` }];
}

describe.each([false, true])('with the cache %p', (cached) => {
  let twins: readonly [Twin, Twin];
  beforeAll(async () => {
    twins = [await openTwin(0, cached), await openTwin(1, cached)];
  });
  afterAll(() => Promise.all(twins.map(({ close }) => close())));

  test.each(['anonymous', 'eve'] as const)(
    `${count} requests of %s`,
    async (caller) => {
      const next = requestsFrom(numbersFrom(seed * 7919 + (cached ? 1 : 0)), ids);
      const statuses = new Map<number, number>();
      const cursors: ReadRequest[] = [];
      for (let at = 0; at < count; at++) {
        const request = cursors.shift() ?? next();
        const [one, other] = await Promise.all(twins.map((twin) => answer(twin, caller, request)));
        expect({ at, request, ...other }).toEqual({ at, request, ...one });
        const { status, text } = one as { status: number; text: string };
        cursors.push(...cursorsIn(request, text));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([status, JSON.stringify(request)]).not.toEqual([500, JSON.stringify(request)]);
      }
      // a generator whose requests are refused proves nothing
      const refused = [...statuses].reduce((sum, [status, times]) => sum + (status < 400 ? 0 : times), 0);
      expect(refused).toBeLessThan(count * 0.9);
    },
    60_000 + count * 100,
  );
});
