/**
 * Names the path at which a setter of a model file throws. Mongoose does so itself for single values of documents; it passes the bare error on in
 * updates and for lists, and reports it without its path for the members of these and of maps.
 */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { originalCode } from './bounded.ts';
import { innerOf, schemaParts, type Setter, typeParts } from './internals.ts';
import { placesOf, typesIn } from './schema-places.ts';

/** Makes what the setters of a schema throw an error of casting, whose `reason` it is. */
export function nameSetterFaults(schema: Schema): void {
  for (const place of placesOf(schema)) {
    // paths with positions in lists have types of their own
    const members = Object.values(schemaParts(place.schema).subpaths).filter((type) => type !== 'nested');
    for (const type of [...typesIn(place).map((one) => one.type), ...members]) {
      const { setters } = typeParts(type);
      // a nested schema may be part of several models
      for (const [at, setter] of setters.entries()) if (!(originalCode in setter)) setters[at] = withPath(setter, type);
    }
  }
}

/** A setter as the model file has it. */
export const authorsOwn = (setter: Setter): unknown =>
  (setter as { readonly [originalCode]?: unknown })[originalCode] ?? setter;

/** The kind of an error of casting, which for a list has that of its members, as Mongoose's own. */
function kindOf(type: SchemaType): string {
  const member = innerOf(type).embeddedSchemaType;
  return member === undefined || type.instance !== 'Array' ? type.instance : `[${kindOf(member)}]`;
}

function withPath(setter: Setter, type: SchemaType): Setter {
  const named: Setter = function (...given) {
    try {
      return setter.apply(this, given);
    } catch (error) {
      throw error instanceof mongoose.Error.CastError
        ? error
        : new mongoose.Error.CastError(kindOf(type), given[0], type.path, error as Error);
    }
  };
  Object.defineProperties(named, { length: { value: setter.length }, name: { value: setter.name } });
  return Object.assign(named, setter, { [originalCode]: setter });
}
