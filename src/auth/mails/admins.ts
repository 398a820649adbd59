/** Sends a mail to the admins. */
import { modelOf, type Row } from '../../models/mongoose.ts';
import type { KnownUser } from '../../policy/principal.ts';
import type { AuthCore } from '../core.ts';
import type { BuiltInMail } from './content.ts';

const maxMails = 100;

/** Sends it in the background, where a mail server is set up. @throws the driver's errors */
export async function mailAdmins({ registry, notifier }: Pick<AuthCore, 'registry' | 'notifier'>, mail: BuiltInMail) {
  const admins = { admin: true, _deleted: { $ne: true } };
  const fields = { projection: { email: 1, name: 1, groups: 1 }, limit: maxMails };
  const found = await modelOf(registry.internal('user')).collection.find(admins, fields).toArray();
  for (const row of found as Row[]) {
    const to = adminOf(row);
    if (to !== undefined) notifier.send(to, mail);
  }
}

function adminOf({ _id, email, name, groups }: Row): KnownUser | undefined {
  if (typeof email !== 'string') return undefined;
  const id = String(_id);
  const known = { _id: id, id, email, admin: true, groups: Array.isArray(groups) ? groups.map(String) : [] };
  return typeof name === 'string' ? { ...known, name } : known;
}
