/** Items with a history: what a write costs with it. */
import { Schema } from 'mongoose';
import { itemFields } from '../../item-fields.ts';

export default new Schema(itemFields, {
  perms: { all: 'r', user: 'crud' },
  collection: 'items',
  history: true,
} as object).index({ kind: 1, price: -1 });
