/** The requests of routes, and their answers. */
import type { Call } from './sender.ts';

/** What a request of any route may have. */
export interface RouteRequest {
  readonly params?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** @param name the method and path @throws TypeError for a name that is none, and for a part of the path that is missing */
export function routeCall(name: string, { params = {}, query = {}, body, headers = {}, signal }: RouteRequest): Call {
  const [, method, path] = /^(GET|POST|PUT|PATCH|DELETE) (\/\S+)$/.exec(name) ?? [];
  if (method === undefined || path === undefined)
    throw new TypeError(`${JSON.stringify(name)} is no route: write its method and path, such as "GET /reports/:year"`);
  const search = parametersOf(query).join('&');
  return {
    method,
    path: pathWith(name, path, params) + (search === '' ? '' : `?${search}`),
    ...(body === undefined ? {} : { body }),
    headers,
    signal,
    repeat: method === 'GET' ? 'safe' : 'keyed',
  };
}

const pathWith = (name: string, path: string, params: object): string =>
  path.replace(/:(\w+)/g, (_part, one: string) => {
    const value: unknown = (params as Readonly<Record<string, unknown>>)[one];
    const text = textOf(value);
    // a URL leaves out parts of dots, however they are written
    if (value === undefined || value === null || ['', '.', '..'].includes(text))
      throw new TypeError(`${name}: params.${one} must be a text or a number that a path can have`);
    return encodeURIComponent(text);
  });

/** Lists are given once for each member, and names within objects in brackets; undefined and null are left out. */
function parametersOf(query: object, within = ''): readonly string[] {
  return Object.entries(query).flatMap(([key, value]: [string, unknown]) => {
    const name = within === '' ? key : `${within}[${key}]`;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((one: unknown) => parameter(name, one));
    if (typeof value === 'object' && !(value instanceof Date)) return parametersOf(value, name);
    return [parameter(name, value)];
  });
}

const parameter = (name: string, value: unknown): string =>
  `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`;

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value));

/** The data of an answer; of one that is no JSON, its text. */
export async function routeAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!/^application\/json\b/.test(response.headers.get('content-type') ?? '')) return text;
  return (JSON.parse(text) as { readonly data?: unknown }).data;
}
