import { ObjectId, Schema } from 'dossier';

export default new Schema(
  {
    name: { type: String, required: true },
    email: { type: String, required: true, unique: true },
    team_id: { type: ObjectId, link: 'team' },
  },
  { perms: { agents: 'crud', admin: 'crud' } },
);
