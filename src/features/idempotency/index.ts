/** Requests that are sent again with the same `Idempotency-Key` (docs/writing.md). */
import { provide } from '../../ports/port.ts';
import type { Feature } from '../feature.ts';
import { recorder } from '../ports.ts';
import { idempotencyKey, records } from './interceptor.ts';
import { recordModel } from './model.ts';

export const idempotency: Feature = {
  name: 'idempotency',
  models: [recordModel],
  interceptors: [idempotencyKey],
  provides: [provide(recorder, records)],
  begin: (services) => services.of(records).releaseEnded(),
};
