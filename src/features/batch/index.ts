/** Several writes in one request (docs/writing.md). */
import type { Feature } from '../../core.ts';
import { batches } from './operations.ts';

export const batch: Feature = {
  name: 'batch',
  operations: (described) => [batches(described)],
};
