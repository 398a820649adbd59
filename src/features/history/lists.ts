/** Pages of entries: their parameters, and the cursors of what follows. */
import type { ModelContext } from '../../context.ts';
import { badParameter } from '../../errors.ts';
import { type Answer, json } from '../../operations/answer.ts';
import { pageCursors, pageLimit } from '../../operations/pages.ts';
import { shapeValue } from '../../policy/shape.ts';
import type { Filter } from '../../query/filter.ts';
import { textOf, timeOf } from '../../query/parameter-tree.ts';
import { otherThanChange } from './models.ts';
import { seenEntriesBelow, seenEntriesOf, subjectOf } from './reading.ts';
import type { SeenEntry } from './visible.ts';

export const operations = ['create', 'change', 'delete', 'restore', 'remove'] as const;

/** The entries of a document, the newest first. */
export async function listOfDocument(context: ModelContext): Promise<Answer> {
  const limit = pageLimit(context);
  const subject = await subjectOf(context, context.params['id']);
  const cursor = cursorsOf<{ readonly rev: number }>(context, subject.key);
  const below = cursor.given()?.rev;
  const entries = await seenEntriesBelow(context, subject, below, limit);
  const shown = entries.slice(0, limit);
  const last = entries.length > limit ? shown.at(-1) : undefined;
  return page(shown, limit, last && cursor.of({ rev: last.rev }));
}

/** The entries of all documents of a model, the newest first. */
export async function listOfModel(context: ModelContext): Promise<Answer> {
  const limit = pageLimit(context);
  const cursor = cursorsOf<{ readonly at: number; readonly _id: string }>(context, context.model.name);
  const filter = filterOf(context);
  const given = cursor.given();
  const after = given && { at: new Date(given.at), _id: given._id };
  const entries = await seenEntriesOf(context, { filter, after, limit });
  const shown = entries.slice(0, limit);
  const last = entries.length > limit ? shown.at(-1)?.place : undefined;
  return page(
    shown.map(({ entry }) => entry),
    limit,
    last && cursor.of({ at: last.at.getTime(), _id: last._id }),
  );
}

const page = (entries: readonly SeenEntry[], limit: number, next: string | undefined): Answer =>
  json({ data: shapeValue(entries), limit, ...(next === undefined ? {} : { next_cursor: next }) });

/** @throws 400 */
function filterOf({ query }: ModelContext): Filter {
  const [since, until] = [timeOf(query, 'since'), timeOf(query, 'until')];
  const [who, op] = [textOf(query, 'who'), textOf(query, 'op')];
  if (op !== undefined && !(operations as readonly string[]).includes(op))
    throw badParameter('op', `must be one of ${operations.join(', ')}, got ${JSON.stringify(op.slice(0, 40))}`);
  const at = { ...(since && { $gte: since }), ...(until && { $lte: until }) };
  return {
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...(who === undefined ? {} : { who }),
    ...(op === undefined ? {} : { operation: filterOfOperation(op) }),
  };
}

export const filterOfOperation = (op: string): object => ({ $eq: op, ...(op === 'change' ? {} : otherThanChange) });

/** The cursors of a list, which hold for equal parameters only. @param list names it */
function cursorsOf<Place>(context: ModelContext, list: string): ReturnType<typeof pageCursors<Place>> {
  const { since, until, who, op } = context.query;
  return pageCursors<Place>(context, ['history', list, since, until, who, op]);
}
