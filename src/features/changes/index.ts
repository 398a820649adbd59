/** What has changed in a collection since a position (docs/changes.md). */
import type { Feature } from '../feature.ts';
import { makeImages } from './images.ts';
import { changesOf } from './operations.ts';
import { makePositions } from './positions.ts';

export const changes: Feature = { name: 'changes', operations: [changesOf], services: [makePositions, makeImages] };
