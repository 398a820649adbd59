/** The types that a path of a model can have, one row each; whatever depends on the type of a path reads its row. */
import { Schema, type SchemaType } from 'mongoose';
import type { IdType } from '../id-types.ts';
import type { FieldType, Shape } from './field-type.ts';
import { numberTypes } from './numbers.ts';
import { ruleFor } from './read-value.ts';
import { binaryTypes, valueTypes } from './values.ts';

/** The types whose values consist of others, or may be any. */
const composedTypes: readonly FieldType[] = [
  { name: 'Array', shape: 'list', rule: 'must be a list', stored: [], jsonSchema: {}, input: 'json', sample: [] },
  {
    name: 'Embedded',
    shape: 'document',
    rule: 'must be an object',
    stored: [],
    jsonSchema: {},
    input: 'object',
    sample: {},
  },
  { name: 'Map', shape: 'map', rule: 'must be an object', stored: [], jsonSchema: {}, input: 'json', sample: {} },
  {
    name: 'Union',
    shape: 'union',
    rule: 'must be a value of one of its types',
    stored: [],
    jsonSchema: {},
    input: 'json',
    sample: 'text',
  },
  { name: 'Mixed', shape: 'any', stored: [], jsonSchema: {}, input: 'json', sample: 'text' },
];

export const fieldTypes: readonly FieldType[] = [...valueTypes, ...numberTypes, ...binaryTypes, ...composedTypes];

const byName: ReadonlyMap<string, FieldType> = new Map(fieldTypes.map((type) => [type.name, type]));

/** A schema type as Mongoose has it, which may be one that a package derives. */
type Declared = Pick<SchemaType, 'instance'> & { readonly cast?: unknown };

/**
 * The row of a schema type. One that a package derives from a type of Mongoose, such as a currency from a number, has the row of that without what
 * reads values, where it casts them itself. Undefined for other types of packages, whose values Mongoose casts, too.
 */
export function fieldTypeOf(declared: Declared): FieldType | undefined {
  const type = byName.get(declared.instance);
  return type?.shape === 'value' && castsItself(declared) ? derivedTypes.get(type) : type;
}

/** Whether the class of a schema type is not Mongoose's, and has a cast of its own. */
function castsItself({ instance, cast, constructor }: Declared): boolean {
  const own = (
    Schema.Types as Readonly<Record<string, { readonly prototype: { readonly cast?: unknown } } | undefined>>
  )[instance];
  return own !== undefined && constructor !== own && cast !== undefined && cast !== own.prototype.cast;
}

const derivedTypes: ReadonlyMap<FieldType, FieldType> = new Map(
  fieldTypes.map((type) => {
    const { cast: _cast, accept: _accept, readCell: _cell, fromNumber: _number, isDirect: _direct, ...others } = type;
    return [type, { ...others, rule: 'must be a value that its type accepts', stored: [], jsonSchema: {} }];
  }),
);

/**
 * What a value must be for a type, by the name that an error of Mongoose gives it. It may begin with a small letter; in brackets it is the
 * type of the members of a list.
 */
export function ruleOfType(name: string): string {
  const members = membersIn(name);
  if (members !== undefined) return `must be a list, of which each member ${ruleOfType(members)}`;
  return ruleFor(byName.get(name.charAt(0).toUpperCase() + name.slice(1)), name);
}

/** The rule for the value at a path, where an error names the list that it is a member of. */
export const ruleAt = (path: string, name: string): string =>
  ruleOfType((/\.\d+$/.test(path) ? membersIn(name) : undefined) ?? name);

const membersIn = (name: string): string | undefined => /^\[(.*)\]$/.exec(name)?.[1];

/** What the values of a schema type consist of; undefined for a type of a plug-in. */
export const shapeOf = (type: Declared): Shape | undefined => fieldTypeOf(type)?.shape;

/** Whether values consist of those of other types, which the option `type` names. */
export function isComposed({ type }: { readonly type: FieldType | undefined }): boolean {
  const shape = type?.shape;
  return shape === 'list' || shape === 'document' || shape === 'map';
}

/** The types that `_id` may have, by the names of schema types. */
export const idTypes: ReadonlyMap<string, IdType> = new Map(
  fieldTypes.flatMap(({ name, id }) => (id === undefined ? [] : [[name, id]])),
);
