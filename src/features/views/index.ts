/** Saved views and figures of the console: own ones, and shared ones (docs/console.md). */
import type { Feature } from '../feature.ts';
import { figures } from './figures/operations.ts';
import { viewModel, viewOrderModel } from './model.ts';
import { viewOperations } from './operations.ts';
import { viewOrders } from './order.ts';
import { savedViews } from './views.ts';

export const views: Feature = {
  name: 'views',
  operations: [viewOperations, figures],
  models: [viewModel, viewOrderModel],
  services: [savedViews, viewOrders],
};
