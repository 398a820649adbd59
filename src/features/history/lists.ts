/** Pages of entries: their parameters, and the cursors of what follows. */
import { type Answer, badParameter, bytes, type Filter, type ModelContext, pageLimit, textOf } from '../../core.ts';
import { pageCursors } from '../../operations/pages.ts';
import { timeOf } from '../../query/parameter-tree.ts';
import { EntriesPage } from './entries-page.ts';
import { otherThanChange } from './models.ts';
import { type Place, readOfModel } from './of-model.ts';
import { readBelow, subjectOf } from './reading.ts';

export const operations = ['create', 'change', 'delete', 'restore', 'remove'] as const;

/** The entries of a document, the newest first. */
export async function listOfDocument(context: ModelContext): Promise<Answer> {
  const page = pageOf<{ readonly rev: number }>(context);
  const subject = await subjectOf(context, context.params['id']);
  const cursor = cursorsOf<{ readonly rev: number }>(context, subject.key);
  await readBelow(context, { subject, below: cursor.given()?.rev, page });
  return bytes(page.answer((place) => cursor.of(place)));
}

/** The entries of all documents of a model, the newest first. */
export async function listOfModel(context: ModelContext): Promise<Answer> {
  const page = pageOf<Place>(context);
  const cursor = cursorsOf<{ readonly at: number; readonly _id: string }>(context, context.model.name);
  const filter = filterOf(context);
  const given = cursor.given();
  await readOfModel(context, { filter, after: given && { at: new Date(given.at), _id: given._id }, page });
  return bytes(page.answer(({ at, _id }) => cursor.of({ at: at.getTime(), _id })));
}

const pageOf = <P>(context: ModelContext): EntriesPage<P> =>
  new EntriesPage(pageLimit(context), context.services.settings.query_limits.max_response_size);

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
