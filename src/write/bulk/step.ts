/** Prepares an operation: the documents that it may change, and the command for them. */
import { activeFilter } from '../../models/deleted.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import type { Grant } from '../../policy/grants.ts';
import { policyFor } from '../../policy/policy.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import { rowAfter } from '../../query/row-update.ts';
import type { Update } from '../../query/updates.ts';
import type { ListedMutation, RowGuard } from '../contract.ts';
import { loadAndSave } from '../edit-by-save.ts';
import { writeOf } from '../mutation/middleware-context.ts';
import { guardOf, guardOfUpdate } from '../mutation/row-guard.ts';
import { castForList } from '../plan/cast-update.ts';
import { planChange, refuseOverlaps, updateOfChange } from '../plan/change.ts';
import { softDeletion } from '../plan/change.ts';
import type { DocumentChange } from '../plan/changed-document.ts';
import { namedImmutables } from '../plan/ignored.ts';
import { commitNew, newRow, planNew } from '../plan/new-document.ts';
import type { Replacement } from '../plan/replaced-document.ts';
import { changeOfReplacement, planReplacement, rowAfterReplacement, updateOfReplacement } from '../plan/replacement.ts';
import { discriminatorOf, type KindUpdate, namesOne, refuseOtherKind } from '../rules/discriminator.ts';
import { demandFilter } from '../rules/positions.ts';
import { refusesReferenced } from '../rules/referenced.ts';
import { readTypes } from '../rules/types.ts';
import { mayRemoveAdmin } from '../rules/user-rules.ts';
import type { BulkActor } from './actor.ts';
import type { BulkOperation } from './operation.ts';
import type { CommandStep, SavedStep, SaveStep, Step } from './step-types.ts';
import { seedOf, valuesOf } from './upsert.ts';

type Of<K extends BulkOperation['kind']> = Extract<BulkOperation, { kind: K }>;
type Flag = 'mayRemoveAdmin' | 'removesPermanently';
type MadeCommand = Omit<CommandStep, 'at' | Flag> & Partial<Pick<CommandStep, Flag>>;
type Made = MadeCommand | (Omit<SavedStep, 'at' | 'mayRemoveAdmin'> & Partial<Pick<SavedStep, 'mayRemoveAdmin'>>);

const makers: { readonly [K in BulkOperation['kind']]: (actor: BulkActor, operation: Of<K>) => Promise<Made> } = {
  insert,
  update,
  replace,
  delete: remove,
};

/** @throws the errors of the operation's values: casting, validation, the model's middleware */
export async function stepFor(actor: BulkActor, operation: BulkOperation, at: number): Promise<Step> {
  const make = makers[operation.kind] as (actor: BulkActor, operation: BulkOperation) => Promise<Made>;
  const made = await make(actor, operation);
  return made.saving === undefined
    ? { mayRemoveAdmin: false, removesPermanently: false, ...made, at }
    : { mayRemoveAdmin: false, ...made, at };
}

const matching = (actor: BulkActor, filter: Filter, grant: Grant, deleted: Filter | undefined): Filter =>
  grant.policy.filter(grant.letter, filter, deleted, actor.restrictions.hook);

async function insert(actor: BulkActor, { document }: Of<'insert'>): Promise<Made> {
  if (actor.model.createsBySave)
    return { kind: 'insert', many: false, filter: {}, saving: { create: () => created(actor, document) } };
  const fresh = await checkedRow(actor, document);
  guardOf(actor, 'c')?.(fresh);
  const { model } = actor;
  const none = { _id: fresh['_id'] };
  return { kind: 'insert', many: false, filter: none, fresh, act: () => ({ kind: 'insert', model, rows: [fresh] }) };
}

async function update(actor: BulkActor, operation: Of<'update'>): Promise<Made> {
  const { model, services } = actor;
  const { grant, many, upsert, positions } = operation;
  const named = Object.keys(operation.update['$setOnInsert'] ?? {});
  const change = planChange(actor, { update: ofStored(actor, operation.update), grant, named });
  const { set, flag } = change;
  const all = matching(actor, allOf([operation.filter, change.own?.filter]), grant, flag.filter);
  const common = {
    kind: 'change',
    many,
    filter: all,
    mayRemoveAdmin: mayRemoveAdmin(model, set),
    ...namingIn(actor, operation.update),
    ...(flag.deletes ? refusal(actor, false) : {}),
  } as const;
  const values = (): Row => ({ ...seedOf(operation.filter), ...valuesOf(operation.update, services.clock()) });
  if (model.changesBySave) {
    refuseOverlaps(change);
    return { ...common, saving: savingOf(actor, change, upsert ? values : undefined) };
  }
  const raising = updateOfChange(actor, change);
  const kind = await kindModelOf(actor, operation, all, raising);
  const { filter, update } = await castForList(model, {
    by: kind,
    filter: all,
    update: raising,
    write: writeOf(actor),
  });
  const act = (filter: Filter): ListedMutation => ({ ...changeOf(actor, many, update), filter });
  return {
    ...common,
    filter,
    ...(positions && { positions }),
    act: (filter) => act(allOf([filter, demandFilter(positions)])),
    rowCheck: rowCheckOf(guardOfUpdate(actor, raising), (before) => rowAfter(before, update, services.clock())),
    ...(upsert ? await newDocumentOf(actor, values()) : {}),
  };
}

const changeOf = ({ model }: BulkActor, many: boolean, update: Row | readonly Row[]) =>
  ({ kind: 'change', model, update, event: 'put', ...(many && { many }) }) as const;

const namingIn = ({ model }: BulkActor, update: Update): Pick<Step, 'naming'> =>
  namedImmutables(model.schema, update).length === 0 ? {} : { naming: update };

/** An update without the fields that only a new document takes, which an upsert may set. */
function ofStored({ model, principal }: BulkActor, { $set = {}, ...operators }: Update): Update {
  const policy = policyFor(principal, model);
  const changed = Object.entries($set).filter(([path]) => policy.writable(path, 'u'));
  return { ...operators, $set: Object.fromEntries(changed) };
}

/** The Mongoose model for an update: that of the document's kind, where the filter names one. @throws 400 for another kind */
async function kindModelOf(
  actor: BulkActor,
  { many, filter }: Of<'update'>,
  all: Row,
  change: KindUpdate,
): ReturnType<typeof discriminatorOf> {
  if (!many && namesOne(filter)) return discriminatorOf(actor, all, change);
  refuseOtherKind(actor.model, change.$set, seedOf(filter)[actor.model.schema.kindKey]);
  return modelOf(actor.model);
}

async function replace(actor: BulkActor, { filter, replacement, upsert, grant }: Of<'replace'>): Promise<Made> {
  const planned = await planReplacement(actor, replacement, grant);
  const common = {
    kind: 'change',
    many: false,
    filter: matching(actor, allOf([filter, planned.own?.filter]), grant, activeFilter),
    mayRemoveAdmin: mayRemoveAdmin(actor.model, { admin: planned.row['admin'] }),
    ...namingIn(actor, { $set: planned.values }),
  } as const;
  const values = (): Row => ({ ...seedOf(filter), ...replacement });
  // a command would replace immutable fields, too
  if (actor.model.changesBySave || actor.model.schema.immutables.size > 0) {
    const set = (stored: Row): Replacement => changeOfReplacement(actor, planned, stored);
    return { ...common, saving: savingOf(actor, { set, operators: {} }, upsert ? values : undefined) };
  }
  const update = updateOfReplacement(actor, planned);
  return {
    ...common,
    act: (filter) => ({ ...changeOf(actor, false, update), filter }),
    rowCheck: rowCheckOf(guardOf(actor, 'u'), (before) => rowAfterReplacement(actor, planned, before)),
    ...(upsert ? await newDocumentOf(actor, values()) : {}),
  };
}

/** Loads and saves each document by itself. @param values of the document that an upsert creates; undefined for another operation */
const savingOf = (actor: BulkActor, change: DocumentChange, values: (() => Row) | undefined): SaveStep => ({
  change: (filter) => loadAndSave(actor, { ...change, filter, silent: actor.intent.silent }),
  ...(values && { create: () => created(actor, fieldsIn(values(), actor.model, actor.principal, 'new')) }),
});

/** Creates a document with the model's save middleware. @param values from the caller, checked */
const created = async (actor: BulkActor, values: Row): Promise<Row> =>
  commitNew(actor, await planNew(actor, values, readTypes(values, actor.model.schema, true)), actor.intent);

const rowCheckOf = (guard: RowGuard | undefined, after: (before: Row) => Row): CommandStep['rowCheck'] =>
  guard && { guard, after };

/** A new row of values that are not read by the types of their paths yet. @throws 400 with their faults */
const checkedRow = (actor: BulkActor, values: Row): Promise<Row> =>
  newRow(actor, values, readTypes(values, actor.model.schema, true));

/** Checks the document that an upsert creates, as a body is checked. */
async function newDocumentOf(
  actor: BulkActor,
  values: Row,
): Promise<Pick<CommandStep, 'fresh' | 'isNamed' | 'misfit'>> {
  try {
    const fresh = await checkedRow(actor, fieldsIn(values, actor.model, actor.principal, 'new'));
    guardOf(actor, 'c')?.(fresh);
    return { fresh, isNamed: Object.hasOwn(values, '_id') };
  } catch (misfit) {
    return { misfit };
  }
}

function remove(actor: BulkActor, { many, filter, grant }: Of<'delete'>): Promise<Made> {
  const { permanently } = actor.intent;
  const deletion = permanently
    ? ({ kind: 'remove', model: actor.model, ...(many && { many }) } as const)
    : changeOf(actor, many, softDeletion(actor));
  return Promise.resolve({
    kind: 'delete',
    many,
    filter: matching(actor, filter, grant, permanently ? undefined : activeFilter),
    act: (filter) => ({ ...deletion, filter }),
    mayRemoveAdmin: actor.model.name === 'user',
    removesPermanently: permanently,
    ...refusal(actor, permanently),
  });
}

const refusal = (actor: BulkActor, permanently: boolean): Pick<Step, 'refusal'> =>
  refusesReferenced(actor) ? { refusal: { permanently } } : {};
