/** The home page and the documentation: the reference, the guides, and a page to try requests (docs/endpoints.md). */
import type { Feature } from '../../core.ts';
import { pageOperations } from './operations.ts';

export const pages: Feature = {
  name: 'pages',
  operations: (described) => [pageOperations(described)],
};
