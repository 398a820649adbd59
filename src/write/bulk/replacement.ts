/** The update of replaceOne: stamps and a user's privileges are kept; everything else is replaced. */
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

/** The fields of a user that only an admin may change. */
const privileges = { admin: '$admin', groups: '$groups', password: '$password' };

/** @param row a whole new document, which provides the values */
export function replacing({ model, principal, services }: ModelContext, row: Row): Row[] {
  const fields = Object.fromEntries(Object.entries(row).filter(([name]) => !Object.hasOwn(kept, name)));
  const stamps = {
    updatedAt: services.clock(),
    ...updatedBy(principal),
  };
  // a verification applies only to the verified address
  const email_verified = { $cond: [{ $eq: ['$email', { $literal: row['email'] }] }, '$email_verified', false] };
  const stays = model.name === 'user' && !principal.admin ? { ...kept, ...privileges, email_verified } : kept;
  return [{ $replaceWith: { $mergeObjects: [{ $literal: { ...fields, ...stamps } }, stays] } }];
}
