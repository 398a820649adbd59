/** Random requests, the same for the same seed: mostly valid, for every reading endpoint, and aimed at hidden data. */

/** A request that only reads. */
export interface ReadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: unknown;
}

/** Paths that sort and compare. */
const paths: Readonly<Record<string, readonly string[]>> = {
  book: [
    '_id',
    'title',
    'price',
    'published',
    'author_id',
    'tag_id',
    'tags',
    'meta',
    'meta.colour',
    'meta.deep',
    '_owner_id',
    'createdAt',
    '__v',
    'left',
  ],
  author: ['_id', 'name', 'email', 'password', '_deleted', 'left'],
  note: [
    '_id',
    'title',
    'body',
    'login.site',
    'login.password',
    'login',
    'logins.site',
    'logins.password',
    'meta',
    'meta.colour',
    'meta.deep',
    'meta.password',
    '_owner_id',
    'left',
    'login.left',
    'logins.left',
    'gone.left',
  ],
  wiki: [
    '_id',
    'title',
    'count',
    'status',
    'note_id',
    'parent_id',
    '_owner_id',
    '_updated_by_id',
    '_deleted',
    'meta',
    'meta.deep',
    'left',
    'gone',
  ],
  tag: ['_id', 'label', 'password', '_owner_id', '__v'],
  ledger: ['_id', 'amount', 'body', 'wiki_id'],
  desk: [
    ...['_id', 'title', 'team', 'open', 'level', 'salary', 'pay', 'pay.sum', 'pay.note', 'parts.kind', 'parts.cost'],
    ...['parts', 'remark', 'boss_id', 'next_id', '_owner_id', '__v'],
  ],
  slip: ['_id', 'title', 'mark', 'desk_id', 'rank', '_owner_id'],
  user: ['_id', 'name', 'email', 'admin', 'groups', 'password', '_owner_id'],
};
/** Paths through links, which filters of lists take. */
const through: Readonly<Record<string, readonly string[]>> = {
  book: ['author.name', 'author.email', 'author.password', 'author._deleted', '_owner.name'],
  note: ['_owner.name', '_owner.email'],
  wiki: [
    'note.title',
    'note.body',
    'note.login.password',
    'note.left',
    'note.meta.colour',
    'parent.title',
    'parent.note.title',
  ],
  ledger: ['wiki.title', 'wiki.note.title'],
  desk: ['next.title', 'next.level', 'next.team', 'next.salary', 'next.remark', 'next.parts.cost', 'next.next.level'],
  slip: ['desk.title', 'desk.level', 'desk.open', 'desk.salary', 'desk.pay.sum', 'desk.boss.level', 'desk.next.level'],
};
/** Reverse links, some of them behind others. */
const reverses: Readonly<Record<string, readonly string[]>> = {
  desk: ['slips', 'earlier', 'staff', 'slips.desk', 'earlier.slips', 'next.slips', 'next.earlier', 'slips,earlier'],
  slip: ['desk.slips', 'desk.earlier', 'desk.next.slips'],
};
const models = Object.keys(paths);
const collections = [
  'tags',
  'books',
  'authors',
  'notes',
  'wikis',
  'ledgers',
  'desks',
  'slips',
  'users',
  '_dossier_accounts',
];
const links = [
  'author',
  'tag',
  'note',
  'parent',
  'book',
  '_owner',
  '_updated_by',
  'parent.note',
  'author_id',
  'desk',
  'next',
  'boss',
  'desk.boss',
  'desk.next',
];

/** @param ids of documents, visible and hidden ones */
export function requestsFrom(random: () => number, ids: readonly string[]): () => ReadRequest {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const maybe = <T>(chance: number, make: () => T): T | undefined => (random() < chance ? make() : undefined);
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: below(most + 1) }, make);
  const pathOf = (model: string): string => one(paths[model] ?? ['_id']);

  const value = (): unknown =>
    one([1, 5, -3, 'a', 'Wiki 3', 'CANARY', '$2b$', true, null, '2024-01-01', { $oid: one(ids) }, one(ids)]);
  const condition = (): unknown =>
    one<() => unknown>([
      value,
      () => ({ [one(['$gt', '$gte', '$lt', '$lte', '$ne', '$eq'])]: value() }),
      () => ({ $in: some(4, value) }),
      () => ({ $exists: random() < 0.5 }),
      () => ({ $regex: one(['a', '^W', '^\\$2', '[0-9]$', 'CAN']), $options: one(['', 'i']) }),
      () => ({ $not: { $gt: value() } }),
      () => ({ $type: one(['string', 'object', 'array', 'null']) }),
    ])();
  /** A path of a model, or one through a link of it. */
  const nameOf = (model: string): string => (random() < 0.35 ? one(through[model] ?? ['_owner.name']) : pathOf(model));
  const filter = (model: string, depth = 0, named = pathOf): Record<string, unknown> =>
    random() < 0.25 && depth < 3
      ? { [one(['$and', '$or', '$nor'])]: [filter(model, depth + 1, named), filter(model, depth + 1, named)] }
      : Object.fromEntries(some(2, () => [named(model), condition()]));

  const parameters = (model: string): string => {
    const given: [string, string | undefined][] = [
      ['limit', maybe(0.5, () => String(1 + below(20)))],
      ['page', maybe(0.3, () => String(1 + below(3)))],
      ['count', maybe(0.2, () => one(['true', 'capped', 'estimated']))],
      ['after', maybe(0.05, () => 'A'.repeat(120))],
      ['sort', maybe(0.4, () => one(['', '-']) + pathOf(model))],
      ['search', maybe(0.05, () => one(['Desk', 'Slip', 'CANARY', 'x']))],
      ['fields', maybe(0.3, () => [pathOf(model), pathOf(model)].join(','))],
      ['populate', maybe(0.3, () => one(random() < 0.6 ? (reverses[model] ?? links) : links))],
      ['autopopulate', maybe(0.2, () => '1')],
      [`search[${pathOf(model)}]`, maybe(0.1, () => one(['a', 'CANARY', '2b']))],
      [
        `filter[${nameOf(model)}]`,
        maybe(0.3, () => one(['', '$gt:', '$ne:', '$in:', '$lte:']) + String(one(['a', 5, 'Wiki 3', ids[0]]))),
      ],
    ];
    const texts = given.flatMap(([name, text]) => (text === undefined ? [] : [`${name}=${encodeURIComponent(text)}`]));
    return texts.length === 0 ? '' : `?${texts.join('&')}`;
  };

  const field = (model: string): string =>
    `$${one([pathOf(model), 'password', 'login', 'meta', 'salary', 'remark', 'left', 'gone', 'n', 'a'])}`;
  const expression = (model: string, depth = 0): unknown =>
    depth > 2
      ? field(model)
      : one<() => unknown>([
          () => field(model),
          () => one(['$$ROOT', '$$CURRENT']),
          () => ({ $objectToArray: one<unknown>(['$$ROOT', { $ifNull: [field(model), {}] }]) }),
          () => ({ $type: expression(model, depth + 1) }),
          () => ({
            [one(['$eq', '$gt', '$lt', '$cmp'])]: [expression(model, depth + 1), expression(model, depth + 1)],
          }),
          () => ({ $ifNull: [expression(model, depth + 1), 'none'] }),
          () => ({ $cond: [expression(model, depth + 1), 1, expression(model, depth + 1)] }),
          () => ({ $mergeObjects: ['$$ROOT', { a: field(model) }] }),
          () => ({
            $getField: {
              field: one(['password', 'Password', 'login', 'salary', 'pay', 'left', 'title']),
              input: '$$ROOT',
            },
          }),
          () => ({ $regexMatch: { input: { $toString: { $type: field(model) } }, regex: '^s' } }),
          () => ({ $size: { $ifNull: [{ $cond: [{ $isArray: field(model) }, field(model), []] }, []] } }),
          () => ({ $bsonSize: '$$ROOT' }),
          () => ({ $strLenBytes: { $toString: { $ifNull: [field(model), ''] } } }),
        ])();

  const source = (): string => one(collections);
  const stage = (model: string, depth: number): Record<string, unknown>[] =>
    one<() => Record<string, unknown>[]>([
      () => [{ $match: filter(model) }],
      () => [{ $match: { $expr: expression(model) } }],
      () => [{ $project: { a: expression(model), n: expression(model) } }],
      () => [{ $addFields: { a: expression(model), [one(['n', 'login', 'password'])]: expression(model) } }],
      () => [{ $group: { _id: expression(model), n: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      () => [{ $group: { _id: null, n: { [one(['$sum', '$max', '$min', '$first'])]: expression(model) } } }],
      () => [{ $sort: { [pathOf(model)]: 1, _id: 1 } }],
      () => [{ $sort: { _id: -1 } }, { $limit: 1 + below(5) }],
      () => [{ $skip: below(4) }],
      () => [
        { $unwind: { path: one(['$tags', '$logins', '$parts', '$a']), preserveNullAndEmptyArrays: random() < 0.5 } },
      ],
      () => [{ $unset: one(['title', 'password', 'meta', 'salary', 'pay']) }],
      () => [{ $count: 'n' }],
      () => [{ $replaceRoot: { newRoot: { a: expression(model), n: field(model) } } }],
      () => [{ $redact: { $cond: [expression(model), '$$KEEP', one(['$$PRUNE', '$$DESCEND'])] } }],
      () => [{ $lookup: { from: source(), localField: pathOf(model), foreignField: pathOf(one(models)), as: 'a' } }],
      () => [{ $lookup: { from: source(), pipeline: pipeline(one(models), depth + 1), as: 'a' } }],
      () => [{ $unionWith: { coll: source(), pipeline: pipeline(one(models), depth + 1) } }],
      () => [
        {
          $graphLookup: {
            from: source(),
            startWith: field(model),
            connectFromField: pathOf(one(models)),
            connectToField: pathOf(one(models)),
            as: 'a',
            maxDepth: 1,
          },
        },
      ],
      () => [{ $facet: { a: pipeline(model, depth + 1), n: pipeline(model, depth + 1) } }],
      () => [
        {
          $setWindowFields: {
            sortBy: { _id: 1 },
            output: { n: { $sum: 1, window: { documents: ['unbounded', 'current'] } } },
          },
        },
      ],
    ])();
  const pipeline = (model: string, depth = 0): Record<string, unknown>[] =>
    depth > 2 ? [] : some(3, () => stage(model, depth)).flat();

  return () => {
    const model = one(models);
    return one<() => ReadRequest>([
      () => ({ method: 'GET', path: `/api/${model}${parameters(model)}` }),
      () => ({ method: 'GET', path: `/api/${model}${parameters(model)}` }),
      () => ({ method: 'GET', path: `/api/${model}/${one(ids)}${maybe(0.3, () => parameters(model)) ?? ''}` }),
      () => ({ method: 'GET', path: `/count/${model}${parameters(model)}` }),
      () => ({ method: 'GET', path: `/csv/${model}${parameters(model)}` }),
      () => ({ method: 'GET', path: `/distinct/${model}/${pathOf(model)}${parameters(model)}` }),
      () => ({ method: 'GET', path: `/distinct/${model}/${pathOf(model)}` }),
      () => ({
        method: 'GET',
        path: one([
          '/model',
          `/model/${model}`,
          `/model/${model}/rights`,
          `/model/${model}/rights?id=${one(ids)}`,
          '/openapi.json',
          '/',
          `/docs/models/${model}`,
          `/groups/${one(ids)}`,
        ]),
      }),
      () => ({
        method: 'POST',
        path: `/query/${model}${parameters(model)}`,
        body: { query: filter(model, 0, nameOf) },
      }),
      () => ({
        method: 'POST',
        path: `/query/${model}${parameters(model)}`,
        body: { query: filter(model, 0, nameOf) },
      }),
      ...Array.from({ length: 6 }, () => (): ReadRequest => ({
        method: 'POST',
        path: `/aggregate/${model}`,
        body: pipeline(model),
      })),
    ])();
  };
}
