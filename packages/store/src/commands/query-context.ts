/** Builds the query context of a command. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { type Collation, readCollation, sameCollation } from 'dossier-language/values';
import { Collection } from '../engine/collection.ts';
import type { CursorWork } from '../engine/cursor-work.ts';
import type { QueryContext } from '../engine/query-context.ts';
import { DocumentCheck } from '../engine/validation.ts';
import { notOnView, type ResolvedView, resolveView } from '../engine/view-definition.ts';
import { docOf, flagOf } from './arguments.ts';
import type { Context } from './context.ts';

/**
 * The collection that a command reads or writes. A missing collection is represented by an empty one, so that the
 * arguments of the command are still checked; an insert or upsert creates the real one.
 * @throws StoreError 166 for a view
 */
export function targetOf({ view, db }: Context, name: string): Collection {
  const found = view.find(db, name);
  if (found === undefined && view.definition(db, name) !== undefined) throw notOnView(db, name);
  return found ?? Collection.missing(db, name);
}

/**
 * The collection of a command that needs an existing one; undefined if it is missing.
 * @throws StoreError 166 for a view
 */
export function existingOf(context: Context, name: string): Collection | undefined {
  const target = targetOf(context, name);
  return target.exists ? target : undefined;
}

/**
 * The view that a command reads, if its name is that of a view.
 * @throws StoreError 167 if the command has another collation than the view
 */
export function viewOf({ view, db }: Context, name: string, body: Doc): ResolvedView | undefined {
  const resolved = view.find(db, name) === undefined ? resolveView(view, db, name) : undefined;
  if (resolved !== undefined && hasCollation(body) && !sameCollation(requestedCollation(body), resolved.collation))
    throw new StoreError(167, `Cannot override a view's default collation of ${db}.${name}`);
  return resolved;
}

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
    check: context.check,
    yieldLock: progress && (() => progress.yieldLockWithin()),
  };
}

/** The checks of a command: expressions of a validator have the collation of its collection, and no variables. */
export function documentCheckOf(context: () => Context, body: Doc): DocumentCheck {
  return new DocumentCheck(
    ({ name, collation }) => ({ ...queryContextOf(context(), name, {}), collation, let: undefined }),
    flagOf(body, 'bypassDocumentValidation'),
  );
}

/** The collation that a command sets. An empty document means none, as in MongoDB. */
export function requestedCollation(options: Doc): Collation | undefined {
  return hasCollation(options) ? readCollation(docOf(options, 'collation') ?? {}) : undefined;
}

const hasCollation = (options: Doc): boolean => Object.keys(docOf(options, 'collation') ?? {}).length > 0;
