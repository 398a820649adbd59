/** Finds the discriminator of a stored document: only its Mongoose model has all of the document's fields. */
import type { ModelActor } from '../../context.ts';
import { badValue, type Failure, validationFailed } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { isKeyOfPart, kindIn, ownPathState, schemaOfKind } from '../../models/fields/known-path.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { kindModelOf, modelOf, type Row } from '../../models/mongoose.ts';
import type { Policy } from '../../policy/policy.ts';
import { isValue } from '../../query/filter.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import { sessionOf } from '../commit.ts';
import { kindFault, kindsWith } from './kind-fault.ts';
import { readTypes } from './types.ts';

type Model = ReturnType<typeof modelOf>;

/**
 * The Mongoose model for changing the document of a filter; without discriminators the schema's own, without a query.
 * @param update its values for fields of the kind are read by their types, in place @throws 400 for another kind, and for fields of others
 */
export async function discriminatorOf(actor: ModelActor, filter: Row, update: KindUpdate): Promise<Model> {
  const own = modelOf(actor.model);
  if (actor.model.schema.kinds.length === 0) return own;
  const key = actor.model.schema.kindKey;
  const row = (await own.collection.findOne(filter, { projection: { [key]: 1 }, ...sessionOf(actor) })) as Row | null;
  if (row !== null) readKindFields(actor.model, update, row);
  return kindModelOf(actor.model, row?.[key]) ?? own;
}

/** An update by operators, as far as it concerns the kinds of documents. */
export interface KindUpdate {
  readonly $set: Row;
  readonly [operator: string]: Readonly<Row>;
}

/**
 * Reads the values of an update for fields that only documents of some kinds have, in place, now that the kind is known.
 * @param stored the document, or its key @throws 400 for another kind, and for fields of others
 */
export function readKindFields(model: ModelEntry, { $set, ...operators }: KindUpdate, stored: Readonly<Row>): void {
  const { schema } = model;
  if (schema.kindValues.length === 0) return;
  refuseOtherKind(model, $set, kindIn(schema, stored));
  const isOfKinds = (path: string): boolean => typeAt(schema, path).kind === 'unknown';
  // a path that an operator removes has no value
  const values = Object.fromEntries(
    Object.entries($set).filter(([path, value]) => isOfKinds(path) && value !== undefined),
  );
  const names = Object.keys(values);
  const faults = [...readTypes(values, schema, false, stored)];
  for (const name of names) {
    if (Object.hasOwn(values, name)) $set[name] = values[name];
    else delete $set[name];
  }
  const kind = kindIn(schema, stored);
  for (const path of pathsOf(operators).filter(isOfKinds)) {
    const isOwn = ownPathState(schemaOfKind(schema, kind), path).kind !== 'unknown';
    const fault = isOwn ? undefined : kindFault(schema, path, { kind, prefix: '' });
    faults.push(...(fault?.errors ?? []));
  }
  if (faults.length > 0) throw validationFailed(faults);
}

/**
 * Refuses another kind for a document, of which Mongoose would keep the old one.
 * @param set the values to set @param stored the kind of the document; undefined where it is unknown @throws 400
 */
export function refuseOtherKind({ name, schema }: ModelEntry, set: Readonly<Row>, stored: unknown): void {
  const key = schema.kindKey;
  if (!Object.hasOwn(set, key) || schema.kindValues.length === 0 || set[key] === stored) return;
  throw badValue(
    key,
    'discriminator',
    `decides which fields the document has and cannot be changed: replace the document, by replaceOne of POST /bulkwrite/${name}, whose upserts set it in $setOnInsert`,
  );
}

/** The failure of the key of a nested document by itself: the fields that are stored beside it would be those of another kind. */
export function keyOfPart(path: string): Failure {
  const above = path.slice(0, path.lastIndexOf('.'));
  return badValue(path, 'discriminator', `decides which fields ${above} has: send the whole ${above} with it`);
}

/** @throws 400 naming the path */
function refuseKeyOfPart(schema: ModelSchema, path: string): void {
  if (isKeyOfPart(schema, path)) throw keyOfPart(path);
}

/** An update without the keys of nested documents, which documents must have as the caller sends them back. */
export interface WithoutKeys {
  readonly update: Update;
  readonly keys: ReadonlyMap<string, unknown>;
}

/** Whether a caller may compare the value of a path, which the answer reveals. */
export const comparableBy =
  (policy: Policy) =>
  (path: string): boolean =>
    policy.permits('r') && policy.view.shows(path);

const noKeys: WithoutKeys['keys'] = new Map();

/** @param sees whether the caller may compare a path */
export function withoutKeysOfParts(
  { schema }: ModelEntry,
  update: Update,
  sees: (path: string) => boolean,
): WithoutKeys {
  const { $set = {} } = update;
  const sent = Object.keys($set).filter(
    (path) => typeof $set[path] === 'string' && path.includes('.') && isKeyOfPart(schema, path) && sees(path),
  );
  if (sent.length === 0) return { update, keys: noKeys };
  const keys = new Map(sent.map((path) => [path, $set[path]]));
  const others = Object.entries($set).filter(([path]) => !keys.has(path));
  return { update: { ...update, $set: Object.fromEntries(others) }, keys };
}

/** As `refuseFieldsOfParts`, for the key alone and a document that is loaded, whose kinds may be sent back. @throws 400 naming the path */
export function refuseOtherKeysOfParts(
  schema: ModelSchema,
  update: KindUpdate,
  stored: (path: string) => unknown,
): void {
  const { $set, ...operators } = update;
  const changed = Object.keys($set).filter((path) => $set[path] !== stored(path));
  for (const path of [...changed, ...pathsOf(operators)]) refuseKeyOfPart(schema, path);
}

/** Whether a filter names one document, whose discriminator can be looked up. */
export const namesOne = ({ _id }: Row): boolean => _id !== undefined && _id !== null && isValue(_id);

/**
 * Refuses dotted paths to what depends on the kind of a nested document: its key, and the fields that only a discriminator has, which
 * Mongoose removes from an update without the key.
 * @throws 400 naming the path
 */
export function refuseFieldsOfParts({ schema }: ModelEntry, paths: readonly string[]): void {
  for (const path of paths) {
    // most are names of fields, which are in no part
    if (!path.includes('.')) continue;
    refuseKeyOfPart(schema, path);
    if (typeAt(schema, path).kind !== 'unknown') continue;
    const parts = path.split('.');
    for (let end = parts.length - 1; end > 0; end--) {
      const above = parts.slice(0, end).join('.');
      const type = typeAt(schema, above);
      if (type.kind !== 'document' || type.schema === undefined) continue;
      const rest = parts.slice(end).join('.');
      const owners = kindsWith(type.schema, rest);
      if (owners !== undefined)
        throw badValue(path, 'path', `is a field of ${owners}: send the whole ${above}, or use PUT /update`);
      break;
    }
  }
}

/**
 * Refuses fields of discriminators if the discriminator is unknown, because they can be neither cast nor checked.
 * @throws 400 naming the path
 */
export function refuseDiscriminatorPaths({ schema }: ModelEntry, paths: readonly string[]): void {
  for (const path of paths) {
    const owners = kindsWith(schema, path);
    if (owners !== undefined)
      throw badValue(path, 'path', `is a field of ${owners}: name the document by its _id to change it`);
  }
}
