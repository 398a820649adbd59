/**
 * Names the path at which a setter of a model file throws. In a document Mongoose does so itself; in an update it passes the bare error on.
 */
import mongoose, { type Schema, type SchemaType } from 'mongoose';
import { bounded } from './bounded.ts';
import { type Setter, typeParts } from './internals.ts';
import { placesOf, typesIn } from './schema-places.ts';

/** Makes what the setters of a schema throw in an update an error of casting, as in a document. */
export function nameSetterFaults(schema: Schema): void {
  for (const place of placesOf(schema))
    for (const { type } of typesIn(place)) {
      const { setters } = typeParts(type);
      // a nested schema may be part of several models
      for (const [at, setter] of setters.entries()) if (!(bounded in setter)) setters[at] = withPath(setter, type);
    }
}

function withPath(setter: Setter, type: SchemaType): Setter {
  const named: Setter = function (...given) {
    try {
      return setter.apply(this, given);
    } catch (error) {
      throw this instanceof mongoose.Document || error instanceof mongoose.Error.CastError
        ? error
        : new mongoose.Error.CastError(type.instance, given[0], type.path, error as Error);
    }
  };
  Object.defineProperty(named, 'length', { value: setter.length });
  return Object.assign(named, setter, { [bounded]: true });
}
