/**
 * The update of replaceOne: the stamps of the document, a user's privileges, and fields that the caller may not change
 * stay; everything else is replaced.
 */
import type { ModelActor } from '../../context.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import type { Row } from '../../models/mongoose.ts';
import { timestampNamesOf, withOtherNames } from '../../models/timestamps.ts';
import { unchangedByReplacement } from '../../policy/field-writes.ts';
import { policyFor } from '../../policy/policy.ts';
import { mayGiveRights } from '../../policy/writable.ts';
import { updatedBy } from '../stamps.ts';

const alwaysUnchanged = {
  _id: '$_id',
  _owner_id: '$_owner_id',
  createdAt: '$createdAt',
  _deleted: '$_deleted',
  [incarnationPath]: `$${incarnationPath}`,
  __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] },
};

/** The fields of a user that only an admin may change. */
const privileges = {
  admin: '$admin',
  groups: '$groups',
  email: '$email',
  email_verified: '$email_verified',
  password: '$password',
};

/** The other name of the time of creation, where the model has one. */
function otherCreation({ schema }: ModelActor['model']): Row {
  const { createdAt: name } = timestampNamesOf(schema);
  return name === undefined ? {} : { [name]: `$${name}` };
}

/** A replacement of documents. */
export interface Replacement {
  /** A whole new document, which provides the values. */
  readonly row: Row;
  /** It is only for documents of the caller's own. */
  readonly inOwnRows: boolean;
}

export function replacing(actor: ModelActor, { row, inOwnRows }: Replacement): Row[] {
  return [
    { $replaceWith: { $mergeObjects: [{ $literal: newFields(actor, row) }, unchangedFields(actor, inOwnRows)] } },
  ];
}

/** The same for a document in memory. */
export function replaced(actor: ModelActor, { row, inOwnRows }: Replacement, before: Row): Row {
  const names = Object.keys(unchangedFields(actor, inOwnRows)).filter((name) => Object.hasOwn(before, name));
  const unchanged = Object.fromEntries(names.map((name) => [name, before[name]]));
  return { ...newFields(actor, row), ...unchanged };
}

const keepsPrivileges = ({ model, principal }: ModelActor): boolean =>
  model.name === 'user' && !mayGiveRights(principal);

/** The fields that a replacement leaves as they are, and how a pipeline names them. */
function unchangedFields(actor: ModelActor, inOwnRows: boolean): Row {
  const { model, principal } = actor;
  const unwritable = unchangedByReplacement(policyFor(principal, model), inOwnRows).map((name) => [name, `$${name}`]);
  return {
    ...alwaysUnchanged,
    ...otherCreation(model),
    ...(keepsPrivileges(actor) ? privileges : {}),
    ...(Object.fromEntries(unwritable) as Row),
  };
}

const newFields = ({ principal, services, model }: ModelActor, row: Row): Row => ({
  ...Object.fromEntries(
    Object.entries(row).filter(
      ([name]) => !Object.hasOwn(alwaysUnchanged, name) && !Object.hasOwn(otherCreation(model), name),
    ),
  ),
  ...withOtherNames(model.schema, { updatedAt: services.clock() }),
  ...updatedBy(principal),
});
