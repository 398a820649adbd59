/** `collMod`: changes an index, or the options of a collection. */
import { notSupported, StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { modifyEvent } from '../engine/changes/expanded.ts';
import type { Collection } from '../engine/collection.ts';
import { countIn, readOptions } from '../engine/collection-options.ts';
import { type IndexSpec, readIndexSpec } from '../engine/index-spec.ts';
import type { ViewDefinition } from '../engine/view-definition.ts';
import type { Reply } from '../protocol.ts';
import { checkFields, collectionOf, docOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { namedIndexes } from './indexes.ts';
import { changeView, isView, viewFields } from './views.ts';

/** Options of `collMod` that require a MongoDB server. */
const refusedChanges = [
  'dryRun',
  'expireAfterSeconds',
  'noPadding',
  'timeseries',
  'timeseriesBucketsMayHaveMixedSchemaData',
  'usePowerOf2Sizes',
];

/** Options of collections that keep their names in `collMod`. */
const optionChanges = ['validator', 'validationLevel', 'validationAction', 'changeStreamPreAndPostImages'];

/** Options of capped collections, with their names in `create`. */
const capChanges: ReadonlyMap<string, string> = new Map([
  ['cappedSize', 'size'],
  ['cappedMax', 'max'],
]);

function run(context: Context): Reply {
  const { body, db, view, check } = context;
  const name = collectionOf(context);
  const viewed = view.definition(db, name);
  if (viewed !== undefined) return modifyView(context, viewed);
  const collection = view.find(db, name);
  if (collection === undefined) throw new StoreError(26, `ns does not exist: ${db}.${name}`);
  for (const option of refusedChanges) {
    if (Object.hasOwn(body, option)) throw notSupported(`collMod with the option '${option}'`);
  }
  if (isView(body)) throw new StoreError(72, `${db}.${name} is not a view`);
  const options = optionsIn(body, collection);
  if (options !== undefined) check.read(options, collection);
  const change = docOf(body, 'index');
  const collectionOptions = collection.options.shown;
  const index = change === undefined ? undefined : changeIndex(context, collection, change);
  if (options !== undefined) context.store.collections.change(collection, options, context.batch);
  if (index === undefined && options === undefined) return { fields: {} };
  const names = [...optionChanges, ...capChanges.keys()].filter((option) => Object.hasOwn(body, option));
  const description = {
    ...(index && { index: index.description }),
    ...Object.fromEntries(names.map((option) => [option, body[option]])),
  };
  const modification = { description, collectionOptions, indexOptions: index?.before };
  context.batch.describe(collection, [modifyEvent(collection, modification)]);
  return { fields: index?.shown ?? {} };
}

function modifyView(context: Context, view: ViewDefinition): Reply {
  const others = ['index', ...optionChanges, ...capChanges.keys(), ...refusedChanges];
  const refused = others.find((name) => Object.hasOwn(context.body, name));
  if (refused !== undefined) throw new StoreError(72, `option not supported on a view: ${refused}`);
  return isView(context.body) ? changeView(context, view) : { fields: {} };
}

/** The changed options of a collection; undefined if none changes. @throws StoreError for invalid options */
function optionsIn(body: Doc, collection: Collection): Collection['options'] | undefined {
  const changes: Record<string, Value> = {};
  for (const name of optionChanges) if (Object.hasOwn(body, name)) changes[name] = body[name];
  for (const [name, own] of capChanges) {
    if (!Object.hasOwn(body, name)) continue;
    if (collection.options.cap === undefined) throw new StoreError(72, 'Collection must be capped.');
    changes[own] = countIn(name, body[name]);
  }
  if (Object.keys(changes).length === 0) return undefined;
  return readOptions({ ...collection.options.shown, ...changes });
}

/** The changed options of an index: as `collMod` answers them, as it was asked for them, and before the change. */
interface ChangedIndex {
  readonly shown: Doc;
  readonly description: Doc;
  readonly before: Doc;
}

function changeIndex({ batch }: Context, collection: Collection, change: Doc): ChangedIndex {
  const pattern = docOf(change, 'keyPattern') ?? change['name'];
  const [spec] = namedIndexes(collection, pattern);
  const old = collection.trees.find((tree) => tree.spec === spec);
  if (old === undefined) throw new StoreError(72, 'only ordinary indexes can be changed');
  const options = optionsOf(change);
  const changed = readIndexSpec({ ...old.spec.shown, ...options });
  const next = old.withSpec(changed);
  batch.alter(
    () => collection.addIndex(next),
    () => collection.addIndex(old),
  );
  return {
    shown: changeShown(old.spec, changed),
    description: { name: old.spec.name, ...options },
    before: Object.fromEntries(Object.keys(options).map((name) => [name, old.spec.shown[name] ?? false])),
  };
}

/** The index options that can change without rebuilding the index. */
const changeable = ['hidden', 'expireAfterSeconds'] as const;

const collModFields: ReadonlySet<string> = new Set([...changeable, 'keyPattern', 'name']);

/** @throws StoreError 115 or 40415 for an option that affects the keys of the index */
function optionsOf(change: Doc): Doc {
  for (const name of ['unique', 'prepareUnique'])
    if (Object.hasOwn(change, name)) throw notSupported(`collMod with the option '${name}' of an index`);
  checkFields(change, collModFields, 'collMod.index');
  return Object.fromEntries(
    changeable.filter((name) => Object.hasOwn(change, name)).map((name) => [name, change[name]]),
  );
}

function changeShown(before: IndexSpec, after: IndexSpec): Doc {
  const shown: Record<string, Value> = {};
  for (const name of changeable) {
    if (before[name] === after[name]) continue;
    shown[`${name}_old`] = before[name] ?? null;
    shown[`${name}_new`] = after[name] ?? null;
  }
  return shown;
}

/** The command `collMod`. */
export const collMod: Command = {
  name: 'collMod',
  summary: 'Changes an index or the options of a collection',
  fields: ['index', ...optionChanges, ...capChanges.keys(), ...viewFields, ...refusedChanges],
  kind: 'write',
  run,
};
