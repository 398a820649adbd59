/** What creating with a history is measured with. */
import { Schema } from 'mongoose';
import { itemFields } from '../../item-fields.ts';

export default new Schema(itemFields, { perms: { user: 'crud' }, collection: 'drafts', history: true } as object);
