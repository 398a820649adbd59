/** Checks `$rename`: the database moves a value unchanged, so both paths must accept the same values. */
import { isDeepStrictEqual } from 'node:util';
import type { Schema, SchemaType } from 'mongoose';
import { badBody } from '../../errors.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { isComposed, shapeOf } from '../../models/fields/types/index.ts';

/** @param from @param to paths, not aliases @throws 400 with the reason */
export function checkRename(schema: Schema, from: string, to: string): void {
  const reason = faultOf(schema, from, to);
  if (reason !== undefined) throw badBody(`$rename cannot move ${from} to ${to}: ${reason}`);
}

function faultOf(schema: Schema, from: string, to: string): string | undefined {
  const [source, target] = [schema.path(from), schema.path(to)] as readonly (SchemaType | undefined)[];
  if (typesFrom(schema, from).some(({ isRequired }) => isRequired === true)) return `${from} is required`;
  for (const path of [from, to])
    if (path === schema.get('discriminatorKey') || isImmutable(schema, path)) return `${path} cannot be changed`;
  if (target !== undefined) return fits(source, target) ? undefined : `${to} is declared in another way`;
  const { kind } = typeAt(schema, to);
  if (kind === 'mixed' || (kind === 'unknown' && schema.get('strict') === false)) return undefined;
  return kind === 'unknown' ? `${to} is not in the schema` : `${to} has fields of its own`;
}

interface Declared {
  readonly isRequired?: boolean;
  readonly options: Readonly<Record<string, unknown>>;
}

const typesOf = (schema: Schema, paths: readonly string[]): readonly Declared[] =>
  paths.map((path) => schema.path(path) as Declared | undefined).filter((type) => type !== undefined);

/** The types at a path, and of the fields of a nested object. */
const typesFrom = (schema: Schema, path: string): readonly Declared[] =>
  typesOf(schema, [path, ...Object.keys(schema.paths).filter((known) => known.startsWith(`${path}.`))]);

/** Whether a path, an enclosing path or a nested path is immutable. */
function isImmutable(schema: Schema, path: string): boolean {
  const parts = path.split('.');
  const above = typesOf(
    schema,
    parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.')),
  );
  return [...above, ...typesFrom(schema, path)].some(({ options }) => isOn(options['immutable']));
}

/** Path options that do not restrict values. */
const harmless: ReadonlySet<string> = new Set([
  ...['index', 'unique', 'sparse', 'text', 'expires', 'default', 'get', 'select', 'alias', 'transform'],
  ...['ref', 'refPath', 'link', 'map_to'],
]);

const isOn = (option: unknown): boolean => option !== undefined && option !== null && option !== false;

/** Whether a path accepts every value of another one: the same type, validators and setters. */
function fits(source: SchemaType | undefined, target: SchemaType): boolean {
  if (shapeOf(target) !== 'any' && source?.instance !== target.instance) return false;
  const given = source?.options as Declared['options'] | undefined;
  return Object.entries(target.options as Declared['options']).every(
    ([name, value]) =>
      harmless.has(name) ||
      !isOn(value) ||
      (name === 'type' && !isComposed(target)) ||
      isDeepStrictEqual(value, given?.[name]),
  );
}
