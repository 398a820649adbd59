/**
 * The conflict of a unique value that a deleted document has. Lists do not show that document, so its finder would search in vain: callers who
 * may read it learn which one it is. Nothing changes for others.
 */
import type { ModelActor } from '../context.ts';
import { Failure, takenValue } from '../errors/errors.ts';
import { TakenKey } from '../models/database-errors.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { grantFor } from '../policy/grants.ts';
import { readableIn } from '../policy/readable.ts';

/** @returns the error that answers the caller: another one only where a deleted document that they may read has the value */
export async function namingHolder(actor: ModelActor, error: unknown): Promise<unknown> {
  if (!(error instanceof Failure) || !(error.cause instanceof TakenKey)) return error;
  const { model, principal, restrictions } = actor;
  const { values, collation } = error.cause;
  const paths = Object.keys(values);
  const grant = grantFor(principal, 'r', model);
  // code of the model may have written to another one
  if (grant === undefined || !isUniqueOn(model.schema, paths)) return error;
  const filter = grant.policy.filter('r', { ...values, _deleted: true }, restrictions.hook);
  // not in the unit of work, which the error has ended
  const row = await modelOf(model)
    .collection.findOne<Row>(filter, collation === undefined ? {} : { collation })
    .catch(() => null);
  if (row === null) return error;
  const readable = readableIn(grant.policy, row);
  return paths.every((path) => readable.shows(path)) ? heldByDeleted(error, model.name, String(row['_id'])) : error;
}

const isUniqueOn = (schema: ModelSchema, paths: readonly string[]): boolean =>
  paths.join() === '_id' ||
  [schema, ...schema.kinds.map((kind) => kind.schema)].some(({ indexes }) =>
    indexes.some(([fields, { unique }]) => unique === true && Object.keys(fields).join() === paths.join()),
  );

/** @param id of the deleted document */
function heldByDeleted({ status, message, reason, errors = [], ...more }: Failure, model: string, id: string): Failure {
  const held = `a deleted ${model} has this value`;
  const address = `/api/${model}/${encodeURIComponent(id)}?showDeleted=true`;
  return new Failure(status, message, reason.replace(takenValue, `${held}: GET ${address}`), {
    errors: errors.map((fault) => ({ ...fault, message: `${fault.message}, and ${held}` })),
    headers: more.headers,
    details: { ...more.details, holder: id },
  });
}
