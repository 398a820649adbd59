import { Schema } from 'dossier';

export default new Schema(
  { title: { type: String, required: true }, text: String },
  { perms: { all: 'r', agents: 'crud', admin: 'crud' } },
);
