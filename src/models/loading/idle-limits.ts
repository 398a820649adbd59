/** Limits in options of paths that Mongoose has for other types, and therefore ignores, such as `min` of a Decimal128. */
import type { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';

/** The options of limits; where a type has one, it has a method of its name (`SchemaType`'s constructor). */
const limits = ['min', 'max', 'minlength', 'minLength', 'maxlength', 'maxLength', 'match', 'enum'] as const;

/** Each as it is shown to the author, such as `min of price (Decimal128)`. */
export function idleLimits(schema: Schema): readonly string[] {
  const found = placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) => {
      const { options } = typeParts(type);
      return limits
        .filter((name) => (options[name] ?? undefined) !== undefined && typeof Reflect.get(type, name) !== 'function')
        .map((name) => `${name} of ${path} (${type.instance})`);
    });
  return [...new Set(found)];
}
