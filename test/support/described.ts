/** Holds every answer that a test sees against the OpenAPI document of the server that gave it: path, status, type and body. */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openApi } from '../../src/docs/openapi/document.ts';
import { isDescribed, type OperationGroup } from '../../src/operations/operation.ts';
import { statusRows } from '../../src/operations/statuses.ts';
import { enabledGroups } from '../../src/operations/switched-on.ts';
import { principalOf } from '../../src/policy/principal.ts';
import type { DossierServer } from '../../src/server.ts';
import { operationGroups } from '../../src/start/operations.ts';

type Schemas = Readonly<Record<string, object>>;
interface Operation {
  /** The answer to `explain=true`. */
  readonly 'x-explained'?: object;
  readonly responses: Readonly<Record<string | number, { readonly content?: Readonly<Record<string, MediaType>> }>>;
}
interface MediaType {
  readonly schema: object;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Schemas & { readonly _failure: object } };
}

/** What is known of an answer. */
interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

interface Checker {
  /** The server has hooks, and what a hook answers is its own. */
  readonly hooked: boolean;
  readonly paths: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly document: Document;
  /** The faults of a body, as a text; empty when it has none. */
  readonly faults: (schema: object, body: unknown) => string;
}

/** The groups that the document describes. */
export const describedGroups = operationGroups.filter(isDescribed);

const checkers = new Map<string, () => Checker>();

/**
 * Until the server closes, its answers are held against its document.
 * @param groups all operations of the server
 */
export function described(server: DossierServer, groups: readonly OperationGroup[]): void {
  const { origin } = new URL(server.url);
  let own: Checker | undefined;
  checkers.set(origin, () => (own ??= checkerOf(server, groups)));
  // another process may listen on the same port next
  server.http.once('close', () => checkers.delete(origin));
}

/** `fetch`, with the answer held against the document. @throws when the answer is not as described */
export async function fetchDescribed(url: string | URL, init: RequestInit = {}): Promise<Response> {
  // judging an answer takes this thread so long that a connection which was kept may just be closing
  const headers = new Headers(init.headers);
  headers.set('connection', 'close');
  const response = await fetch(url, { ...init, headers });
  if (!checkers.has(new URL(url).origin) || isEventStream(response.headers)) return response;
  const text = await response.clone().text();
  checkDescribed(url, { method: init.method ?? 'GET', status: response.status, headers: response.headers, text });
  return response;
}

/** Holds one answer against the document of its server; a stream of events has no end to judge. @throws when it is not as described */
export function checkDescribed(
  url: string | URL,
  { headers, ...answer }: { method: string; status: number; headers: Headers; text: string },
): void {
  const at = new URL(url);
  const checker = checkers.get(at.origin);
  if (checker === undefined || isEventStream(headers)) return;
  check(checker(), { ...answer, url: at, type: typeOf(headers) });
}

const typeOf = (headers: Headers): string => (headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
const isEventStream = (headers: Headers): boolean => typeOf(headers) === 'text/event-stream';

/** Everything that a caller with all rights may see. */
function checkerOf({ services }: DossierServer, all: readonly OperationGroup[]): Checker {
  const { registry, config, settings, interceptors } = services;
  const groups = registry.served.flatMap(({ options }) => [...options.perms.keys()]);
  const user = { _id: '', id: '', email: '', admin: true, groups };
  const steps = openApi({
    groups: enabledGroups(all.filter(isDescribed), settings),
    interceptors,
    models: [...registry.served, ...registry.own],
    principal: principalOf(user),
    url: undefined,
  });
  const document = resultOf(steps) as unknown as Document;
  const ofAccounts = config.signed_up !== undefined || config.verified !== undefined;
  const hooked = ofAccounts || Object.keys({ ...config.pre_hooks, ...config.post_hooks }).length > 0;
  return { hooked, document, paths: patternsOf(document), faults: faultsBy(document) };
}

/** The result of a computation in steps. */
function resultOf<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Paths without parameters come before those with some. */
const patternsOf = ({ paths }: Document): Checker['paths'] =>
  Object.keys(paths)
    .sort((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`, 'i') }));

/** Validators by their schemas with all that these refer to: the servers of a worker have most of them in common. */
const compiled = new Map<string, ValidateFunction>();
/** The names of named schemas, by the schemas with all that they refer to. Each is compiled once, whatever refers to it. */
const parts = new Map<string, string>();
const ajv = addFormats.default(
  new Ajv2020({ strict: false, meta: false, validateSchema: false, inlineRefs: false, code: { optimize: false } }),
);
// RFC 3339 has no years beyond 9999; ISO 8601, as JSON.stringify writes it, has them with a sign and six digits
ajv.addFormat('date-time', (text) => new Date(text).toJSON() === text);

const reference = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;

/** The check of bodies against a part of the document, compiled when its first answer comes. */
function faultsBy({ components }: Document): Checker['faults'] {
  const known = new Map<object, ValidateFunction>();
  const names = new Map<string, string>();
  /** A schema as text, with the names of the parts that it refers to. */
  const textOf = (schema: object): string =>
    JSON.stringify(schema).replace(reference, (_, name: string) => `"$ref":"${partOf(name)}"`);
  const partOf = (name: string): string => {
    const schema = components.schemas[name];
    const found = names.get(name);
    if (found !== undefined || schema === undefined) return found ?? name;
    const key = `${name} ${JSON.stringify({ schema, ...referred(schema, components) })}`;
    const part = parts.get(key) ?? `part${parts.size}`;
    names.set(name, part);
    if (!parts.has(key)) {
      parts.set(key, part);
      ajv.addSchema(JSON.parse(textOf(schema)) as object, part);
    }
    return part;
  };
  return (schema, body) => {
    const validate = known.get(schema) ?? compiledOf(textOf(schema));
    known.set(schema, validate);
    return validate(body) ? '' : ajv.errorsText(validate.errors, { separator: '\n' });
  };
}

/** @param schema as text */
function compiledOf(schema: string): ValidateFunction {
  const validate = compiled.get(schema) ?? ajv.compile(JSON.parse(schema) as object);
  compiled.set(schema, validate);
  return validate;
}

/** The named schemas that a part of the document refers to, itself or through others. */
function referred(part: object, { schemas }: Document['components'], found: Record<string, object> = {}): Schemas {
  for (const [, name = ''] of JSON.stringify(part).matchAll(reference)) {
    const schema = schemas[name];
    if (schema === undefined || found[name] !== undefined) continue;
    found[name] = schema;
    referred(schema, { schemas }, found);
  }
  return found;
}

/** Statuses that any path may answer with a failure, as the reference lists them. */
const failures: ReadonlySet<number> = new Set(statusRows.map(([status]) => status));

/** What the document leaves out of what succeeds: itself, the pages beside it, and preflights. */
const isOutside = ({ method, url, status }: Seen): boolean =>
  /^\/($|docs(\/|$)|console(\/|$)|openapi\.json$|llms\.txt$)/i.test(url.pathname) ||
  (method === 'OPTIONS' && status === 204);

function check(checker: Checker, seen: Seen): void {
  const fault = seen.status >= 400 ? failureFault(checker, seen) : successFault(checker, seen);
  const { method, url, status, type, text } = seen;
  if (fault !== '' && !checker.hooked)
    throw new Error(`${method} ${url.pathname} answered ${status} ${type}: ${fault}\n${text.slice(0, 1500)}`);
}

/** Statuses of requests that no operation sees: they arrive too slowly or too large, expect too much, or have another method. */
const beforeOperations: ReadonlySet<number> = new Set([405, 408, 417, 431]);

/**
 * Failures are alike on all paths, also where the document has none. Functions of models refuse with any status; all other statuses
 * are those that the operation declares.
 */
function failureFault(checker: Checker, seen: Seen): string {
  const { method, status, type, text } = seen;
  const isOfModel = text.startsWith('{"status":"fail","message":"Refused"');
  if (!failures.has(status) && !isOfModel) return 'the reference has no such status';
  const declared = operationOf(checker, seen)?.operation.responses;
  const isOther = isOfModel || beforeOperations.has(status) || (status === 501 && isExplained(seen));
  if (declared !== undefined && declared[status] === undefined && !isOther)
    return `the document has only ${Object.keys(declared).join()}`;
  if (method === 'HEAD') return '';
  if (type !== 'application/json') return 'a failure is JSON';
  // an operation of another protocol has the failures of that, too
  const own = declared?.[status]?.content?.[type]?.schema;
  return checker.faults(own ?? checker.document.components.schemas._failure, JSON.parse(text));
}

interface Found {
  readonly path: string;
  readonly verb: string;
  readonly operation: Operation;
}

/** The operation that a request asks for, when the document has it. */
function operationOf({ paths, document }: Checker, { method, url }: Seen): Found | undefined {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const { pattern, path } of paths) {
    const operation = document.paths[path]?.[verb];
    if (operation !== undefined && pattern.test(url.pathname)) return { path, verb, operation };
  }
  return undefined;
}

const isExplained = ({ url: { searchParams } }: Seen): boolean =>
  ['1', 'true'].includes(searchParams.get('explain') ?? '');

function successFault(checker: Checker, seen: Seen): string {
  const { method, status, type, text } = seen;
  const found = operationOf(checker, seen);
  if (found === undefined) return isOutside(seen) ? '' : 'the document has no such path or method';
  const { responses } = found.operation;
  const response = responses[status];
  if (response === undefined) return `the document has only ${Object.keys(responses).join()}`;
  if (response.content === undefined) return text === '' ? '' : 'the document has no body here';
  const own = isExplained(seen) ? found.operation['x-explained'] : undefined;
  if (own !== undefined) return method === 'HEAD' ? '' : checker.faults(own, JSON.parse(text));
  const content = response.content[type];
  if (content === undefined) return `the document has only ${Object.keys(response.content).join()}`;
  if (method === 'HEAD') return '';
  const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
  return checker.faults(content.schema, body);
}
