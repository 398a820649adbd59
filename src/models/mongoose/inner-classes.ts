/**
 * The classes of nested documents. Mongoose makes them with their schemas and gives them their middleware at the first compilation of a
 * model that has them; a copy of the model's schema has new classes for its own paths only, and shares those further down.
 */
import type { Schema } from 'mongoose';
import { type InnerClass, innerOf, schemaParts } from './internals.ts';
import { placesOf, typesIn } from './schema-places.ts';

/** Gives nested documents at any depth the middleware that their schemas have now. To be called before the model is compiled. */
export function renewMiddleware(schema: Schema): void {
  const types = placesOf(schema).flatMap(typesIn);
  for (const { type } of types) renew(innerOf(type).Constructor);
}

function renew(made: InnerClass | undefined): void {
  if (made?.schema === undefined) return;
  const { schema, _middleware: ofClass, prototype, discriminators } = made;
  const recent = schemaParts(schema)._getDocumentMiddleware(true);
  // wrappers of methods hold the objects themselves
  for (const middleware of [ofClass, prototype.$__middleware])
    if (middleware !== undefined) Object.assign(middleware, recent);
  for (const kind of Object.values(discriminators ?? {})) renew(kind);
}
