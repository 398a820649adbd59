/**
 * Tools of MCP do not leak: two servers that differ only in data that a caller may not see give every call the same result, byte for
 * byte. The calls are the random requests of `twins.test.ts`, as an agent makes them. LEAKS_REQUESTS and LEAKS_SEED are as there.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { repeated } from '../../support/fixtures/people.ts';
import { ids, openTwin, type Twin } from '../../support/fixtures/twins.ts';
import { message } from '../../support/mcp.ts';
import { numbersFrom } from '../../support/numbers.ts';
import { type ReadRequest, requestsFrom } from './random.ts';

type Json = Readonly<Record<string, unknown>>;
interface Call {
  readonly name: string;
  readonly given: Json;
}

const count = Number(process.env['LEAKS_REQUESTS'] ?? 80);
const seed = Number(process.env['LEAKS_SEED'] ?? 1);

/** Parameters of an address as the options of the client. */
function optionsOf(query: URLSearchParams): Json {
  const filter: Record<string, unknown> = {};
  const search: Record<string, string> = {};
  const options: Record<string, unknown> = {};
  for (const [name, value] of query) {
    const [, list = '', path = ''] = /^(filter|search)\[(.*)\]$/.exec(name) ?? [];
    if (list === 'filter') filter[path] = conditionOf(value);
    else if (list === 'search') search[path] = value;
    else if (name === 'limit') options['limit'] = Number(value);
    else if (name === 'fields' || name === 'populate') options[name] = value.split(',');
    else if (['sort', 'after', 'search'].includes(name)) options[name] = value;
  }
  return {
    ...(Object.keys(search).length === 0 ? {} : { search }),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
    ...options,
  };
}

/** `$gt:5` as an object. */
function conditionOf(text: string): unknown {
  const [, operator, value = ''] = /^(\$\w+):(.*)$/.exec(text) ?? [];
  if (operator === undefined) return text;
  return { [operator]: operator === '$in' ? [value] : value };
}

/** Options that a tool has; the others are left out, since the refusal of a name says nothing of the data. */
const optionsFor: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'search', 'sort', 'fields', 'populate', 'limit', 'after'],
  get: ['fields', 'populate'],
  count: ['filter'],
  distinct: ['filter', 'search', 'limit'],
};
const only = (name: string, options: Json): Json =>
  Object.fromEntries(Object.entries(options).filter(([key]) => optionsFor[name]?.includes(key)));

/** The call of a tool that says the same; undefined for a request that no tool makes. */
function callOf({ path, body }: ReadRequest): Call | undefined {
  const { pathname, searchParams } = new URL(path, 'http://twin.test');
  const [, endpoint = '', model = '', part] = pathname.split('/').map(decodeURIComponent);
  const options = optionsOf(searchParams);
  const as = (name: string, more: Json = {}): Call => ({ name, given: { model, ...only(name, options), ...more } });
  if (endpoint === 'api') return part === undefined ? as('find') : as('get', { id: part });
  if (endpoint === 'query') return as('find', { filter: (body as { query: unknown }).query });
  if (endpoint === 'count') return as('count');
  if (endpoint === 'distinct') return as('distinct', { path: part });
  if (endpoint === 'aggregate')
    return (body as unknown[]).length === 0 ? undefined : as('aggregate', { pipeline: body });
  if (endpoint !== 'model' || part !== undefined) return undefined;
  return model === '' ? { name: 'list_models', given: {} } : as('describe_model');
}

async function resultOf(twin: Twin, caller: 'anonymous' | 'eve', method: string, params: Json): Promise<string> {
  const headers = caller === 'eve' ? twin.eve : {};
  const { status, text } = await repeated(() => message(twin, { jsonrpc: '2.0', id: 1, method, params }, headers));
  return `${status} ${text.replace(/\(request [^)]*\)/, '')}`;
}

describe('tools over twins', () => {
  let twins: readonly [Twin, Twin];
  beforeAll(async () => {
    twins = [await openTwin(0, false), await openTwin(1, false)];
  });

  test.each(['anonymous', 'eve'] as const)(
    `${count} calls of %s`,
    async (caller) => {
      const both = (method: string, params: Json): Promise<string[]> =>
        Promise.all(twins.map((twin) => resultOf(twin, caller, method, params)));
      const [tools, same] = await both('tools/list', {});
      expect(same).toBe(tools);
      const next = requestsFrom(numbersFrom(seed * 7919), ids);
      const cursors: Call[] = [];
      let refused = 0;
      for (let at = 0; at < count;) {
        const call = cursors.shift() ?? callOf(next());
        if (call === undefined) continue;
        at++;
        const [one = '', other] = await both('tools/call', { name: call.name, arguments: call.given });
        expect({ call, result: other }).toEqual({ call, result: one });
        expect([call, one]).not.toEqual([call, expect.stringContaining('CANARY')]);
        if (!one.startsWith('200 ') || one.includes('"isError":true')) refused++;
        const cursor = /"next_cursor":"([^"]*)"/.exec(one)?.[1];
        if (cursor !== undefined) cursors.push({ name: call.name, given: { ...call.given, after: cursor } });
      }
      // a generator whose calls are refused proves nothing
      expect(refused).toBeLessThan(count * 0.9);
    },
    60_000 + count * 100,
  );
});
