import { Schema } from 'dossier';

export default new Schema(
  { name: { type: String, required: true, unique: true } },
  { perms: { user: 'r', admin: 'crud' } },
);
