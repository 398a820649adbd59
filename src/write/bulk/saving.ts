/** Prepares operations of models whose changes load and save: each document is changed by itself, as `/update` does. */
import { type Row, storedRow } from '../../models/mongoose.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import type { Filter } from '../../query/filter.ts';
import { type Change, refuseOverlaps } from '../plan/change.ts';
import { commitNew, planNew, refuseNew, unsavedDocument } from '../plan/new-document.ts';
import type { Replacement } from '../plan/replaced-document.ts';
import { loadAndSave } from '../save.ts';
import { readTypes } from '../types.ts';
import { mayRemoveAdmin } from '../user-rules.ts';
import type { BulkOperation } from './operations.ts';
import { replaced } from './replacement.ts';
import type { SavedStep, Saving } from './step-types.ts';
import type { BulkActor } from './time.ts';

type Of<K extends BulkOperation['kind']> = Extract<BulkOperation, { kind: K }>;
type Prepared = Pick<SavedStep, 'kind' | 'many' | 'filter' | 'saving'> & Partial<Pick<SavedStep, 'mayRemoveAdmin'>>;

/** Creates a document with the model's save middleware. @param values from the caller, checked */
const created = async (actor: BulkActor, values: Row): Promise<Row> =>
  commitNew(actor, await planNew(actor, values, readTypes(values, actor.model.schema, true)), actor.intent);

/** The part of an upsert that creates a document where nothing matches. */
const creating = (actor: BulkActor, upsert: boolean, values: () => Row): Pick<Saving, 'create'> =>
  upsert ? { create: async () => created(actor, fieldsIn(values(), actor.model, actor.principal, 'new')) } : {};

export const savedInsertion = (actor: BulkActor, { document }: Of<'insert'>): Prepared => ({
  kind: 'insert',
  many: false,
  filter: {},
  saving: { create: () => created(actor, document) },
});

interface PreparedUpdate {
  readonly operation: Of<'update'>;
  /** The documents that it may change. */
  readonly filter: Filter;
  readonly change: Change;
  /** The values of the document that an upsert creates. */
  readonly created: () => Row;
}

/** @throws 400 where two operators change one path */
export function savedUpdate(actor: BulkActor, given: PreparedUpdate): Prepared {
  const { operation, filter, change } = given;
  const { silent } = actor.intent;
  refuseOverlaps(change);
  return {
    kind: 'change',
    many: operation.many,
    filter,
    saving: {
      change: (one) => loadAndSave(actor, { ...change, filter: one, silent }),
      ...creating(actor, operation.upsert, given.created),
    },
  };
}

/**
 * Fields that the replacement does not have become their defaults, or are removed.
 * @param filter the documents that it may change @param seed the values of the filter, for a new document
 */
export async function savedReplacement(
  actor: BulkActor,
  { replacement, upsert }: Of<'replace'>,
  { filter, inOwnRows, seed }: { readonly filter: Filter; readonly inOwnRows: boolean; readonly seed: Row },
): Promise<Prepared> {
  await refuseNew(actor, replacement, readTypes(replacement, actor.model.schema, true));
  const { silent } = actor.intent;
  const row = storedRow(unsavedDocument(actor, replacement));
  const set = (stored: Row): Replacement => {
    const after = replaced(actor, { row, inOwnRows }, stored);
    // Mongoose sets the time
    const names = new Set([...Object.keys(stored), ...Object.keys(after)].filter((name) => name !== 'updatedAt'));
    const changed = [...names].filter((name) => !Object.hasOwn(after, name) || after[name] !== stored[name]);
    const isGiven = (name: string): boolean => Object.hasOwn(replacement, name) || !Object.hasOwn(after, name);
    return {
      set: Object.fromEntries(changed.filter(isGiven).map((name) => [name, replacement[name]])),
      made: Object.fromEntries(changed.filter((name) => !isGiven(name)).map((name) => [name, after[name]])),
    };
  };
  return {
    kind: 'change',
    many: false,
    filter,
    mayRemoveAdmin: mayRemoveAdmin(actor.model, { admin: row['admin'] }),
    saving: {
      change: (one) => loadAndSave(actor, { filter: one, set, operators: {}, silent }),
      ...creating(actor, upsert, () => ({ ...seed, ...replacement })),
    },
  };
}
