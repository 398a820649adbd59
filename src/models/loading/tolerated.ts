/**
 * What model files of Mongoose applications have without effect: misspelt options, middleware of other versions, defaults that no document can
 * have, and `ref` to models that do not exist or have ids of another type. Mongoose ignores it, so it is a warning; in a model that `defineModel`
 * makes it is a fault.
 */
import type { Schema, SchemaType } from 'mongoose';
import { suggestion } from '../../text/nearest.ts';
import type { ModelWarning, UnservedLink } from '../entry.ts';
import { unknownMiddleware } from '../mongoose/idle-middleware.ts';
import { hasOwnSetters, innerOf, type StoredValidator, typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import type { AddedOptions } from '../options/added-option.ts';
import { isDefined } from '../options/define-model.ts';
import { misspeltOptions } from '../options/known-options.ts';
import { warningsOfMethods } from '../options/shadowed-methods.ts';
import { isPlainObject } from '../plain-object.ts';
import type { DeclaredLink } from './links.ts';
import type { ModelNames } from './model-names.ts';
import type { DeclaredVirtual } from './virtual-links.ts';

/** @param schema as the file declares it @throws Error for what is a fault in any file */
export const warningsOfNames = (schema: Schema, file: string, added: AddedOptions): readonly ModelWarning[] => [
  ...[...misspeltOptions(schema, added), ...warningsOfDefaults(schema), ...warningsOfMethods(schema, file)].map(
    (message) => ({ kind: 'rule' as const, message }),
  ),
  ...unknownMiddleware(schema).map((message) => ({ kind: 'middleware' as const, message })),
];

function warningsOfDefaults(schema: Schema): readonly string[] {
  const found = refusedDefaults(schema);
  const [first] = found;
  if (first !== undefined && isDefined(schema)) throw new Error(first);
  return found;
}

/** A path or a virtual of `ref`, with the model that it names. */
interface Ref {
  readonly path: string;
  readonly model: string;
}

export const refsOf = (links: readonly DeclaredLink[], virtuals: readonly DeclaredVirtual[]): readonly Ref[] => [
  ...links.filter(({ option }) => option === 'ref'),
  ...virtuals.map(({ as, model }) => ({ path: as, model })),
];

/**
 * Whether requests follow a link: not a `ref` to a model that is not served. One to a model that does not exist at all is followed only where it
 * is a fault, which is reported with all others.
 */
export function isFollowed(link: DeclaredLink | DeclaredVirtual, schema: Schema, names: ModelNames): boolean {
  if ('option' in link && link.option === 'link') return true;
  return names.find(link.model) !== undefined || (isDefined(schema) && names.findUnserved(link.model) === undefined);
}

/** Those that name models which files compile and do not export. */
export const unservedLinksOf = (refs: readonly Ref[], names: ModelNames): readonly UnservedLink[] =>
  refs.flatMap(({ path, model: named }) => {
    const model = names.findUnserved(named);
    return model === undefined ? [] : [{ path, model }];
  });

/** Warns about those that name no model. */
export function warningsOfLinks(refs: readonly Ref[], schema: Schema, names: ModelNames): readonly ModelWarning[] {
  const isKnown = (model: string): boolean => (names.find(model) ?? names.findUnserved(model)) !== undefined;
  if (isDefined(schema)) return [];
  return refs
    .filter(({ model }) => !isKnown(model))
    .map(({ path, model }) => ({
      kind: 'populate',
      message: `populate does not show ${path}: it names the model ${model}, and no model has this name${suggestion(model, names.all)}`,
    }));
}

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
