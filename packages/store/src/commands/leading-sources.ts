/** Stages that a pipeline may begin with, and that get their documents from the store itself rather than a collection. */
import { hostname } from 'node:os';
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { Context } from './context.ts';
import { describeOperation } from './operations.ts';
import { storageStats } from './stats.ts';

type LeadingSource = (context: Context, collection: string, options: Doc) => readonly Doc[];

const collStats: LeadingSource = ({ view, db }, name, options) => {
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

const indexStats: LeadingSource = ({ view, db, store }, name) =>
  (view.find(db, name)?.trees ?? []).map((tree) => ({
    name: tree.spec.name,
    key: tree.spec.key,
    host: hostname(),
    accesses: { ops: BigInt(tree.uses), since: new Date(store.startedAt) },
    spec: tree.spec.shown,
  }));

const currentOp: LeadingSource = ({ engine }) => engine.operations.map(describeOperation);

/** The stages, by name. */
export const leadingSources: ReadonlyMap<string, LeadingSource> = new Map([
  ['$collStats', collStats],
  ['$indexStats', indexStats],
  ['$currentOp', currentOp],
]);
