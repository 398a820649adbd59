/** `email_verified` of a user applies to the verified address: a write of another address clears it. */
import type { ClientSession, Document, Schema } from 'mongoose';
import { plainEmail } from '../../text/email.ts';
import { withoutReport } from '../mongoose/save-hooks.ts';

/** The parts of a Mongoose query that the hook reads. */
interface UpdateQuery {
  readonly model: { readonly collection: { findOne(filter: object, options: object): Promise<object | null> } };
  getFilter(): object;
  getUpdate(): unknown;
  getOptions(): { readonly session?: ClientSession | null };
  set(path: string, value: unknown): unknown;
}

/** Adds hooks for saved documents and for updates. A write that sets both the address and `email_verified` is not changed. */
export function clearVerification(schema: Schema): void {
  const clear = withoutReport(function (this: Document & { readonly $isNew: boolean }) {
    if (!this.$isNew && this.isDirectModified('email') && !this.isDirectModified('email_verified'))
      this.$set('email_verified', false);
  });
  const clearInUpdate = withoutReport(async function (this: unknown) {
    const query = this as UpdateQuery;
    const email = emailSetBy(query.getUpdate());
    if (email !== undefined && !(await isOwnEmail(query, email))) query.set('email_verified', false);
  });
  schema.pre('validate', clear);
  schema.pre(['findOneAndUpdate', 'updateOne', 'updateMany'], { query: true, document: false }, clearInUpdate);
}

type Fields = Readonly<Record<string, unknown>>;

/** The address that an update sets, unless it also sets `email_verified`. */
function emailSetBy(update: unknown): unknown {
  if (typeof update !== 'object' || update === null) return undefined;
  const { $set, $unset, ...rest } = update as { readonly $set?: Fields; readonly $unset?: Fields };
  const set: Fields = { ...rest, ...$set };
  if ('email_verified' in set) return undefined;
  return $unset !== undefined && 'email' in $unset ? null : set['email'];
}

/** Whether an updated user already has this address. Addresses are unique, so no other user can have it. */
async function isOwnEmail(query: UpdateQuery, email: unknown): Promise<boolean> {
  if (typeof email !== 'string') return false;
  const { session } = query.getOptions();
  const filter = { $and: [query.getFilter(), { email: plainEmail(email) }] };
  const options = { projection: { _id: 1 }, ...(session === undefined || session === null ? {} : { session }) };
  return (await query.model.collection.findOne(filter, options)) !== null;
}
