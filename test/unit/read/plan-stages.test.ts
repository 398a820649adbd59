/** The plans of MongoDB's versions and of sharded clusters. */
import { expect, test } from '@jest/globals';
import { planFrom, type Stage } from '../../../src/read/plan-stages.ts';

const index = { stage: 'IXSCAN', indexName: 'year_1_title_1', keyPattern: { year: 1, title: 1 } };
const byYear = { index: 'year_1_title_1', leading: ['year'] };
const byId = { index: '_id_', leading: ['_id'] };
const none = { index: undefined, leading: [] };

test.each<[what: string, winning: Stage, expected: object]>([
  ['a scan', { stage: 'COLLSCAN' }, { plan: 'COLLSCAN', sorts: false, ...none }],
  [
    'a sort',
    { stage: 'SORT', inputStage: { stage: 'FETCH', inputStage: index } },
    { plan: 'SORT < FETCH < IXSCAN', sorts: true, ...byYear },
  ],
  [
    'a sort of what is equal so far, of the embedded store',
    { stage: 'SORT', presortedFields: 1, inputStage: index },
    { plan: 'SORT < IXSCAN', sorts: false, ...byYear },
  ],
  [
    'two indexes',
    { stage: 'OR', inputStages: [index, { stage: 'IXSCAN', indexName: 'genre_1', keyPattern: { genre: 1 } }] },
    { plan: 'OR < IXSCAN < IXSCAN', sorts: false, index: 'year_1_title_1, genre_1', leading: ['year', 'genre'] },
  ],
  ['one document', { stage: 'IDHACK' }, { plan: 'IDHACK', sorts: false, ...byId }],
  [
    'one document, of MongoDB 8',
    { stage: 'EXPRESS_IXSCAN', indexName: '_id_', keyPattern: '{ _id: 1 }' },
    { plan: 'EXPRESS_IXSCAN', sorts: false, ...byId },
  ],
  ['another engine of plans', { queryPlan: index }, { plan: 'IXSCAN', sorts: false, ...byYear }],
  [
    'shards',
    { stage: 'SHARD_MERGE', shards: [{ winningPlan: index }, { winningPlan: index }] },
    { plan: 'SHARD_MERGE < IXSCAN', sorts: false, ...byYear },
  ],
])('%s', (_, winning, expected) => expect(planFrom(winning)).toEqual(expected));
