/** The user model that a server has unless a file `user.*` replaces it. */
import { Schema } from 'mongoose';

/** Fields that give rights; only admins set them. */
export const userSchema = (): Schema =>
  new Schema(
    {
      name: { type: String, trim: true, maxlength: 200 },
      email: { type: String, required: true, unique: true, lowercase: true, trim: true, maxlength: 254 },
      password: { type: String },
      admin: { type: Boolean, default: false },
      groups: { type: [String], default: [] },
    },
    { perms: { admin: 'crud', owner: 'ru' } } as object,
  );
