/** The ids of a model's documents: reading them from paths and values, and the rules of those that callers give. */
import type { Schema } from 'mongoose';
import { badId, validationFailed } from '../../errors/errors.ts';
import type { ModelEntry } from '../entry.ts';
import { type Setter, typeParts } from '../mongoose/internals.ts';
import { castJson } from './cast.ts';
import { idFrom, type IdType, objectIdType } from './id-types.ts';
import { idTypes } from './types/index.ts';

/** @throws Error for a schema without an id of a known type */
export function checkIdType({ paths }: Schema, model: string): void {
  const { instance } = paths['_id'] ?? {};
  if (model === 'user' && instance !== objectIdType.name)
    throw new Error('_id of the user model must be an ObjectId: sessions, keys and owners name users by it');
  if (instance === undefined)
    throw new Error(
      '_id is missing: every model needs one, so omit the option _id: false; begin the name of a file that defines no model with _',
    );
  if (!idTypes.has(instance)) throw new Error(`_id must be of type ${[...idTypes.keys()].join(', ')}, not ${instance}`);
}

/** The type of a schema's ids. Internal models may have ids of other types, which no request names. */
export const idTypeOf = ({ paths }: Schema): IdType => idTypes.get(paths['_id']?.instance ?? '') ?? objectIdType;

/** The ids of a model, as its schema declares them. */
export interface DeclaredIds {
  readonly type: IdType;
  /** What changes an id before it is stored. */
  readonly setters: readonly Setter[];
}

export function declaredIds(schema: Schema): DeclaredIds {
  const id = schema.paths['_id'];
  // that of an id which Mongoose makes is its own, and makes one where none is given
  const isPlain = id === undefined || typeParts(id).options['auto'] === true;
  return { type: idTypeOf(schema), setters: isPlain ? [] : [...typeParts(id).setters] };
}

/** Whether the server makes the ids of a model's documents, as Mongoose does. Callers, other than admins, cannot set them. */
export const hasObjectIds = ({ idType }: Pick<ModelEntry, 'idType'>): boolean => idType === objectIdType;

/**
 * The id of a document that a value stands for, changed by the setters of its path as stored ids are. @throws 400
 */
export function documentId(
  { idType, schema }: Pick<ModelEntry, 'idType' | 'schema'>,
  path: string,
  value: unknown,
): unknown {
  const given = idBeforeSetters({ idType }, path, value);
  if (idType === objectIdType) return given;
  return idBeforeSetters({ idType }, path, castJson(schema, '_id', given));
}

/** The id of the document that the path of a request names. @throws 400 */
export const idInPath = ({
  model,
  params,
}: {
  readonly model: Pick<ModelEntry, 'idType' | 'schema'>;
  readonly params: Readonly<Record<string, string>>;
}): unknown => documentId(model, 'id', params['id']);

/** The id that a value stands for, before the setters of its path. @throws 400 */
export function idBeforeSetters({ idType }: Pick<ModelEntry, 'idType'>, path: string, value: unknown): unknown {
  const id = idFrom(idType, value);
  if (id !== undefined) return id;
  throw badId(path, idType.rule, typeof value === 'string' ? value : JSON.stringify(value ?? null));
}

/** Adds the rules of ids that callers give to a schema. @param isGivenLater whether code may give one after validation */
export function requireOwnId(schema: Schema, isGivenLater: boolean): void {
  const type = schema.paths['_id'];
  const idType = idTypes.get(type?.instance ?? '');
  if (type === undefined || idType === undefined || idType === objectIdType) return;
  const { rule } = idType;
  if (!isGivenLater) type.required(true, missingId(rule));
  type.validate({ validator: (id: unknown) => idFrom(idType, id) !== undefined, message: `_id ${rule}`, type: idRule });
}

const missingId = (rule: string): string => `_id is required: it ${rule}`;

/** The rules of `requireOwnId` for the id of a new document, which code may have given after validation. @throws 400 */
export function checkNewId({ idType }: Pick<ModelEntry, 'idType'>, id: unknown): void {
  if (idType === objectIdType || idFrom(idType, id) !== undefined) return;
  const { rule } = idType;
  const isMissing = id === undefined || id === null;
  const fault = isMissing ? { kind: 'required', message: missingId(rule) } : { kind: idRule, message: `_id ${rule}` };
  throw validationFailed([{ path: '_id', ...fault }]);
}

/** The type of the validator that `requireOwnId` adds. */
export const idRule = 'id';
