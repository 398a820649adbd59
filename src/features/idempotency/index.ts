/** Requests that are sent again with the same `Idempotency-Key` (docs/writing.md). */
import { type Feature, provide, recorder } from '../../core.ts';
import { idempotencyKey, records } from './interceptor.ts';
import { recordModel } from './model.ts';

export const idempotency: Feature = {
  name: 'idempotency',
  models: [recordModel],
  interceptors: [idempotencyKey],
  provides: [provide(recorder, records)],
  begin: (services) => services.of(records).releaseEnded(),
};
