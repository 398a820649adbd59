/** Defaults that the limits of their own field refuse: no document can be created that leaves the field out. */
import type { Schema, SchemaType } from 'mongoose';
import { hasOwnSetters, innerOf, type StoredValidator, typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { isPlainObject } from '../plain-object.ts';

/** The limits of validators that Mongoose makes of options, by what it calls them: the option, and where the validator has the limit. */
const limits: Readonly<Record<string, { readonly option: string; readonly at: string }>> = {
  enum: { option: 'enum', at: 'enumValues' },
  min: { option: 'min', at: 'min' },
  max: { option: 'max', at: 'max' },
  minlength: { option: 'minlength', at: 'minlength' },
  maxlength: { option: 'maxlength', at: 'maxlength' },
  regexp: { option: 'match', at: 'regexp' },
};

/**
 * The defaults of a schema, at any depth, that a limit or the type of their field refuses, as sentences. Defaults and limits that are functions are
 * not run, and neither are setters and validators of a model file.
 */
export function refusedDefaults(schema: Schema): readonly string[] {
  const found = placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) => faultsOf(type, defaultOf(type), path));
  return [...new Set(found)];
}

/** A default that is a value. Mongoose keeps that of a list as a function. */
function defaultOf(type: SchemaType): unknown {
  const { defaultValue, options } = typeParts(type);
  const value = typeof defaultValue === 'function' ? options['default'] : defaultValue;
  return typeof value === 'function' ? undefined : value;
}

function faultsOf(type: SchemaType, value: unknown, path: string): readonly string[] {
  if (value === undefined || value === null || hasOwnSetters(type)) return [];
  const { schema, embeddedSchemaType: member, $__schemaType: mapped } = innerOf(type);
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (schema !== undefined) return values.flatMap((one) => faultsWithin(schema, one, path));
  if (member !== undefined) return values.flatMap((one) => faultsOf(member, one, path));
  if (mapped !== undefined)
    return isPlainObject(value) ? Object.values(value).flatMap((one) => faultsOf(mapped, one, `${path}.$*`)) : [];
  const refusing = refusedBy(type, value);
  return refusing === undefined ? [] : [`${path} has the default ${shown(value)}, which its ${refusing} refuses`];
}

/** The faults of the fields that the default of nested documents has. */
const faultsWithin = (schema: Schema, value: unknown, path: string): readonly string[] =>
  isPlainObject(value)
    ? Object.entries(schema.paths).flatMap(([name, type]) =>
        faultsOf(type, Object.hasOwn(value, name) ? value[name] : undefined, `${path}.${name}`),
      )
    : [];

/** The option that refuses a value, with its limit. */
function refusedBy(type: SchemaType, value: unknown): string | undefined {
  const parts = typeParts(type);
  let cast: unknown;
  try {
    cast = parts.applySetters(value);
  } catch (error) {
    return error instanceof Error && error.name === 'CastError' ? `type (${type.instance})` : undefined;
  }
  return parts.validators.map((one) => refusalOf(one, cast)).find((one) => one !== undefined);
}

function refusalOf(stored: StoredValidator, value: unknown): string | undefined {
  const { type = '', validator } = stored;
  const limit = Object.hasOwn(limits, type) ? limits[type] : undefined;
  if (limit === undefined || typeof validator !== 'function') return undefined;
  const bound = stored[limit.at];
  if (typeof bound === 'function' || Boolean(Reflect.apply(validator, undefined, [value]))) return undefined;
  return `${limit.option} (${Array.isArray(bound) ? bound.slice(0, 10).map(shown).join(', ') : shown(bound)})`;
}

const shown = (value: unknown): string =>
  value instanceof RegExp || value instanceof Date ? String(value) : (JSON.stringify(value) ?? String(value));
