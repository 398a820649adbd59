/** The numbers of documents of all models in one answer, such as for a menu of models. */
import type { Feature } from '../feature.ts';
import { countSemaphore } from './counting.ts';
import { countOperations } from './operations.ts';

export const counts: Feature = { name: 'counts', operations: [countOperations], services: [countSemaphore] };
