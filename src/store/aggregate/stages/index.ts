/** The stages of pipelines, by name. What is not here is refused. */
import { densify } from './densify.ts';
import { bucket, bucketAuto, count, group, sortByCount } from './group.ts';
import { facet, graphLookup, lookup, unionWith } from './join.ts';
import { limit, sample, skip, sort } from './order.ts';
import { match, project, redact, replaceRoot, replaceWithStage, set, unset, unwind } from './shape.ts';
import type { Stage } from './stage.ts';
import { fill, setWindowFields } from './windows.ts';
import { merge, out } from './write.ts';

export const stages: ReadonlyMap<string, Stage> = new Map<string, Stage>([
  ['$match', match],
  ['$project', project],
  ['$set', set],
  ['$addFields', set],
  ['$unset', unset],
  ['$replaceRoot', replaceRoot],
  ['$replaceWith', replaceWithStage],
  ['$unwind', unwind],
  ['$redact', redact],
  ['$group', group],
  ['$count', count],
  ['$sortByCount', sortByCount],
  ['$bucket', bucket],
  ['$bucketAuto', bucketAuto],
  ['$sort', sort],
  ['$limit', limit],
  ['$skip', skip],
  ['$sample', sample],
  ['$lookup', lookup],
  ['$graphLookup', graphLookup],
  ['$unionWith', unionWith],
  ['$facet', facet],
  ['$setWindowFields', setWindowFields],
  ['$fill', fill],
  ['$densify', densify],
  ['$out', out],
  ['$merge', merge],
]);
