/** A random value that a user document is given when it is made: it tells the user from an earlier one with the same `_id`. */
import { randomBytes } from 'node:crypto';
import { Schema } from 'mongoose';
import { addField } from '../base.ts';

/** Keys, sessions and OAuth identities belong to this value, not to the `_id` alone, which an admin may choose. */
export const incarnationPath = '_incarnation';

export const newIncarnation = (): string => randomBytes(18).toString('base64url');

/** Adds the field. Every document that Mongoose makes gets a value of its own, whatever it was made from. */
export function bindToMaking(schema: Schema): void {
  const field = { type: Schema.Types.String, select: false };
  addField(schema, incarnationPath, field);
  schema.pre('validate', function () {
    if (this.$isNew) this.$set(incarnationPath, newIncarnation());
  });
}
