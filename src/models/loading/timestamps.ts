/**
 * The times of creation and of the last change: `createdAt` and `updatedAt` of every document, and the same times under the names that a
 * schema gives them by Mongoose's option `timestamps`.
 */
import type { Schema, SchemaType } from 'mongoose';
import type { TimestampNames } from '../fields/model-schema.ts';
import { isModified, valueAt } from '../mongoose.ts';
import { ofServer } from '../mongoose/model-writes.ts';
import { kindSchemasOf } from '../mongoose/schema-places.ts';

const standard = ['createdAt', 'updatedAt'] as const;
/** The option of a prepared schema that has the names; copies of the schema have it, too. */
const option = 'otherTimestampNames';

/** The names that a schema gives the times besides the standard ones. */
export const timestampNamesOf = (schema: Schema): TimestampNames => schema.get(option as never) ?? {};

/** An update of `updatedAt` with the other name of it. */
export function withOtherNames<T extends Readonly<Record<string, unknown>>>(names: TimestampNames, times: T): T {
  const others = standard.flatMap((name) => {
    const other = names[name];
    return other === undefined || !Object.hasOwn(times, name) ? [] : [[other, times[name]] as const];
  });
  return others.length === 0 ? times : { ...times, ...(Object.fromEntries(others) as Partial<T>) };
}

/** Makes Mongoose set the standard times, and those of other names with them, also of the schema's kinds. @throws Error for a path that is no date */
export function addTimestamps(schema: Schema): void {
  const names = namesIn(schema.get('timestamps'));
  prepare(schema, names);
  // Mongoose gives the kinds of a compiled model the options of the model
  for (const kind of kindSchemasOf(schema)) if (kind.get('timestamps') !== undefined) prepare(kind, names);
}

function namesIn(given: unknown): TimestampNames {
  if (typeof given !== 'object' || given === null) return {};
  const others = standard.flatMap((name) => {
    const other = (given as Readonly<Record<string, unknown>>)[name];
    return typeof other === 'string' && other !== name ? [[name, other] as const] : [];
  });
  return Object.fromEntries(others);
}

function prepare(schema: Schema, names: TimestampNames): void {
  for (const path of [...standard, ...Object.values(names)]) {
    const declared = schema.path(path) as SchemaType | undefined;
    if (declared !== undefined && declared.instance !== 'Date') throw new Error(`${path} must be of type Date`);
  }
  if (schema.get('timestamps') !== true) schema.set('timestamps', true);
  setBeforeValidation(schema);
  if (Object.keys(names).length === 0) return;
  schema.set(option as never, names as never);
  onDocuments(schema);
  schema.pre(
    ['findOneAndUpdate', 'findOneAndReplace', 'updateOne', 'updateMany', 'replaceOne'],
    { query: true, document: false },
    ofServer(function (this: unknown) {
      const { schema: own } = (this as Updating).model;
      const update = (this as Updating).getUpdate();
      if (update !== null && !Array.isArray(update)) nameInUpdate(timestampNamesOf(own), update);
    }),
  );
}

/** Sets the times of new documents before they are validated, since a schema may require them: Mongoose does it after that. */
function setBeforeValidation(schema: Schema): void {
  schema.pre(
    'validate',
    ofServer(function (this: unknown) {
      const document = this as Dated;
      if (document.$isNew) document.initializeTimestamps();
    }),
  );
}

interface Dated {
  readonly $isNew: boolean;
  initializeTimestamps(): unknown;
  $set(path: string, value: unknown, type: undefined, options: object): unknown;
}

type Initialize = (this: unknown, options?: unknown) => unknown;

function onDocuments(schema: Schema): void {
  const methods = schema.methods as Record<string, unknown>;
  const initializeTimestamps = methods['initializeTimestamps'] as Initialize;
  methods['initializeTimestamps'] = function (this: unknown, options?: unknown) {
    initializeTimestamps.call(this, options);
    nameInDocument(schema, this as Dated);
    return this;
  };
  schema.pre(
    'save',
    ofServer(function (this: unknown) {
      nameInDocument(schema, this as Dated);
    }),
  );
}

/** A given time of creation counts under either name. */
function nameInDocument(schema: Schema, document: Dated): void {
  const { createdAt: created, updatedAt: updated } = timestampNamesOf(schema);
  if (created !== undefined && document.$isNew) {
    const given = valueAt(document, created);
    const [name, time] = given == null ? [created, valueAt(document, 'createdAt')] : ['createdAt', given];
    document.$set(name, time, undefined, { overwriteImmutable: true });
  }
  if (updated !== undefined && (document.$isNew || isModified(document, 'updatedAt')))
    document.$set(updated, valueAt(document, 'updatedAt'), undefined, {});
}

interface Updating {
  readonly model: { readonly schema: Schema };
  getUpdate(): Record<string, unknown> | unknown[] | null;
}

/** Mongoose has added the standard times to the operators, or to a replacement. */
function nameInUpdate(names: TimestampNames, update: Record<string, unknown>): void {
  Object.assign(update, withOtherNames(names, update));
  for (const operator of ['$set', '$setOnInsert']) {
    const operand = update[operator];
    if (typeof operand === 'object' && operand !== null)
      update[operator] = withOtherNames(names, operand as Readonly<Record<string, unknown>>);
  }
}
