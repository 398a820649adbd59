/** The collections of saved views, and of their orders. */
import { type InternalModel, internalSchema, objectId } from '../../models/built-in/internal-model.ts';

/** A saved view (docs/console.md). `filter` and `figure` are JSON. It ends with its owner. */
export const viewModel = {
  name: 'view',
  collection: '_dossier_views',
  ofUsers: { path: 'user_id' },
  schema: () =>
    internalSchema({
      user_id: { type: objectId, required: true, index: true },
      model: { type: String, required: true },
      title: { type: String, required: true },
      shared: { type: Boolean, required: true, index: true },
      filter: String,
      search: String,
      sort: String,
      fields: { type: [String], default: undefined },
      deleted: String,
      figure: String,
      created_at: { type: Date, required: true },
      changed_at: { type: Date, required: true },
    }),
} as const satisfies InternalModel;

/** The order of one user's views. It ends with the user. */
export const viewOrderModel = {
  name: 'view_order',
  collection: '_dossier_view_orders',
  ofUsers: { path: '_id' },
  schema: () => internalSchema({ _id: { type: objectId, required: true }, ids: { type: [String], required: true } }),
} as const satisfies InternalModel;
