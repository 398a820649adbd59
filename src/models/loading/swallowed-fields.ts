/**
 * Fields that Mongoose takes for options: in `{ loc: { type: String, coordinates: [Number] } }` it reads `type` as the type of `loc`, and
 * ignores `coordinates`.
 */
import { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { pathOptions } from '../options/known-options.ts';

/** The paths of the fields, as the author means them, such as `loc.coordinates`. */
export function swallowedFields(schema: Schema): readonly string[] {
  const found = placesOf(schema).flatMap((place) =>
    typesIn(place).flatMap(({ type, path }) =>
      Object.entries(typeParts(type).options)
        .filter(([name, value]) => !pathOptions.has(name) && name !== place.schema.get('typeKey') && isType(value))
        .map(([name]) => `${path}.${name}`),
    ),
  );
  return [...new Set(found)];
}

const types: ReadonlySet<unknown> = new Set([
  ...[String, Number, Boolean, Date, Buffer, BigInt, Map],
  ...Object.values(Schema.Types),
]);

/** Whether a value is what declares a field. Options of plugins have other values. */
const isType = (value: unknown): boolean => types.has(Array.isArray(value) ? value[0] : value);
