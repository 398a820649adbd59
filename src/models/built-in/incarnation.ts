/** A random value that each new user document gets: it distinguishes the user from an earlier one with the same `_id`. */
import { randomBytes } from 'node:crypto';
import { type Document, Schema } from 'mongoose';
import { addField } from '../loading/loaded-schema.ts';
import { withoutReport } from '../mongoose/save-hooks.ts';

/** Keys, sessions and OAuth identities are bound to this value, because an admin can choose the `_id`. */
export const incarnationPath = '_incarnation';

export const newIncarnation = (): string => randomBytes(18).toString('base64url');

/** Adds the field. Every document that Mongoose creates gets a new value, even if it is a copy. */
export function addIncarnation(schema: Schema): void {
  const field = { type: Schema.Types.String, select: false };
  addField(schema, incarnationPath, field);
  const set = withoutReport(function (this: Document & { readonly $isNew: boolean }) {
    if (this.$isNew) this.$set(incarnationPath, newIncarnation());
  });
  schema.pre('validate', set);
}
