/** Checks `$rename`: the database moves a value unchanged, so both paths must accept the same values. */
import { badBody } from '../../errors/errors.ts';
import type { Field, ModelSchema } from '../../models/fields/model-schema.ts';
import { fieldAt, typeAt } from '../../models/fields/path-type.ts';
import { acceptsAllOf } from '../../models/fields/same-values.ts';

/** @param from @param to paths, not aliases @throws 400 with the reason */
export function checkRename(schema: ModelSchema, from: string, to: string): void {
  const reason = faultOf(schema, from, to);
  if (reason !== undefined) throw badBody(`$rename cannot move ${from} to ${to}: ${reason}`);
}

function faultOf(schema: ModelSchema, from: string, to: string): string | undefined {
  const [source, target] = [fieldAt(schema, from), fieldAt(schema, to)];
  if (fieldsFrom(schema, from).some(({ isRequired }) => isRequired)) return `${from} is required`;
  for (const path of [from, to])
    if (path === schema.kindKey || isImmutable(schema, path)) return `${path} cannot be changed`;
  if (target !== undefined) return acceptsAllOf(source, target) ? undefined : `${to} is declared in another way`;
  const { kind } = typeAt(schema, to);
  if (kind === 'mixed' || (kind === 'unknown' && schema.isOpen)) return undefined;
  return kind === 'unknown' ? `${to} is not in the schema` : `${to} has fields of its own`;
}

const fieldsAt = (schema: ModelSchema, paths: readonly string[]): readonly Field[] =>
  paths.map((path) => fieldAt(schema, path)).filter((field) => field !== undefined);

/** The field at a path, and those of a nested object. */
const fieldsFrom = (schema: ModelSchema, path: string): readonly Field[] =>
  fieldsAt(schema, [path, ...[...schema.declared.keys()].filter((known) => known.startsWith(`${path}.`))]);

/** Whether a path, an enclosing path or a nested path is immutable. */
function isImmutable(schema: ModelSchema, path: string): boolean {
  const parts = path.split('.');
  const above = fieldsAt(
    schema,
    parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('.')),
  );
  return [...above, ...fieldsFrom(schema, path)].some(({ immutable }) => immutable !== undefined);
}
