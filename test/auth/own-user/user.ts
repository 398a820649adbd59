import { Schema } from 'mongoose';

/** Editors may change users; nothing is said of emails but that there is one. */
export default new Schema(
  { email: String, nick: { type: String, alias: 'handle' }, team_id: { type: Schema.Types.ObjectId, link: 'team' } },
  {
    perms: { admin: 'crud', editors: 'ru', owner: 'ru' },
    advanced_queries: { query: true, aggregate: true, bulkwrite: true },
  } as object,
);
