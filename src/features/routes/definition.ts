/** Checks what a file gives as a route. */
import { suggestion } from '../../core.ts';
import type { RouteDefinition, RouteInput, RouteMethod } from '../../define/contract.ts';
import { readDuration } from '../../models/options/durations.ts';
import { DefinitionFault, valueText } from '../../models/schemas/faults.ts';

/** A route whose form has been checked. */
export interface CheckedRoute extends Omit<RouteDefinition, 'handler' | 'timeout'> {
  /** The method and path, which name it. */
  readonly name: string;
  /** The names of the parameters in the path. */
  readonly parameters: readonly string[];
  /** Milliseconds; undefined for the limit of other requests. */
  readonly timeoutMs: number | undefined;
  readonly handler: (input: RouteInput) => unknown;
}

const keys = [
  'method',
  'path',
  'access',
  'summary',
  'params',
  'query',
  'body',
  'answer',
  'timeout',
  'handler',
] as const satisfies readonly (keyof RouteDefinition)[];
const methods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const maxSummary = 200;
const maxTimeoutMs = 600_000;

/** @throws DefinitionFault */
export function checkedRoute(given: unknown): CheckedRoute {
  if (typeof given !== 'object' || given === null)
    throw new DefinitionFault(
      `the default export must be defineRoute({…}) or a list of them, got ${valueText(given)}; begin the names of other files with _`,
    );
  const route = given as Partial<RouteDefinition>;
  const unknown = Object.keys(route).find((key) => !(keys as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw new DefinitionFault(
      `${unknown} is no key of a route, which are ${keys.join(', ')}${suggestion(unknown, keys)}`,
    );
  const { method, path, access, summary, timeout, handler } = route;
  if (method === undefined || !methods.includes(method))
    throw new DefinitionFault(`method must be one of ${methods.join(', ')}, got ${valueText(method)}`);
  const parameters = parametersIn(path);
  const name = `${method} ${String(path)}`;
  if (access === undefined)
    throw new DefinitionFault(`${name} has no access: write 'all', 'user', 'admin', { group } or { model, letter }`);
  if (typeof handler !== 'function') throw new DefinitionFault(`${name}: handler must be a function`);
  if (summary !== undefined && (typeof summary !== 'string' || summary.length > maxSummary))
    throw new DefinitionFault(`${name}: summary must be text of at most ${maxSummary} characters`);
  if (route.body !== undefined && method === 'GET') throw new DefinitionFault(`${name}: a GET has no body`);
  const timeoutMs = timeout === undefined ? undefined : timeoutOf(name, timeout);
  return { ...route, method, path: String(path), access, name, parameters, timeoutMs, handler: handler.bind(route) };
}

const literal = /^[A-Za-z0-9._~-]+$/;
const parameter = /^:([A-Za-z_][A-Za-z0-9_]*)$/;
const reservedNames: ReadonlySet<string> = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** @returns the names of the parameters @throws DefinitionFault */
function parametersIn(path: unknown): readonly string[] {
  const refuse = (why: string): never => {
    throw new DefinitionFault(`path ${why}, such as '/reports/:year', got ${valueText(path)}`);
  };
  if (typeof path !== 'string' || !path.startsWith('/') || path === '/') return refuse('must begin with / and a name');
  const [, first = '', ...rest] = path.split('/');
  if (!literal.test(first)) return refuse('must begin with / and a name');
  const names: string[] = [];
  for (const part of [first, ...rest]) {
    const name = parameter.exec(part)?.[1];
    if (name === undefined && !literal.test(part))
      return refuse('must have parts of letters, digits, ., _, ~ and -, or :name');
    if (part === '.' || part === '..' || reservedNames.has(name ?? part))
      return refuse(`must not have the part ${JSON.stringify(part)}`);
    if (name === undefined) continue;
    if (names.includes(name)) return refuse(`must not have :${name} twice`);
    names.push(name);
  }
  return names;
}

function timeoutOf(name: string, timeout: unknown): number {
  try {
    const ms = readDuration(`${name}: timeout`, timeout);
    if (ms <= maxTimeoutMs) return ms;
  } catch (error) {
    throw new DefinitionFault((error as Error).message);
  }
  throw new DefinitionFault(`${name}: timeout must be at most ${maxTimeoutMs / 60_000}m`);
}
