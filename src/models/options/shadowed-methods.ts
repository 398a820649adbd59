/** Methods of schemas that take the place of methods which Mongoose calls itself: documents then neither load, nor are checked, nor stored. */
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import mongoose, { type Document, type Schema } from 'mongoose';
import { framesOf } from '../../adapters/stack.ts';
import { type AnyModel, anyModel } from '../author/handle.ts';
import { unopenedConnection } from '../connect.ts';
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

/** A method or a virtual of a schema that has the name of a member of Mongoose's documents. */
interface Shadowing {
  readonly kind: 'method' | 'virtual';
  readonly name: string;
  /** Adds it to another schema. */
  readonly addTo: (schema: Schema) => void;
}

/** The names of all members of documents. */
const memberNames: ReadonlySet<string> = new Set([...prototypes()].flatMap((one) => Object.getOwnPropertyNames(one)));

const shadowingIn = (schema: Schema): readonly Shadowing[] => [
  ...Object.entries<() => unknown>(schema.methods)
    .filter(([name]) => internalNames.has(name))
    .map(([name, method]) => ({
      kind: 'method' as const,
      name,
      addTo: (other: Schema) => void other.method(name, method, { suppressWarning: true }),
    })),
  ...Object.keys(schema.virtuals)
    .filter((name) => memberNames.has(name) && name !== 'id')
    .map((name) => ({
      kind: 'virtual' as const,
      name,
      addTo(other: Schema) {
        other.virtual(name).get(function (this: Document, value: unknown) {
          return schema.virtualpath(name)?.applyGetters(value, this) as unknown;
        });
      },
    })),
];

/**
 * Refuses what takes the place of a member without which Mongoose makes, loads, checks or changes no document, at any depth. An error of the member's
 * own code is none of Mongoose's, so that a method which calls the one that it replaces is judged by its model's own documents.
 * @param file the model file; undefined for a model of the server @throws Error naming the member, its line and Mongoose's error
 */
export function refuseBreakingMembers(schema: Schema, file: string | undefined): void {
  refusePropertyMethods(schema);
  if (file === undefined) return;
  for (const { schema: one, prefix } of placesOf(schema))
    for (const { kind, name, addTo } of shadowingIn(one)) {
      const reason = reasonOfFailure(addTo, prefix !== '');
      if (reason !== undefined)
        throw new Error(
          `the ${kind} ${prefix}${name}${placeOf(name, file)} takes the place of a member of Mongoose's documents that Mongoose needs (${reason}): rename it`,
        );
    }
}

/** Mongoose's error with documents that have a member, at the top or nested in others; undefined if they work. */
function reasonOfFailure(addTo: (schema: Schema) => void, isNested: boolean): string | undefined {
  const part = new mongoose.Schema({ n: Number });
  if (isNested) addTo(part);
  const whole = new mongoose.Schema({ n: Number, part, parts: [part] });
  if (!isNested) addTo(whole);
  const connection = unopenedConnection();
  try {
    return faultOfDocuments(anyModel(connection.model('Trial', whole)));
  } catch (error) {
    return error instanceof Error && isOfMongoose(error) ? error.message : undefined;
  } finally {
    void connection.destroy();
  }
}

/** Whether Mongoose throws an error, or what calls it here, rather than a member's own code. */
function isOfMongoose(error: Error): boolean {
  const [frame] = framesOf(error);
  return frame?.owner === 'server' || /[\\/]node_modules[\\/]mongoose[\\/]/.test(frame?.file ?? '');
}

/** What is wrong with a document, and nested ones, when it is made, loaded, changed and checked. @throws what Mongoose throws */
function faultOfDocuments(model: AnyModel): string | undefined {
  const made = new model({ n: 1, part: { n: 1 }, parts: [{ n: 1 }] });
  made.toObject();
  const _id = new mongoose.Types.ObjectId();
  const stored = model.hydrate({ _id, n: 1, part: { _id, n: 1 }, parts: [{ _id, n: 1 }] });
  if ([stored.get('n'), stored.get('part.n'), stored.get('parts.0.n')].some((value) => value !== 1))
    return 'documents are loaded without their values';
  stored.set({ n: 2, 'part.n': 2, 'parts.0.n': 2 });
  stored.modifiedPaths();
  return [made, stored].some((document) => Boolean(document.validateSync()))
    ? 'valid documents are refused'
    : undefined;
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
