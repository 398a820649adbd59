/** The table of stages. */
import { notFirst, notSupported } from '../../errors.ts';
import { addFields } from './add-fields.ts';
import { bucket } from './bucket.ts';
import { bucketAuto } from './bucket-auto.ts';
import { count } from './count.ts';
import { densify } from './densify.ts';
import { documents } from './documents.ts';
import { facet } from './facet.ts';
import { fill } from './fill.ts';
import { graphLookup } from './graph-lookup.ts';
import { group } from './group.ts';
import { limit } from './limit.ts';
import { lookup } from './lookup.ts';
import { match } from './match.ts';
import { merge } from './merge.ts';
import { out } from './out.ts';
import { project } from './project.ts';
import { redact } from './redact.ts';
import { replaceRoot, replaceWith } from './replace-root.ts';
import { sample } from './sample.ts';
import { setWindowFields } from './set-window-fields.ts';
import { skip } from './skip.ts';
import { sort } from './sort.ts';
import { sortByCount } from './sort-by-count.ts';
import type { PipelineLevel, StageReader } from './stage.ts';
import { unionWith } from './union-with.ts';
import { unset } from './unset.ts';
import { unwind } from './unwind.ts';

/** Stages that require a MongoDB server. */
export const unsupported = [
  '$changeStreamSplitLargeEvent',
  '$geoNear',
  '$listClusterCatalog',
  '$listSampledQueries',
  '$listSearchIndexes',
  '$listSessions',
  '$planCacheStats',
  '$querySettings',
  '$queryStats',
  '$rankFusion',
  '$score',
  '$scoreFusion',
  '$search',
  '$searchMeta',
  '$shardedDataDistribution',
  '$vectorSearch',
];

const refused: StageReader = (_operand, _tools, name) => {
  throw notSupported(`the stage ${name}`);
};

/** Source stages, which the store answers itself. */
const onlyFirst: StageReader = (_operand, _tools, name) => {
  throw notFirst(name);
};

/** The reader of a stage, and where it is allowed. */
export interface StageRow {
  readonly read: StageReader;
  /** Allowed only at the end of the outermost pipeline. */
  readonly writes?: true;
  /** Allowed only at the start of its pipeline. */
  readonly first?: true;
  readonly notIn?: readonly PipelineLevel[];
}

/** Stages by name. */
export const stages: ReadonlyMap<string, StageRow> = new Map<string, StageRow>([
  ['$addFields', { read: addFields }],
  ['$bucket', { read: bucket }],
  ['$bucketAuto', { read: bucketAuto }],
  ['$count', { read: count }],
  ['$densify', { read: densify }],
  ['$documents', { read: documents, first: true, notIn: ['$facet'] }],
  ['$facet', { read: facet, notIn: ['$facet'] }],
  ['$fill', { read: fill }],
  ['$graphLookup', { read: graphLookup }],
  ['$group', { read: group }],
  ['$limit', { read: limit }],
  ['$lookup', { read: lookup }],
  ['$match', { read: match }],
  ['$merge', { read: merge, writes: true, notIn: ['$facet', '$lookup', '$unionWith'] }],
  ['$out', { read: out, writes: true, notIn: ['$facet', '$lookup', '$unionWith'] }],
  ['$project', { read: project }],
  ['$redact', { read: redact }],
  ['$replaceRoot', { read: replaceRoot }],
  ['$replaceWith', { read: replaceWith }],
  ['$sample', { read: sample }],
  ['$set', { read: addFields }],
  ['$setWindowFields', { read: setWindowFields }],
  ['$skip', { read: skip }],
  ['$sort', { read: sort }],
  ['$sortByCount', { read: sortByCount }],
  ['$unionWith', { read: unionWith }],
  ['$unset', { read: unset }],
  ['$unwind', { read: unwind }],
  ['$changeStream', { read: onlyFirst }],
  ['$collStats', { read: onlyFirst }],
  ['$currentOp', { read: onlyFirst }],
  ['$indexStats', { read: onlyFirst }],
  ['$listLocalSessions', { read: onlyFirst }],
  ...unsupported.map((name): readonly [string, StageRow] => [name, { read: refused }]),
]);
