/** The rules `match` of texts, whose patterns may take very long. */
import type { Schema } from 'mongoose';
import { typeParts } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { ownPattern } from './own-pattern.ts';

/**
 * Makes the patterns that can run in linear time do so. Mongoose copies types with their rules, so the copies have nothing in common that
 * could be replaced but the pattern itself.
 */
export function matchInLinearTime(schema: Schema): void {
  for (const { regexp } of patternsIn(schema)) {
    const pattern = ownPattern(regexp);
    if (pattern.kind === 'linear' && Object.isExtensible(regexp))
      Object.defineProperty(regexp, 'test', {
        value: (text: unknown) => pattern.test(String(text)),
        configurable: true,
      });
  }
}

/** The paths of those for which no limit of time can be given. */
export const unboundedPatterns = (schema: Schema): readonly string[] => [
  ...new Set(patternsIn(schema).flatMap(({ path, regexp }) => (ownPattern(regexp).kind === 'unbounded' ? [path] : []))),
];

const patternsIn = (schema: Schema): readonly { readonly path: string; readonly regexp: RegExp }[] =>
  placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) =>
      typeParts(type).validators.flatMap(({ type: kind, regexp }) =>
        kind === 'regexp' && regexp instanceof RegExp ? [{ path, regexp }] : [],
      ),
    );
