/** Saved views and figures of the console: own ones, and shared ones (docs/console.md). */
import {
  type Feature,
  type InternalModel,
  internalSchema,
  objectId,
  ownService,
  provide,
  readByTheirUsers,
} from '../../core.ts';
import { jsonText } from '../../models/built-in/internal-model.ts';
import { figures } from './figures/operations.ts';
import { viewOperations } from './operations.ts';
import { viewOrders } from './order.ts';
import { savedViews } from './views.ts';

/** A saved view (docs/console.md). `filter` and `figure` are JSON. It ends with its owner. */
const viewModel = {
  name: 'view',
  collection: '_dossier_views',
  ofUsers: { path: 'user_id' },
  isOwn: true,
  publishes: true,
  schema: () =>
    internalSchema(
      {
        user_id: { type: objectId, required: true, index: true },
        model: { type: String, required: true },
        title: { type: String, required: true },
        shared: { type: Boolean, required: true, index: true },
        filter: jsonText,
        search: String,
        sort: String,
        fields: { type: [String], default: undefined },
        deleted: String,
        figure: jsonText,
        created_at: { type: Date, required: true },
        changed_at: { type: Date, required: true },
      },
      { perms: readByTheirUsers, label: 'Saved views', title: 'title' },
    ),
} as const satisfies InternalModel;

/** The order of one user's views. It ends with the user. */
const viewOrderModel = {
  name: 'view_order',
  collection: '_dossier_view_orders',
  ofUsers: { path: '_id' },
  schema: () => internalSchema({ _id: { type: objectId, required: true }, ids: { type: [String], required: true } }),
} as const satisfies InternalModel;

export const views: Feature = {
  name: 'views',
  operations: [viewOperations, figures],
  models: [viewModel, viewOrderModel],
  provides: [provide(ownService, savedViews), provide(ownService, viewOrders)],
};
