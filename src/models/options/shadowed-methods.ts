/** Methods of schemas that take the place of methods which Mongoose calls itself: documents then neither load, nor are checked, nor stored. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import mongoose, { type Schema } from 'mongoose';
import { schemaParts } from '../mongoose/internals.ts';
import { placesOf } from '../mongoose/schema-places.ts';

/** The prototypes of documents and of nested documents, with those that they inherit from. */
function* prototypes(): Generator<object> {
  for (const one of [mongoose.Model, mongoose.Types.Subdocument])
    for (
      let prototype = one.prototype as object | null;
      prototype !== null && prototype !== Object.prototype;
      prototype = Object.getPrototypeOf(prototype) as object | null
    )
      yield prototype;
}

/** Those of Mongoose's methods with ordinary names that it cannot do without. It calls its own where a schema has one of the others. */
const called = ['init', 'markModified', 'modifiedPaths', 'ownerDocument', 'toObject'];

/** Names of methods that Mongoose calls itself: those that it marks as its own by their first character, and some others. */
export const internalNames: ReadonlySet<string> = new Set([
  ...[...prototypes()].flatMap((one) => Object.getOwnPropertyNames(one)).filter((name) => /^[$_]/.test(name)),
  ...called,
]);

/** Names that are properties of documents rather than methods: Mongoose compiles no model that has a method of such a name. */
const properties: ReadonlySet<string> = new Set(
  [...prototypes()]
    .flatMap((one) => Object.entries(Object.getOwnPropertyDescriptors(one)))
    .flatMap(([name, descriptor]) => ('get' in descriptor && name.startsWith('$') ? [name] : [])),
);

/** @throws Error naming a method, at any depth, that has the name of a property of all documents */
export function refusePropertyMethods(schema: Schema): void {
  for (const { schema: one } of placesOf(schema))
    for (const name of Object.keys(one.methods))
      if (properties.has(name))
        throw new Error(`the method ${name} has the name of a property that all documents of Mongoose have: rename it`);
}

/**
 * Warns about methods that replace those which Mongoose calls itself, but for those whose file suppresses Mongoose's own warning.
 * @param file the model file
 */
export const warningsOfMethods = (schema: Schema, file: string): readonly string[] =>
  placesOf(schema).flatMap(({ schema: one, prefix }) => {
    const { methodOptions = {}, reserved } = schemaParts(one);
    const isSuppressed = (name: string): boolean => name in reserved && methodOptions[name]?.suppressWarning === true;
    return Object.keys(one.methods)
      .filter((name) => internalNames.has(name) && !isSuppressed(name))
      .map(
        (name) =>
          `the method ${prefix}${name}${placeOf(name, file)} replaces Mongoose's own, by which it loads, checks and stores documents, so requests can fail: rename it`,
      );
  });

/** The first line of the file that has the name. */
function placeOf(name: string, file: string): string {
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.split(/[^\w$]+/).includes(name));
  return ` in ${relative('.', file)}${at === -1 ? '' : `:${at + 1}`}`;
}
