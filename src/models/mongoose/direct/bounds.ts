/** The bounds of paths, such as `min`, where Mongoose's update validators do not hold them. */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { type ModelEntry, mongooseModel } from '../../entry.ts';
import { kindsOf, type Row, sameRow } from '../../mongoose.ts';
import { isPlainObject, valueAt } from '../../plain-object.ts';
import { innerOf, schemaParts, type StoredValidator, typeParts } from '../internals.ts';
import { kindValueOf } from '../schema-places.ts';
import { optionChecks } from './cast.ts';

type Check = (this: unknown, value: unknown) => unknown;
type Fault = (path: string, value: unknown, failed: StoredValidator) => void;

const boundsOf = (type: SchemaType): readonly StoredValidator[] =>
  typeParts(type).validators.filter((one) => one.type !== 'required' && optionChecks.has(one.type));

/** Whether values of a type have bounds, at any depth. @param around the schemas around it */
function isBounded(type: SchemaType, around: readonly Schema[] = []): boolean {
  if (boundsOf(type).length > 0) return true;
  const { $__schemaType: value, embeddedSchemaType: member, schema } = innerOf(type);
  if (schema === undefined) return [value, member].some((one) => one !== undefined && isBounded(one, around));
  if (around.includes(schema)) return false;
  return Object.values(schema.paths).some((one) => isBounded(one, [...around, schema]));
}

/** Holds a value against the bounds of its type, and what it holds against theirs. */
function holdValue(type: SchemaType, path: string, value: unknown, fault: Fault): void {
  if (value === undefined || value === null) return;
  const failed = boundsOf(type).find(({ validator }) => !((validator as Check).call(undefined, value) ?? true));
  if (failed !== undefined) fault(path, value, failed);
  const { $__schemaType: ofMap, embeddedSchemaType: member, schema } = innerOf(type);
  const inner = ofMap ?? (Array.isArray(value) ? member : undefined);
  if (schema === undefined && inner !== undefined)
    for (const [key, one] of Object.entries(value)) holdValue(inner, `${path}.${key}`, one, fault);
  if (schema === undefined) return;
  const rows = Array.isArray(value)
    ? value.map((one, at) => [`${path}.${at}.`, one as unknown] as const)
    : [[`${path}.`, value] as const];
  for (const [prefix, row] of rows)
    for (const [name, one] of Object.entries(schema.paths))
      if (isPlainObject(row) && !name.includes('$*')) holdValue(one, prefix + name, valueAt(row, name), fault);
}

interface Bounded {
  readonly path: string;
  readonly type: SchemaType;
}

/** The whole map at a path, or those in the nested object there, where they are bounded. */
function mapsAt(schema: Schema, path: string, value: unknown): readonly Bounded[] {
  const type = schema.path(path) as SchemaType | undefined;
  if (type !== undefined) return type.instance === 'Map' && isBounded(type) ? [{ path, type }] : [];
  if (!Object.hasOwn(schemaParts(schema).nested, path) || !isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => mapsAt(schema, `${path}.${key}`, inner));
}

/** A path whose value an operator computes. Mongoose holds the members that are added to a list, unless they are lists. */
function computedAt(schema: Schema, path: string): readonly Bounded[] {
  const type = schema.path(path) as SchemaType | undefined;
  if (type === undefined) return [];
  const { embeddedSchemaType: member } = innerOf(type);
  const isHeld = type.instance === 'Array' && member?.instance !== 'Array';
  return (isHeld ? boundsOf(type).length > 0 : isBounded(type)) ? [{ path, type }] : [];
}

/** The paths whose values an update computes, and the values that it sets, by their paths. */
interface Changed {
  readonly computed: readonly string[];
  readonly set: Readonly<Row>;
}

/**
 * What Mongoose's update validators leave out: they run for values that are given, and not for the results of operators, nor for the
 * values of a whole map.
 * @param changed its paths may have positions in lists and keys of maps
 * @returns holds the values that an update leaves at its paths against their bounds, and throws Mongoose's ValidationError; undefined where no
 * path has such bounds
 */
export function boundsOfUpdate(
  entry: ModelEntry,
  changed: Changed,
): ((after: Row, before: Row | undefined) => void) | undefined {
  const { computed, set } = changed;
  const given = Object.entries(set).filter(([, value]) => isPlainObject(value));
  const { [mongooseModel]: model, schema } = entry;
  const boundedIn = (schema: Schema): readonly Bounded[] => [
    ...computed.flatMap((path) => computedAt(schema, path)),
    ...given.flatMap(([path, value]) => mapsAt(schema, path, value)),
  ];
  const kinds = [model, ...kindsOf(model)].map(({ schema }) => ({
    value: kindValueOf(schema),
    bounded: boundedIn(schema),
  }));
  if (kinds.every(({ bounded }) => bounded.length === 0)) return undefined;
  return (after, before = {}) => {
    const error = new mongoose.Error.ValidationError();
    const { bounded = [] } = kinds.find(({ value }) => value === after[schema.kindKey]) ?? kinds[0] ?? {};
    for (const { path: at, type } of bounded)
      holdValue(type, at, valueAt(after, at), (path, value, failed) => {
        // what was stored so before is no fault of this update
        if (!sameRow({ value }, { value: valueAt(before, path) }))
          error.addError(path, new mongoose.Error.ValidatorError({ ...failed, path, value }));
      });
    if (Object.keys(error.errors).length > 0) throw error;
  };
}
