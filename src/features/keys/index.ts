/** Named keys: credentials for programs, each with limits of its own (docs/keys.md). */
import type { Feature } from '../feature.ts';
import { keyCreated, keyRemoved, keyRotated } from './events.ts';
import { keyModel } from './model.ts';
import { namedKeys } from './named-keys.ts';
import { keyOperations } from './operations.ts';

export const keys: Feature = {
  name: 'keys',
  models: [keyModel],
  operations: (described) => [keyOperations(described)],
  accountEvents: [keyCreated, keyRotated, keyRemoved],
  storedKeys: [namedKeys],
};
