/** Middleware that does nothing: of functions that Mongoose does not have, and of those that no request runs. */
import type { Schema } from 'mongoose';
import { nearestName } from '../../text/nearest.ts';
import { type OwnMiddleware, ownMiddleware, registrationsOf, titleOf } from './save-hooks.ts';
import { kindSchemasOf, placesOf } from './schema-places.ts';

/** The functions for which Mongoose 9 runs middleware (its manual, "Middleware"), by what a request would do in their place. */
const operations = {
  saves: ['save', 'validate', 'init', 'createCollection'],
  reads: ['find', 'findOne', 'countDocuments', 'estimatedDocumentCount', 'distinct', 'aggregate'],
  updates: ['updateOne', 'updateMany', 'replaceOne', 'findOneAndReplace', 'insertMany', 'bulkWrite'],
  deletions: ['deleteOne', 'deleteMany', 'findOneAndDelete'],
  changes: ['findOneAndUpdate'],
} as const;

const known: ReadonlySet<string> = new Set(Object.values(operations).flat());

/** Whether Mongoose itself has a function, rather than the schema. */
export const isOfMongoose = (name: string): boolean => known.has(name);

/** The functions whose middleware earlier versions of Mongoose ran, by those that took their place. */
const successors: Readonly<Record<string, readonly string[]>> = {
  remove: ['deleteOne'],
  update: ['updateOne', 'updateMany', 'findOneAndUpdate'],
  count: ['countDocuments'],
  findOneAndRemove: ['findOneAndDelete'],
};

/** What to use for functions that earlier versions of Mongoose had, or that have no middleware of their own. */
const instead: Readonly<Record<string, string>> = {
  remove: `deleteOne with { document: true, query: false }; DELETE requests run no middleware, but pre_hooks.delete of the config (docs/hooks.md)`,
  update: 'updateOne, updateMany or findOneAndUpdate',
  count: 'countDocuments',
  create: 'save',
  findById: 'findOne',
  exists: 'findOne',
  findByIdAndUpdate: 'findOneAndUpdate',
  findByIdAndDelete: 'findOneAndDelete',
  findByIdAndRemove: 'findOneAndDelete',
  findOneAndRemove: 'findOneAndDelete',
};

/**
 * The middleware of functions that do not exist, which never runs, where packages register it. It is no fault in code for several versions of
 * Mongoose: where the same code is also registered for a function that does exist, or where a function that took its place has middleware too.
 * @returns sentences @throws Error naming one that the project registers, with what to use instead
 */
export function unknownMiddleware(schema: Schema): readonly string[] {
  const found = placesOf(schema).flatMap((place) => {
    const { methods, statics } = place.schema;
    const names = new Set([...known, ...Object.keys(methods), ...Object.keys(statics)]);
    const all = ownMiddleware(place.schema);
    const running = all.filter(({ name }) => names.has(name));
    const idle = all.filter((one) => !names.has(one.name) && !running.some((other) => replaces(other, one)));
    const own = idle.find(({ registeredBy }) => registeredBy === undefined);
    if (own !== undefined) throw new Error(neverRuns(own, names));
    return idle.map((one) => neverRuns(one, names));
  });
  return [...new Set(found)];
}

const replaces = (other: OwnMiddleware, { name, fn }: OwnMiddleware): boolean =>
  other.fn === fn || (Object.hasOwn(successors, name) && (successors[name]?.includes(other.name) ?? false));

function neverRuns({ title, name, registeredBy }: OwnMiddleware, names: Iterable<string>): string {
  const other = Object.hasOwn(instead, name) ? instead[name] : nearestName(name, names);
  const cure = other === undefined ? '' : `; use ${other}`;
  const by = registeredBy === undefined ? '' : ` of the package ${registeredBy}`;
  return `${title}${by} never runs: Mongoose has no middleware of ${name}${cure}`;
}

/** Middleware that only code of the model files runs, with what to use for requests. */
export interface IdleMiddleware {
  /** As it is registered, such as `pre('find')`. */
  readonly titles: readonly string[];
  /** Whether it would decide what reads show. */
  readonly hides: boolean;
  readonly instead: string;
}

const advice: Readonly<Record<'reads' | 'updates' | 'deletions' | 'changes', string>> = {
  reads:
    'what it would hide is shown; use rights on rows or fields (docs/permissions.md), or pre_hooks of the config (docs/hooks.md)',
  updates: "use pre('save') or pre('validate')",
  deletions: 'use pre_hooks.delete of the config (docs/hooks.md), or on_referenced_delete',
  changes: "changes of this model load and save; use pre('save')",
};

type Group = keyof typeof advice;

/**
 * Middleware that no request runs, and statics in the place of Mongoose's functions, by which plug-ins such as those of soft deletion do the same.
 * @param changesBySave whether changes load and save, and do not run middleware of updates
 * @param called the statics that requests call by their name
 */
export function idleMiddlewareOf(
  schema: Schema,
  changesBySave: boolean,
  called: ReadonlySet<string>,
): readonly IdleMiddleware[] {
  const schemas = [schema, ...kindSchemasOf(schema)];
  const own = schemas.flatMap(ownMiddleware);
  const idle = registrationsOf(own.filter((one) => groupOf([one], changesBySave) !== undefined));
  const statics = schemas.flatMap((one) => Object.keys(one.statics)).filter((name) => !called.has(name));
  return groups.flatMap((group) => {
    const titles = new Set([
      ...idle.filter((same) => groupOf(same, changesBySave) === group).map(titleOf),
      ...statics.filter((name) => groupOfStatic(name) === group).map((name) => `statics.${name}`),
    ]);
    return titles.size === 0 ? [] : [{ titles: [...titles], hides: group === 'reads', instead: advice[group] }];
  });
}

/** What to use for middleware that no request runs; undefined for other middleware. @param same the same code for several functions */
export function adviceFor(same: readonly OwnMiddleware[], changesBySave: boolean): string | undefined {
  const group = groupOf(same, changesBySave);
  return group && advice[group];
}

/** Of code for several functions, what it does to reads matters most. */
const groups = ['reads', 'updates', 'deletions', 'changes'] as const satisfies readonly Group[];

const groupOf = (same: readonly OwnMiddleware[], changesBySave: boolean): Group | undefined =>
  groups.find((group) => (group !== 'changes' || changesBySave) && same.some((one) => isOf(group, one)));

/** Mongoose's functions of models for which middleware of another one runs. */
const alike: Readonly<Record<string, string>> = {
  create: 'insertMany',
  exists: 'findOne',
  findById: 'findOne',
  findByIdAndDelete: 'findOneAndDelete',
  findByIdAndUpdate: 'updateOne',
  findOneAndUpdate: 'updateOne',
};

/** What a static does that has the name of a function of Mongoose; undefined for other statics. */
const groupOfStatic = (name: string): Group | undefined => {
  const like = Object.hasOwn(alike, name) ? alike[name] : name;
  return groups.find((group) => operations[group].some((one) => one === like));
};

/** Whether middleware is of a group. Updates validate by a function of queries. */
function isOf(group: Group, { name, ofDocuments }: OwnMiddleware): boolean {
  const names: readonly string[] = operations[group];
  return names.includes(name) || (group === 'changes' && name === 'validate' && !ofDocuments);
}
