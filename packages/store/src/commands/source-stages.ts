/** Stages that start a pipeline and read from the store instead of a collection. */
import { hostname } from 'node:os';
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { Context } from './context.ts';
import { describeOperation } from './operations.ts';
import { storageStats } from './stats.ts';

type SourceStage = (context: Context, collection: string, options: Doc) => readonly Doc[];

const collStats: SourceStage = ({ view, db }, name, options) => {
  const collection = view.find(db, name);
  if (collection === undefined && !('storageStats' in options))
    throw new StoreError(26, `Collection [${db}.${name}] not found.`);
  return [
    {
      ns: `${db}.${name}`,
      host: hostname(),
      localTime: new Date(),
      ...('storageStats' in options ? { storageStats: storageStats(collection, 1) } : {}),
      ...('count' in options ? { count: collection?.size ?? 0 } : {}),
    },
  ];
};

const indexStats: SourceStage = ({ view, db, store }, name) =>
  (view.find(db, name)?.trees ?? []).map((tree) => ({
    name: tree.spec.name,
    key: tree.spec.key,
    host: hostname(),
    accesses: { ops: BigInt(tree.uses), since: new Date(store.startedAt) },
    spec: tree.spec.shown,
  }));

const currentOp: SourceStage = ({ engine }) => engine.operations.map(describeOperation);

/** Source stages by name. */
export const sourceStages: ReadonlyMap<string, SourceStage> = new Map([
  ['$collStats', collStats],
  ['$indexStats', indexStats],
  ['$currentOp', currentOp],
]);
