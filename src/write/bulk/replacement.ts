/** The update of replaceOne: the stamps of the document, a user's privileges, and fields that the caller may not change stay; everything else is replaced. */
import { keptByReplacement } from '../../policy/field-writes.ts';
import { policyFor } from '../../policy/policy.ts';
import type { ModelContext } from '../../context.ts';
import { incarnationPath } from '../../models/built-in/incarnation.ts';
import type { Row } from '../../models/mongoose.ts';
import { updatedBy } from '../stamps.ts';

const kept = {
  _id: '$_id',
  _owner_id: '$_owner_id',
  createdAt: '$createdAt',
  _deleted: '$_deleted',
  [incarnationPath]: `$${incarnationPath}`,
  __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] },
};

/** What only an admin changes of a user. */
const privileges = { admin: '$admin', groups: '$groups', password: '$password' };

/** @param row a whole new document, of which the values are taken */
export function replacing(context: ModelContext, row: Row): Row[] {
  // a verification holds for the address that was verified
  const email_verified = { $cond: [{ $eq: ['$email', { $literal: row['email'] }] }, '$email_verified', false] };
  const stays = keepsPrivileges(context) ? { ...staying(context), email_verified } : staying(context);
  return [{ $replaceWith: { $mergeObjects: [{ $literal: newFields(context, row) }, stays] } }];
}

/** The same for a document in memory. */
export function replaced(context: ModelContext, row: Row, before: Row): Row {
  const names = Object.keys(staying(context)).filter((name) => Object.hasOwn(before, name));
  const stays = Object.fromEntries(names.map((name) => [name, before[name]]));
  return { ...newFields(context, row), ...stays };
}

const keepsPrivileges = ({ model, principal }: ModelContext): boolean => model.name === 'user' && !principal.admin;

/** The fields that a replacement leaves as they are, and how a pipeline names them. */
function staying(context: ModelContext): Row {
  const { model, principal } = context;
  const unwritable = keptByReplacement(policyFor(principal, model)).map((name) => [name, `$${name}`]);
  return {
    ...kept,
    ...(keepsPrivileges(context) ? privileges : {}),
    ...(Object.fromEntries(unwritable) as Row),
  };
}

const newFields = ({ principal, services }: ModelContext, row: Row): Row => ({
  ...Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(kept, name))),
  updatedAt: services.clock(),
  ...updatedBy(principal),
});
