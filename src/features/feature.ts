/**
 * A feature: all that can be left out of the server together, in a folder of its own. `index.ts` lists the features; nothing else
 * imports from their folders, and no feature imports another. What the core needs of a feature is a port of the core, which has a
 * plain default.
 */
import type { OperationSource } from '../operations/operation.ts';
import type { FeatureConfig } from '../settings/row.ts';

export interface Feature extends FeatureConfig, OperationSource {
  /** The name of its folder. */
  readonly name: string;
}
