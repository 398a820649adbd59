/** Slow reads and writes, and advice on indexes (docs/indexes.md). */
import type { Feature } from '../feature.ts';
import { adviseOnIndexes } from './advise.ts';
import { indexesConfig } from './config.ts';
import { indexBuilt, indexDropped } from './events.ts';
import { adviceModel, keptAdvice } from './kept.ts';
import { indexOperations } from './operations.ts';
import { slowReads } from './slow.ts';

export const indexes: Feature = {
  name: 'indexes',
  ...indexesConfig,
  operations: [indexOperations],
  accountEvents: [indexBuilt, indexDropped],
  models: [adviceModel],
  services: [keptAdvice, slowReads],
  advises: adviseOnIndexes,
  readWatch: slowReads,
};
