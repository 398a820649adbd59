/** Builds the query context of a command. */
import type { Doc } from 'dossier-language/values';
import { type Collation, readCollation } from 'dossier-language/values';
import { Collection } from '../engine/collection.ts';
import type { CursorWork } from '../engine/cursor-work.ts';
import type { QueryContext } from '../engine/query-context.ts';
import { docOf } from './arguments.ts';
import type { Context } from './context.ts';

/**
 * The collection that a command reads or writes. A missing collection is represented by an empty one, so that the
 * arguments of the command are still checked; an insert or upsert creates the real one.
 */
export const targetOf = ({ view, db }: Context, name: string): Collection =>
  view.find(db, name) ?? Collection.missing(db, name);

/** The query context for a collection. `options` holds the collation: the command, or one of its statements. */
export function queryContextOf(context: Context, collection: string, options: Doc = context.body): QueryContext {
  const { progress } = context;
  const work: CursorWork = { operation: context.operation };
  return {
    db: context.db,
    collection,
    view: context.view,
    work: work,
    limits: context.store.limits,
    now: new Date(),
    let: docOf(context.body, 'let'),
    collation: hasCollation(options)
      ? requestedCollation(options)
      : context.view.find(context.db, collection)?.collation,
    yieldLock: progress && (() => progress.yieldLockWithin()),
  };
}

/** The collation that a command sets. An empty document means none, as in MongoDB. */
export function requestedCollation(options: Doc): Collation | undefined {
  return hasCollation(options) ? readCollation(docOf(options, 'collation') ?? {}) : undefined;
}

const hasCollation = (options: Doc): boolean => Object.keys(docOf(options, 'collation') ?? {}).length > 0;
