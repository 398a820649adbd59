/** PUT with `on`: creates a document, or changes the one that has the same values in the fields of a unique index. */
import type { ModelContext } from '../context.ts';
import { deletedMatch, Failure, validationFailed } from '../errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { modelOf, type Row, sameRow } from '../models/mongoose.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { unaliased } from '../models/resolve-alias.ts';
import { requireLetter } from '../policy/grants.ts';
import { policyFor } from '../policy/policy.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { namesOf } from '../query/parameter-tree.ts';
import { valuesFrom } from './body.ts';
import { change } from './change.ts';
import { sessionOf } from './commit.ts';
import { create } from './create.ts';
import { save } from './save.ts';
import { keyIn, type UniqueIndex, uniqueIndexOn } from './unique-index.ts';
import { overtakenError, underMutex } from './unit.ts';
import type { Written } from './written.ts';

export interface Upserted extends Written {
  readonly isNew: boolean;
}

/** Maximum tries while other callers create or remove the document. */
const maxTries = 8;

/**
 * A document that the caller may neither read nor write is treated as if it were not found, and creating fails as it does for POST.
 * @throws 400, 403, 409, and 410 for a deleted document that the body does not restore
 */
export async function upsert(context: ModelContext): Promise<Upserted> {
  const { model, principal, query } = context;
  const index = uniqueIndexOn(model, policyFor(principal, model).view, namesOf(query['on'], 'on'));
  const key = await keyOf(context, index);
  for (let left = maxTries; ; left--) {
    const row = await find(context, key, index);
    const isShown = row !== null && (await mayKnow(context, row));
    try {
      if (isShown) return { ...(await changeFound(context, row, key)), isNew: false };
      const grant = requireLetter(context.principal, 'c', context.model);
      return { ...(await create({ ...context, grant })), isNew: true };
    } catch (error) {
      const isOvertaken = isShown ? isGone(error) : row === null && isTaken(error);
      if (!isOvertaken || left === 0) throw error;
      // an error ends the transaction of a unit of work
      if (context.unit?.session !== undefined) throw overtakenError(error);
    }
  }
}

const isTaken = (error: unknown): boolean =>
  error instanceof Failure && error.status === 409 && error.errors?.some(({ kind }) => kind === 'unique') === true;
const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 404;

/** The values of the body for the index. @throws 400 */
async function keyOf(context: ModelContext, index: UniqueIndex): Promise<Row> {
  const { body, model } = context;
  const found = keyIn(model, index, isPlainObject(body) ? body : {});
  if (found.faults === undefined) return found.key;
  // names the faults of the other fields, too
  await valuesFrom(context, 'new');
  throw validationFailed(found.faults);
}

async function find(context: ModelContext, filter: Filter, { collation }: Partial<UniqueIndex>): Promise<Row | null> {
  try {
    return await modelOf(context.model).collection.findOne<Row>(filter, {
      ...(collation === undefined ? {} : { collation: collation as { locale: string } }),
      ...sessionOf(context),
    });
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** Whether the caller may read or change a document, and no hook hides it. */
async function mayKnow(context: ModelContext, row: Row): Promise<boolean> {
  const { principal, model, restrictions } = context;
  const policy = policyFor(principal, model);
  if (!policy.admits('r', row) && !policy.reaches('u', row)) return false;
  const { hook } = restrictions;
  return hook === undefined || (await find(context, allOf([{ _id: row['_id'] }, hook]), {})) !== null;
}

/** @throws 410 for a deleted document that the body does not restore */
async function changeFound(context: ModelContext, row: Row, key: Row): Promise<Written> {
  const { model, principal, params } = context;
  const given = context.body as Row;
  const restores = given['_deleted'] === false || given['_deleted'] === 'false';
  if (row['_deleted'] === true && !restores) throw deletedMatch(model.name, Object.keys(key));
  const isUnchanged = (name: string): boolean => {
    const path = unaliased(model.schema, name);
    return Object.hasOwn(key, path) && sameRow({ value: row[path] }, { value: key[path] });
  };
  // a caller who may not change what identifies the document need not omit it
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => !isUnchanged(name)));
  const id = String(row['_id']);
  const found = { ...context, body, params: { ...params, id }, grant: requireLetter(principal, 'u', model) };
  // one after the other, so that none is overtaken too often
  return underMutex(context, `upsert ${model.name} ${id}`, () => (model.changesBySave ? save(found) : change(found)));
}
