/** Aggregation pipelines, each with the rows that the oracle expects. */
import { cut, extentOf, isGiven, type Json, matches, mayName, type Model, orderOf, type Row } from './oracle.ts';
import { type Asking, expectSame, expectStatus, filterFor, type Question, readable, refusalOf } from './reads.ts';
import { linkedFrom, scalars } from './universe.ts';

interface Pipeline {
  readonly stages: readonly Json[];
  /** Paths that leading `$match` stages name, by their model. */
  readonly named?: readonly (readonly [Model, readonly string[]])[];
  /** A model that is joined. */
  readonly joined?: Model;
  readonly rows: () => readonly unknown[];
}

/** What pipelines see of the rows that a caller may read. */
const seen = (question: Question, model: Model): readonly Json[] =>
  readable(question, model).map((row) => cut(row, (path) => mayName(model, question.caller, path)) as Json);

/** The rows with dates, to filter by, and as they are answered. */
const filtered = (question: Question, model: Model, { filter }: Asking): readonly Json[] => {
  const ids = new Set(
    readable(question, model)
      .filter((row: Row) => matches(filter, row, { ...question.caller, own: undefined }))
      .map(({ _id }) => _id),
  );
  return seen(question, model).filter(({ _id }) => ids.has(_id));
};

const valueAt = (row: Json, path: string): unknown =>
  path.split('.').reduce<unknown>((at, part) => (at as Json | undefined)?.[part], row);

const sorted: Json = { $sort: { _id: 1 } };

const kinds: readonly ((question: Question) => Pipeline)[] = [
  (question) => {
    const asking = filterFor(question);
    return {
      stages: [{ $match: asking.filter }, sorted],
      named: [[question.model, asking.paths]],
      rows: () => filtered(question, question.model, asking),
    };
  },
  (question) => {
    const path = question.world.chance.one(scalars);
    return {
      stages: [{ $group: { _id: `$${path}`, n: { $sum: 1 } } }],
      rows: () => {
        const groups = new Map<unknown, number>();
        for (const row of seen(question, question.model)) {
          const value = valueAt(row, path) ?? null;
          groups.set(value, (groups.get(value) ?? 0) + 1);
        }
        return [...groups].map(([_id, n]) => ({ _id, n }));
      },
    };
  },
  (question) => {
    const path = question.world.chance.one(scalars);
    return {
      stages: [sorted, { $project: { v: `$${path}` } }],
      rows: () =>
        seen(question, question.model).map((row) => {
          const v = valueAt(row, path);
          return { _id: row['_id'], ...(v === undefined ? {} : { v }) };
        }),
    };
  },
  (question) => {
    const path = question.world.chance.one(scalars);
    return {
      stages: [{ $sort: { [path]: 1 } }, { $count: 'n' }],
      rows: () => {
        const { length } = seen(question, question.model);
        return length === 0 ? [] : [{ n: length }];
      },
    };
  },
  (question) => {
    const joined = question.world.model(linkedFrom(question.model.name));
    return {
      stages: [{ $lookup: { from: joined.name, localField: 'link_id', foreignField: '_id', as: 'there' } }, sorted],
      joined,
      rows: () =>
        seen(question, question.model).map((row) => ({
          ...row,
          there: seen(question, joined).filter(({ _id }) => _id === row['link_id']),
        })),
    };
  },
  (question) => {
    const joined = question.world.model(linkedFrom(question.model.name));
    const asking = filterFor({ ...question, model: joined });
    return {
      stages: [{ $lookup: { from: joined.name, pipeline: [{ $match: asking.filter }, sorted], as: 'there' } }, sorted],
      joined,
      named: [[joined, asking.paths]],
      rows: () => {
        const there = filtered(question, joined, asking);
        return seen(question, question.model).map((row) => ({ ...row, there }));
      },
    };
  },
  (question) => {
    const joined = question.world.model(linkedFrom(question.model.name));
    const asking = filterFor({ ...question, model: joined });
    return {
      stages: [{ $unionWith: { coll: joined.name, pipeline: [{ $match: asking.filter }] } }, sorted],
      joined,
      named: [[joined, asking.paths]],
      rows: () =>
        [...seen(question, question.model), ...filtered(question, joined, asking)].sort((one, other) =>
          orderOf(one['_id'], other['_id']),
        ),
    };
  },
  (question) => {
    const joined = question.world.model(linkedFrom(question.model.name));
    return {
      stages: [
        {
          $graphLookup: {
            from: joined.name,
            startWith: '$link_id',
            connectFromField: 'level',
            connectToField: '_id',
            as: 'there',
            maxDepth: 0,
          },
        },
        sorted,
      ],
      joined,
      named: [[joined, ['level']]],
      rows: () =>
        seen(question, question.model).map((row) => ({
          ...row,
          there: seen(question, joined).filter(({ _id }) => _id === row['link_id']),
        })),
    };
  },
  (question) => ({
    stages: [{ $facet: { all: [sorted], none: [{ $limit: 1 }, { $count: 'n' }] } }],
    rows: () => {
      const all = seen(question, question.model);
      return [{ all, none: all.length === 0 ? [] : [{ n: 1 }] }];
    },
  }),
];

export async function aggregate(question: Question): Promise<void> {
  const { world, who, model, caller } = question;
  const { stages, named = [], joined, rows } = world.chance.one(kinds)(question);
  const answer = await world.ask({ who, method: 'POST', path: `/aggregate/${model.name}`, body: stages });
  if (!isGiven(model, caller, 'r')) return expectStatus(answer, [refusalOf(caller)]);
  const isClosed = joined !== undefined && ['own', 'none'].includes(extentOf(joined, caller, 'r'));
  const isHidden = named.some(([of, list]) => list.some((path) => !mayName(of, caller, path)));
  if (isClosed || isHidden) return expectStatus(answer, [...(isClosed ? [403] : []), ...(isHidden ? [400] : [])]);
  expectStatus(answer, [200]);
  const inOrder = stages.includes(sorted) || stages.length !== 1;
  const key = (row: unknown): string => JSON.stringify(row);
  const order = (list: readonly unknown[]): readonly unknown[] =>
    inOrder ? list : [...list].sort((one, other) => orderOf(key(one), key(other)));
  const plain = JSON.parse(JSON.stringify(rows())) as unknown[];
  expectSame('rows', order(answer.body['data'] as unknown[]), order(plain));
}
