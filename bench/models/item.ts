/** The model that is measured: strings, numbers, dates, a nested document, a list and a link. */
import { Schema } from 'mongoose';
import { itemFields } from '../item-fields.ts';

const maker_id = { ...itemFields.maker_id, reverse: 'items' };

export default new Schema({ ...itemFields, maker_id }, {
  perms: { all: 'r', user: 'crud' },
  collection: 'items',
} as object).index({
  kind: 1,
  price: -1,
});
