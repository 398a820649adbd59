/** What creating is measured with: the fields of an item in a collection that is never read. */
import { Schema } from 'mongoose';
import { itemFields } from '../item-fields.ts';

export default new Schema(itemFields, {
  perms: { user: 'crud' },
  collection: 'drafts',
  advanced_queries: { bulkwrite: true },
} as object);
