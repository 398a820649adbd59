/** Commands that create, drop, rename and list collections. */
import { Binary } from 'bson';
import { notSupported, StoreError } from 'dossier-language/errors';
import { compileFilter } from 'dossier-language/query';
import type { Doc } from 'dossier-language/values';
import { type Collation, readCollation, sameCollation } from 'dossier-language/values';
import { encode, same } from 'dossier-language/values';
import { identityIn, renameEvent } from '../engine/changes/expanded.ts';
import { Collection } from '../engine/collection.ts';
import { optionNames, readOptions } from '../engine/collection-options.ts';
import { sourceOf } from '../engine/cursors.ts';
import { idIndexSpec, readIndexSpec } from '../engine/index-spec.ts';
import { checkCollectionName, checkDatabaseName } from '../engine/names.ts';
import { oneGroup } from '../engine/read.ts';
import { notOnView, viewOptions } from '../engine/view-definition.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, docOf, flagOf, neededText } from './arguments.ts';
import { checkNoBuild } from './builds.ts';
import type { Command, Context } from './context.ts';
import { batchSizeOf, firstBatch } from './cursor-reply.ts';
import { createView, describeView, isView, otherOptions, viewFields } from './views.ts';

/** Kinds of collections that require a MongoDB server. */
const refusedKinds = [
  'autoIndexId',
  'timeseries',
  'clusteredIndex',
  'encryptedFields',
  'expireAfterSeconds',
  'indexOptionDefaults',
  'storageEngine',
];

function create(context: Context): Reply {
  const { body, db, view, check } = context;
  const name = checkCollectionName(Object.values(body)[0]);
  for (const option of refusedKinds) {
    const value = body[option];
    if (value !== undefined && value !== false && value !== null)
      throw notSupported(`a collection with the option '${option}'`);
  }
  const traits = { collation: defaultCollation(body), options: readOptions(body) };
  if (isView(body)) return createView(context, name, traits);
  const viewed = view.definition(db, name);
  if (viewed !== undefined) throw otherOptions(`${db}.${name}`, viewOptions(viewed));
  check.read(traits.options, Collection.missing(db, name));
  const found = view.find(db, name);
  if (found === undefined) view.ensure(db, name, traits);
  else if (!flagOf(body, 'autocommit', true)) throw new StoreError(48, `Collection ${db}.${name} already exists.`);
  else if (!same(optionsOf(found), optionsOf(traits))) throw otherOptions(found.ns, optionsOf(found));
  return { fields: {} };
}

/** @throws StoreError 2 if the `_id` index has another collation than the collection; errors of `readCollation` */
function defaultCollation(body: Doc): Collation | undefined {
  const requested = docOf(body, 'collation');
  if (requested !== undefined && Object.keys(requested).length === 0)
    throw new StoreError(2, "'collation' cannot be an empty document");
  const collation = requested && readCollation(requested);
  const idIndex = docOf(body, 'idIndex');
  if (idIndex?.['collation'] !== undefined && !sameCollation(readIndexSpec(idIndex).collation, collation))
    throw new StoreError(2, "'idIndex' must have the same collation as the collection");
  return collation;
}

async function drop(context: Context): Promise<Reply> {
  const { db, store, batch } = context;
  const name = collectionOf(context);
  const view = store.catalog.definition(db, name);
  if (view !== undefined) {
    store.collections.dropView(view, batch);
    return { fields: { ns: `${db}.${name}` } };
  }
  const collection = store.catalog.find(db, name);
  if (collection === undefined) return { fields: {} };
  const indexes = collection.indexes.length;
  await dropOne(context, collection);
  return { fields: { nIndexesWas: indexes, ns: collection.ns } };
}

async function dropOne({ engine, store, batch }: Context, collection: Collection): Promise<void> {
  store.collections.drop(collection, batch);
  batch.announce(collection.db, collection.name, { operationType: 'drop', ...identityIn(collection) });
  await engine.cursors.killIn(collection.ns);
}

async function dropDatabase(context: Context): Promise<Reply> {
  const { db, store, batch } = context;
  const collections = store.catalog.collections(db);
  for (const collection of collections) await dropOne(context, collection);
  for (const view of store.catalog.views(db)) store.collections.dropView(view, batch);
  if (collections.length > 0) batch.announce(db, '', { operationType: 'dropDatabase' });
  return { fields: { dropped: db } };
}

async function rename({ body, store, batch, engine }: Context): Promise<Reply> {
  const from = splitNs(neededText(body, 'renameCollection'));
  const to = splitNs(neededText(body, 'to'));
  for (const { db, name } of [from, to])
    if (store.catalog.definition(db, name) !== undefined) throw notOnView(db, name);
  const collection = store.catalog.find(from.db, from.name);
  if (collection === undefined) throw new StoreError(26, `Source collection ${from.db}.${from.name} does not exist`);
  const target = store.catalog.find(checkDatabaseName(to.db), checkCollectionName(to.name));
  checkNoBuild(collection);
  if (target === collection) throw new StoreError(20, "Can't rename a collection to itself");
  if (target !== undefined) {
    if (!flagOf(body, 'dropTarget')) throw new StoreError(48, 'target namespace exists');
    store.collections.drop(target, batch);
  }
  await engine.cursors.killIn(collection.ns);
  store.collections.rename(collection, to.db, to.name, batch);
  batch.announce(from.db, from.name, renameEvent(collection, { db: to.db, coll: to.name }, target));
  return { fields: {} };
}

function splitNs(ns: string): { readonly db: string; readonly name: string } {
  const dot = ns.indexOf('.');
  if (dot < 1) throw new StoreError(73, `Invalid namespace specified '${ns}'`);
  return { db: ns.slice(0, dot), name: ns.slice(dot + 1) };
}

function listCollections(context: Context): Promise<Reply> {
  const { body, db, store, operation } = context;
  const matcher = compileFilter(docOf(body, 'filter') ?? {});
  const namesOnly = flagOf(body, 'nameOnly');
  const all = [...store.catalog.collections(db).map(describe), ...store.catalog.views(db).map(describeView)];
  const described = all.filter((doc) => matcher.matches(doc));
  const shown = namesOnly ? described.map(({ name, type }): Doc => ({ name, type })) : described;
  const size = batchSizeOf(docOf(body, 'cursor'), Number.POSITIVE_INFINITY);
  return firstBatch(context, sourceOf(`${db}.$cmd.listCollections`, { operation }, oneGroup(shown), encode), { size });
}

const optionsOf = ({ options, collation }: Pick<Collection, 'options' | 'collation'>): Doc => ({
  ...options.shown,
  ...(collation ? { collation: collation.shown } : {}),
});

const describe = (collection: Collection): Doc => ({
  name: collection.name,
  type: 'collection',
  options: optionsOf(collection),
  info: { readOnly: false, uuid: new Binary(collection.uuid, 4) },
  idIndex: idIndexSpec(collection.collation).shown,
});

/** The commands of this file. */
export const collectionCommands: readonly Command[] = [
  {
    name: 'create',
    summary: 'Creates a collection',
    fields: [...optionNames, ...viewFields, ...refusedKinds, 'collation', 'idIndex', 'flags', 'temp'],
    inTransaction: true,
    kind: 'write',
    run: create,
  },
  { name: 'drop', summary: 'Drops a collection', fields: [], kind: 'write', run: drop },
  { name: 'dropDatabase', summary: 'Drops a database', fields: [], kind: 'write', run: dropDatabase },
  {
    name: 'renameCollection',
    summary: 'Renames a collection',
    fields: ['to', 'dropTarget'],
    kind: 'write',
    run: rename,
  },
  {
    name: 'listCollections',
    summary: 'Lists the collections of a database',
    fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
    kind: 'read',
    run: listCollections,
  },
];
