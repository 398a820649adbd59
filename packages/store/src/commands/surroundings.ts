/** What a command's queries and pipelines run with, from its context. */
import { Collection } from '../engine/collection.ts';
import type { Clock } from '../engine/clock.ts';
import type { Surroundings } from '../engine/pipeline-context.ts';
import { readCollation, type Collation } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import { docOf } from './arguments.ts';
import type { Context } from './context.ts';

/**
 * The collection that a command reads or changes. One that does not exist is represented by an empty collection, so that
 * what the command asks for is checked all the same; an insertion or upsert creates the real one.
 */
export const targetOf = ({ view, db }: Context, name: string): Collection =>
  view.find(db, name) ?? Collection.missing(db, name);

/** The surroundings for a collection; `let` and `collation` are the command's, or those of one of its statements. */
export function surroundingsOf(context: Context, collection: string, options: Doc = context.body): Surroundings {
  const { turn } = context;
  const clock: Clock = { operation: context.operation };
  return {
    db: context.db,
    collection,
    view: context.view,
    clock,
    limits: context.store.limits,
    now: new Date(),
    let: docOf(context.body, 'let'),
    collation: isAsked(options) ? askedCollation(options) : context.view.find(context.db, collection)?.collation,
    pass: turn && (() => turn.passWithin()),
  };
}

/** The collation that a command asks for. An empty document is none, as in MongoDB. */
export function askedCollation(options: Doc): Collation | undefined {
  return isAsked(options) ? readCollation(docOf(options, 'collation') ?? {}) : undefined;
}

const isAsked = (options: Doc): boolean => Object.keys(docOf(options, 'collation') ?? {}).length > 0;
