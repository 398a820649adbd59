/** Which immutable fields a change names with other values than the document keeps, for the notice of its answer. */
import type { ModelActor } from '../../context.ts';
import { castJson } from '../../models/fields/cast.ts';
import { schemaOfKind } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { isPlainObject, valueAt } from '../../models/plain-object.ts';
import { policyFor } from '../../policy/policy.ts';
import { readableIn } from '../../policy/readable.ts';
import { rowTest } from '../../query/row-test.ts';
import { rowAfter } from '../../query/row-update.ts';
import type { Update } from '../../query/updates.ts';
import { isImmutable } from '../patch/immutable.ts';

/** What an update does to an immutable path, or to a part of its value. */
interface Naming {
  readonly path: string;
  readonly operator: string;
  readonly operand: unknown;
}

/**
 * The paths that a change names and the document keeps, because their schema declares them immutable. A value that the caller may not read
 * counts as another one, so that a notice confirms no guess.
 * @param update of the caller @param row the document after the change
 */
export function ignoredPaths(
  actor: Pick<ModelActor, 'model' | 'principal'>,
  update: Update,
  row: Row,
): readonly string[] {
  const { model, principal } = actor;
  const named = namedImmutables(model.schema, update, row[model.schema.kindKey]);
  if (named.length === 0) return [];
  const readable = readableIn(policyFor(principal, model), row);
  const isIgnored = (one: Naming): boolean => !readable.shows(one.path) || changes(actor, one, row);
  return [...new Set(named.filter(isIgnored).map(({ path }) => path))].sort();
}

/** What an update does to immutable paths. @param kind of the document; undefined for those of all kinds */
export function namedImmutables(schema: ModelSchema, update: Update, kind?: unknown): readonly Naming[] {
  // those of kinds are among them
  if (schema.immutables.size === 0) return [];
  const { immutables } = kind === undefined ? schema : schemaOfKind(schema, kind);
  return Object.entries(update).flatMap(([operator, operands]) =>
    // nothing is inserted
    operator === '$setOnInsert'
      ? []
      : Object.entries(operands).flatMap(([path, operand]) =>
          [...immutables.keys()].flatMap((immutable) => namingOf(schema, immutable, { path, operator, operand })),
        ),
  );
}

function namingOf(schema: ModelSchema, immutable: string, { path, operator, operand }: Naming): readonly Naming[] {
  const place = withoutPositions(schema, path);
  if (place === immutable || (operator === '$set' && place.startsWith(`${immutable}.`)))
    return [{ path, operator, operand }];
  if (operator !== '$set' || !immutable.startsWith(`${place}.`) || !isPlainObject(operand)) return [];
  const rest = immutable.slice(place.length + 1);
  const value = valueAt(operand, rest);
  return value === undefined ? [] : [{ path: `${path}.${rest}`, operator, operand: value }];
}

/** Whether a document would have another value, if the path were not immutable. */
function changes({ model }: Pick<ModelActor, 'model'>, { path, operator, operand }: Naming, row: Row): boolean {
  const { schema } = model;
  if (operator === '$set') return !isStored(schema, withoutPositions(schema, path), operand, valueAt(row, path));
  if (!isImmutable(modelOf(model).hydrate(row), schema, path)) return false;
  try {
    return !isEqual(valueAt(rowAfter(row, { [operator]: { [path]: operand } }, new Date(0)), path), valueAt(row, path));
  } catch {
    // the database would refuse it
    return true;
  }
}

/** Whether a value of a body is what is stored. A nested document of the body may lack fields of the stored one. */
function isStored(schema: ModelSchema, path: string, sent: unknown, stored: unknown): boolean {
  if (isPlainObject(sent) && isPlainObject(stored))
    return Object.entries(sent).every(([name, value]) => isStored(schema, `${path}.${name}`, value, stored[name]));
  if (Array.isArray(sent) && Array.isArray(stored))
    return (
      sent.length === stored.length && sent.every((member, at) => isStored(schema, path, member as unknown, stored[at]))
    );
  return isEqual(castOr(schema, path, sent), stored);
}

/** A value as a setter and the type of its path store it. */
function castOr(schema: ModelSchema, path: string, value: unknown): unknown {
  try {
    return castJson(schema, path, value);
  } catch {
    return value;
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  rowTest({ filter: { value: { $eq: one ?? null } } })({ value: other ?? null });
