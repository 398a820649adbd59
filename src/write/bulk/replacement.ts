/** The update of replaceOne: the stamps of the document, and a user's privileges, stay; everything else is replaced. */
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
export function replacing({ model, principal, services }: ModelContext, row: Row): Row[] {
  const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(kept, name)));
  const stamps = {
    updatedAt: services.clock(),
    ...updatedBy(principal),
  };
  // a verification holds for the address that was verified
  const email_verified = { $cond: [{ $eq: ['$email', { $literal: row['email'] }] }, '$email_verified', false] };
  const stays = model.name === 'user' && !principal.admin ? { ...kept, ...privileges, email_verified } : kept;
  return [{ $replaceWith: { $mergeObjects: [{ $literal: { ...fields, ...stamps } }, stays] } }];
}
