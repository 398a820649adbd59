/** The user whose sessions or keys a request is about. */
import type { Context } from '../context.ts';
import { adminOnly, signInFirst, unknownDocument } from '../errors/errors.ts';
import { castId } from '../models/fields/values/ids-and-dates.ts';
import { textOf } from '../query/parameter-tree.ts';

/** The id of the caller, or of the user that an admin names as `user`. @throws 400, 403, 404 */
export async function targetUserId({ services, principal, query }: Context): Promise<string> {
  const { user } = principal;
  if (user === undefined) throw signInFirst();
  const named = textOf(query, 'user');
  if (named === undefined) return user.id;
  const id = castId('user', named).toHexString();
  if (id === user.id) return id;
  if (!principal.admin) throw adminOnly(principal, 'user');
  if ((await services.auth.principalOfUser(id)) === undefined) throw unknownDocument('user', id);
  return id;
}
