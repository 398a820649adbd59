/** Requests that are sent again with the same `Idempotency-Key` (docs/writing.md). */
import type { Feature } from '../feature.ts';
import { idempotencyKey, records } from './interceptor.ts';
import { recordModel } from './model.ts';

export const idempotency: Feature = {
  name: 'idempotency',
  models: [recordModel],
  recorders: [records],
  interceptors: [idempotencyKey],
  begin: (services) => services.of(records).releaseEnded(),
};
