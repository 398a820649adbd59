/** Resolves aliases, including those of nested schemas, and `id`, in a caller's path. A path that is too long is a 400. */
import type { ModelSchema } from './model-schema.ts';
import { PositionReader } from './numbered-names.ts';
import { checkPathSize } from './path-type.ts';

export const realPath = (schema: ModelSchema, path: string): string =>
  path === 'id' && !schema.hasOwnId ? '_id' : withoutAliases(schema, path);

/**
 * The name of a field beside others, for its alias; any other name stays, also that of an alias of a field elsewhere.
 * @param prefix the path of the enclosing document with a dot at its end, or empty
 */
export function nameBeside(schema: ModelSchema, prefix: string, name: string): string {
  const real = withoutAliases(schema, prefix + name);
  const rest = real.startsWith(prefix) ? real.slice(prefix.length) : name;
  return rest.includes('.') ? name : rest;
}

interface Part {
  readonly text: string;
  readonly isPosition: boolean;
}

/** Resolves aliases but not `id`. Positions in lists (`logins.0.pin`) stay where they are. */
export function withoutAliases(schema: ModelSchema, path: string): string {
  checkPathSize(path);
  const { aliases } = schema;
  // a patch may name a thousand paths, and most schemas have no alias
  if (Object.keys(aliases).length === 0) return path;
  const reader = new PositionReader(schema);
  let parts: Part[] = [];
  let name = '';
  for (const text of path.split('.')) {
    const isPosition = reader.isPosition(name, text);
    parts.push({ text, isPosition });
    if (isPosition) continue;
    name = name === '' ? text : `${name}.${text}`;
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (meant === undefined) continue;
    parts = withPositions(parts, meant);
    name = meant;
  }
  return parts.map(({ text }) => text).join('.');
}

/** The meaning of a path, with the positions of its parts; these are above the names that an alias replaces. */
function withPositions(parts: readonly Part[], meant: string): Part[] {
  const names = meant.split('.');
  const kept: Part[] = [];
  for (const part of parts) {
    if (!part.isPosition && part.text !== names.shift()) break;
    kept.push(part);
  }
  const named = kept.filter(({ isPosition }) => !isPosition).length;
  return [
    ...kept,
    ...meant
      .split('.')
      .slice(named)
      .map((text) => ({ text, isPosition: false })),
  ];
}
