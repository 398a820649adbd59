/** Requests for walks by cursors and for the values of a field, each with the answer that the oracle expects. */
import { isGiven, type Json, mayName, shown } from './oracle.ts';
import { expectSame, expectStatus, type Question, readable, refusalOf } from './reads.ts';
import { scalars } from './universe.ts';
import { everyone } from './world.ts';

/** Walks through a list page by page: each row that the caller may read is in one page, as the caller sees it. */
export async function walk(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const sort = world.chance.one([...scalars, '_id']);
  const path = `/api/${model.name}?sort=${world.chance.one(['', '-'])}${sort}&count=capped&limit=`;
  const pages: (readonly Json[])[] = [];
  for (let cursor = ''; pages.length < 50;) {
    const answer = await world.ask({ who, method: 'GET', path: `${path}${2 + world.chance.below(4)}${cursor}` });
    if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
    if (sort !== '_id' && !mayName(model, caller, sort)) return expectStatus(answer, [400]);
    expectStatus(answer, [200]);
    pages.push(answer.rows);
    expectSame('count', [answer.body['count'], answer.body['count_is']], [readable(question, model).length, 'exact']);
    if (answer.body['next_cursor'] === undefined) break;
    cursor = `&after=${String(answer.body['next_cursor'])}`;
    if (world.chance.is(0.2)) await expectForeign(question, path, cursor);
  }
  const byId = (rows: readonly Json[]): unknown => Object.fromEntries(rows.map((row) => [String(row['_id']), row]));
  const rows = readable(question, model).map((row) => shown(model, caller, row));
  expectSame('rows', pages.flat().length, rows.length);
  expectSame('rows', byId(pages.flat()), byId(rows));
}

/** A cursor reveals no more than the caller's own rows: callers who read other rows cannot use it. */
async function expectForeign({ world, model, state }: Question, path: string, cursor: string): Promise<void> {
  const other = world.chance.one(everyone);
  const caller = world.caller(other, state);
  const answer = await world.ask({ who: other, method: 'GET', path: `${path}3${cursor}` });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  expectStatus(answer, [200, 400]);
  const own = new Set(readable({ world, who: other, caller, model, state }, model).map((row) => row['_id']));
  const foreign = answer.rows.filter((row) => !own.has(row['_id']));
  expectSame('rows by the cursor of another caller', foreign, []);
}

/** `GET /distinct` of a field. */
export async function distinct(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const path = world.chance.one(scalars);
  const answer = await world.ask({ who, method: 'GET', path: `/distinct/${model.name}/${path}?limit=1000` });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  if (!mayName(model, caller, path)) return expectStatus(answer, [400]);
  expectStatus(answer, [200]);
  const counts = new Map<string, number>();
  for (const row of readable(question, model))
    for (const value of valuesOf(row, path.split('.'))) {
      const text = JSON.stringify(value);
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const got = answer.rows.map(({ value, count }) => [JSON.stringify(value), count] as const);
  expectSame('values', Object.fromEntries(got), Object.fromEntries(counts));
  const frequencies = got.map(([, count]) => Number(count));
  expectSame(
    'order',
    frequencies,
    [...frequencies].sort((one, other) => other - one),
  );
}

/** The values at a path, those of each member of a list. */
function valuesOf(value: unknown, [part, ...rest]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value))
    return value.flatMap((member) => valuesOf(member, part === undefined ? [] : [part, ...rest]));
  if (part === undefined) return value === undefined ? [] : [value];
  return typeof value === 'object' && value !== null ? valuesOf((value as Json)[part], rest) : [];
}
