/** What features do with reads. */
import type { PastDocuments } from '../context.ts';
import type { CacheParts, Core, OpenCache } from '../ports/parts.ts';
import { type Maker, port } from '../ports/port.ts';
import type { Settings } from '../settings/types.ts';
import type { ReadWatch } from './contract.ts';

/** The cache of answers; of one feature. Undefined where the settings switch it off. */
export const answerCache = port<Settings, Maker<CacheParts, OpenCache> | undefined>('cache of answers', undefined);

/** Reads documents of models with history as they were; of one feature. */
export const pastDocuments = port<void, PastDocuments | undefined>('documents as they were', undefined);

/** Receives how long reads took; of one feature. */
export const readWatch = port<Core, ReadWatch>('watch of reads', { seen: () => undefined });
