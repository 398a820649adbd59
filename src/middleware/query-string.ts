/** Query strings and form bodies → plain data. Nothing is cut off: what is too much or not well formed is a 400. */
import { badRequest, dangerousKey, tooDeep, tooMany } from '../errors.ts';
import type { Parameter, ParameterTree } from '../language/tree.ts';

const mostParameters = 1000;
const mostLevels = 20;
const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Building = Record<string, Parameter>;

/** @throws 400 */
export function parseQueryString(text: string | null | undefined): ParameterTree {
  const root = empty();
  // Express asks with null where there is no query string
  if (text === '' || text === null || text === undefined) return root;
  const pairs = text.split('&');
  if (pairs.length > mostParameters) throw tooMany('parameters', mostParameters);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    place(root, partsOf(name), equals === -1 ? '' : decoded(pair.slice(equals + 1)), name);
  }
  return root;
}

const empty = (): Building => Object.create(null) as Building;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('a parameter is not well encoded');
  }
}

/** `a[b][]` → `a`, `b` and the mark of a list. */
function partsOf(name: string): readonly string[] {
  const open = name.indexOf('[');
  if (open <= 0) return checked([name]);
  const brackets = name.slice(open);
  if (!/^(\[[^[\]]*\])+$/.test(brackets))
    throw badRequest(`the parameter ${JSON.stringify(name.slice(0, 100))} has odd brackets`);
  const parts = checked([name.slice(0, open), ...brackets.slice(1, -1).split('][')]);
  if (parts.length > mostLevels) throw tooDeep('a parameter', mostLevels);
  return parts;
}

function checked(parts: string[]): readonly string[] {
  for (const part of parts) if (inherited.has(part) || part.includes('\0')) throw dangerousKey(part);
  return parts;
}

function place(root: Building, parts: readonly string[], value: string, name: string): void {
  let level = root;
  const isList = parts.length > 1 && parts.at(-1) === '';
  const path = isList ? parts.slice(0, -1) : parts;
  for (const part of path.slice(0, -1)) {
    const inner = level[part];
    if (inner === undefined) level[part] = empty();
    else if (typeof inner === 'string' || Array.isArray(inner)) throw mixed(name);
    level = level[part] as Building;
  }
  const last = path.at(-1) ?? '';
  const before = level[last];
  if (before === undefined) level[last] = isList ? [value] : value;
  else if (typeof before === 'string') level[last] = [before, value];
  else if (Array.isArray(before)) level[last] = [...(before as readonly Parameter[]), value];
  else throw mixed(name);
}

const mixed = (name: string): Error =>
  badRequest(`the parameter ${name.split('[', 1)[0] ?? name} is given both with and without brackets`);

/** A form's fields as a body: names in brackets become objects, `[0]`, `[1]` … lists. */
export function formBody(tree: Parameter): unknown {
  if (typeof tree === 'string') return tree;
  if (Array.isArray(tree)) return tree.map(formBody);
  const entries = Object.entries(tree as ParameterTree);
  if (entries.length > 0 && entries.every(([key], at) => key === String(at)))
    return entries.map(([, value]) => formBody(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, formBody(value)]));
}
