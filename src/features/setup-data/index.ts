/** Documents of several models at once, for new servers (docs/start.md). */
import type { Feature } from '../feature.ts';
import { setupData } from './operations.ts';

export const dataSetup: Feature = {
  name: 'setup-data',
  operations: [setupData],
  incompleteAfterCrash: '/setup/data',
};
