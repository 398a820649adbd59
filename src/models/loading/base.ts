/** The standard fields, added to every schema (docs/models.md, "Standard fields of every document"). */
import { Schema, type SchemaType } from 'mongoose';
import { adaptOlderTypes } from '../author/older-types.ts';
import { matchInLinearTime } from '../author/own-pattern.ts';
import { requireOwnId } from '../fields/document-id.ts';
import { uuidIds } from '../fields/id-types.ts';
import { takenForPosition } from '../fields/numbered-names.ts';
import { schemaParts, typeParts } from '../mongoose/internals.ts';
import { hasOwnHooks } from '../mongoose/save-hooks.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { BSON } from '../object-id.ts';
import { addField } from './loaded-schema.ts';
import { withoutMongooseId } from './own-id.ts';
import { addTimestamps } from './timestamps.ts';

/** The fields that the server sets; values from callers are ignored. */
export const stampPaths = [
  '_id',
  'id',
  '_owner_id',
  '_updated_by_id',
  '_deleted',
  'createdAt',
  'updatedAt',
  '__v',
] as const;

/** A copy of the schema with `_deleted`, `_owner_id`, `_updated_by_id` and the timestamps, which own models of the server leave unused. */
export function withBase(schema: Schema): Schema {
  const copy = schema.clone();
  completeId(copy);
  requireOwnId(copy, hasOwnHooks(copy, ['save']));
  withoutMongooseId(copy);
  adaptOlderTypes(copy);
  takeAnyUuid(copy);
  matchInLinearTime(copy);
  addGeneric(copy, '_deleted', 'Boolean', { default: false, index: true });
  addGeneric(copy, '_owner_id', 'ObjectId', { link: 'user', map_to: '_owner', index: true });
  addGeneric(copy, '_updated_by_id', 'ObjectId', { link: 'user', map_to: '_updated_by' });
  addTimestamps(copy);
  copy.set('versionKey', '__v');
  Object.assign(schemaParts(copy).aliases, allAliases(copy));
  if (schema.get('internal' as never) === true) hideStamps(copy);
  return copy;
}

/** Adds a standard field. If the schema declares it, its options are added. @throws Error if the declared type differs */
function addGeneric(schema: Schema, path: string, type: 'Boolean' | 'ObjectId', options: object): void {
  const declared = schema.path(path);
  if (declared !== undefined && declared.instance !== type) throw new Error(`${path} must be of type ${type}`);
  if (declared !== undefined) schema.remove(path);
  addField(schema, path, { ...options, type: Schema.Types[type] });
}

/** Forms and tables leave them out. */
function hideStamps(schema: Schema): void {
  for (const path of stampPaths.filter((one) => one !== '_id'))
    Object.assign((schema.path(path) as SchemaType | undefined)?.options ?? {}, { hidden: true });
}

/** Completes a declared `_id`, so that it behaves like the one that Mongoose adds. */
function completeId(schema: Schema): void {
  const id = schema.path('_id') as SchemaType | undefined;
  const { auto, default: made } = (id?.options ?? {}) as { auto?: unknown; default?: unknown };
  if (id?.instance === 'ObjectId' && auto !== true && made === undefined) (id as Schema.Types.ObjectId).auto(true);
}

/** The aliases of a schema, of its nested schemas and of its discriminators, by whole paths. @throws Error for one that is ambiguous */
function allAliases(schema: Schema): Readonly<Record<string, string>> {
  const meanings = new Map<string, string>();
  const isTaken = takenForPosition(schema);
  for (const { name, path, within } of namesOf(schema)) {
    const known = meanings.get(name) ?? path;
    if (known !== path) throw new Error(`${name} means both ${known} and ${path}: set another alias`);
    meanings.set(name, path);
    if (name === path) continue;
    // a key of the map could be the name of anything
    if (within !== undefined) throw new Error(`${path} is in a ${within.kind}, where a field has no alias`);
    if (isTaken(name) || isTaken(path))
      throw new Error(
        `${name}, an alias of ${path}: digits in a list are a position, so a field there has another name`,
      );
  }
  return Object.fromEntries([...meanings].filter(([name, path]) => name !== path));
}

/** The names of all places of a schema, with the paths that they mean: aliases, and what means itself: paths and virtuals. */
const namesOf = (schema: Schema) =>
  placesOf(schema).flatMap((place) => {
    const { prefix, within } = place;
    const { aliases } = schemaParts(place.schema);
    // Mongoose makes a virtual of each alias
    const virtuals = Object.keys(place.schema.virtuals).filter((name) => !Object.hasOwn(aliases, name));
    return [
      ...typesIn(place).map((one) => ({ name: one.path, path: one.path, within: one.within })),
      ...virtuals.map((name) => ({ name: prefix + name, path: prefix + name, within })),
      ...Object.entries(aliases).map(([name, path]) => ({ name: prefix + name, path: prefix + path, within })),
    ];
  });

/** Makes the UUIDs of a schema take every version and variant. A function that the model file gives as `cast` remains. */
function takeAnyUuid(schema: Schema): void {
  for (const { type } of placesOf(schema).flatMap(typesIn)) {
    const parts = typeParts(type);
    if (!(type instanceof Schema.Types.UUID) || parts._castFunction !== undefined) continue;
    parts._castFunction = castUuid;
    // Mongoose makes the copies in discriminators from the options, with the validators of the original
    Object.assign(parts.options, { cast: castUuid });
    requireAny(type);
  }
}

const castByMongoose = Schema.Types.UUID.cast() as (value: unknown) => unknown;

const castUuid = (value: unknown): unknown =>
  (typeof value === 'string' ? uuidIds.parse(value) : undefined) ?? castByMongoose(value);

/** Makes `required` count every UUID as a value. */
function requireAny(type: SchemaType): void {
  const parts = typeParts(type);
  const { requiredValidator: required } = parts;
  if (typeof required !== 'function') return;
  const isGiven = function (this: unknown, value: unknown): boolean {
    return Boolean(required.call(this, value)) || value instanceof BSON.UUID;
  };
  parts.requiredValidator = isGiven;
  for (const [at, rule] of parts.validators.entries())
    if (rule.validator === required) parts.validators[at] = { ...rule, validator: isGiven };
}
