/**
 * Twenty questions about the sample, answered by scripts that see nothing but the descriptions of tools and their results. A script has a
 * fixed plan; what it names must have been in what it has seen. The right answers are computed from all documents.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { type Agent, agentAt, type Tool } from '../support/mcp.ts';

type Row = Readonly<Record<string, any>>;

/** An agent that keeps to what it has seen, and to the limits of results. */
class Script {
  readonly #fields = new Map<string, ReadonlySet<string>>();
  constructor(
    private readonly agent: Agent,
    private readonly tools: readonly Tool[],
  ) {}

  /** The models and their fields, as an agent learns them first. */
  async learn(): Promise<readonly Row[]> {
    const models = await this.#call('list_models', {});
    for (const { name, fields } of models.data as Row[])
      this.#fields.set(String(name), new Set(Object.keys(fields as object)));
    return models.data as Row[];
  }

  async use(name: string, given: Row): Promise<Row> {
    const known = this.#fields.get(String(given['model']));
    expect([given['model'], known !== undefined]).toEqual([given['model'], true]);
    const sorted = [given['sort'] ?? []].flat().map((path: string) => path.replace(/^-/, ''));
    const filtered = Object.keys((given['filter'] as object | undefined) ?? {}).filter((path) => !path.startsWith('$'));
    for (const path of [...sorted, ...filtered, ...((given['fields'] as string[] | undefined) ?? [])])
      expect([path, known?.has(path)]).toEqual([path, true]);
    return this.#call(name, given);
  }

  /** All rows, page after page. */
  async all(name: string, given: Row): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let after: string | undefined; ;) {
      const page = await this.use(name, { ...given, ...(after === undefined ? {} : { after }) });
      rows.push(...(page['data'] as Row[]));
      after = page['next_cursor'] as string | undefined;
      if (after === undefined) return rows;
    }
  }

  async #call(name: string, given: Row): Promise<Row> {
    const tool = this.tools.find((one) => one.name === name);
    const { properties = {}, required = [] } = tool?.inputSchema ?? {};
    for (const argument of Object.keys(given)) expect(Object.keys(properties as object)).toContain(argument);
    expect(Object.keys(given)).toEqual(expect.arrayContaining(required as string[]));
    const { structuredContent, isError, content } = await this.agent.call(name, given);
    expect([name, given, isError === true ? content : undefined]).toEqual([name, given, undefined]);
    expect(Buffer.byteLength(JSON.stringify(structuredContent))).toBeLessThanOrEqual(65_536);
    const { data } = structuredContent as { data?: unknown };
    if (Array.isArray(data)) expect(data.length).toBeLessThanOrEqual(100);
    return structuredContent as Row;
  }
}

let library: Library;
let script: Script;
let films: readonly Row[];
let people: readonly Row[];
let tags: readonly Row[];
let models: readonly Row[];

beforeAll(async () => {
  library = await openLibrary();
  const agent = await agentAt(library.url);
  script = new Script(agent, await agent.tools());
  models = await script.learn();
  [films = [], people = [], tags = []] = await Promise.all(['film', 'person', 'tag'].map(everything));
}, 180_000);

async function everything(model: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | undefined; ;) {
    const at = after === undefined ? '' : `&after=${after}`;
    const answer = (await (await fetch(`${library.url}/api/${model}?limit=1000${at}`)).json()) as any;
    rows.push(...(answer.data as Row[]));
    after = answer.next_cursor as string | undefined;
    if (after === undefined) return rows;
  }
}

const by =
  (field: string) =>
  (one: Row, other: Row): number =>
    Number(other[field] ?? -Infinity) - Number(one[field] ?? -Infinity);
const countBy = (rows: readonly unknown[]): Map<unknown, number> => {
  const counts = new Map<unknown, number>();
  for (const one of rows) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};
const count = async (model: string, filter?: Row): Promise<number> =>
  (await script.use('count', { model, ...(filter === undefined ? {} : { filter }) }))['count'] as number;
const first = async (given: Row): Promise<Row> =>
  ((await script.use('find', { ...given, limit: 1 }))['data'] as Row[])[0] ?? {};
const groups = async (pipeline: readonly object[]): Promise<readonly Row[]> =>
  script.all('aggregate', { model: 'film', pipeline });
const idNamed = async (model: string, name: string): Promise<string> =>
  String((await first({ model, filter: { name } }))['_id']);
const rated = (film: Row): boolean => typeof film['rating'] === 'number';

/** A question, the plan of the script, and the right answer. */
const questions: readonly (readonly [string, () => Promise<unknown>, () => unknown])[] = [
  [
    'Which models are there?',
    () => Promise.resolve(models.map(({ name }) => name)),
    () => ['film', 'person', 'review', 'tag'],
  ],
  ['How many films are there?', () => count('film'), () => films.length],
  [
    'How many films are of 1999?',
    () => count('film', { year: 1999 }),
    () => films.filter(({ year }) => year === 1999).length,
  ],
  [
    'Which film with 100,000 votes or more is rated best?',
    async () =>
      (await first({ model: 'film', filter: { votes: { $gte: 100_000 } }, sort: ['-rating', '-votes'] }))['title'],
    () =>
      [...films]
        .filter(({ votes }) => Number(votes) >= 100_000)
        .sort((one, other) => by('rating')(one, other) || by('votes')(one, other))[0]?.['title'],
  ],
  [
    'Who directed Titanic?',
    async () => {
      const { director_id } = await first({ model: 'film', filter: { title: 'Titanic' }, fields: ['director_id'] });
      return (await script.use('get', { model: 'person', id: director_id }))['data'].name as string;
    },
    () => people.find(({ _id }) => _id === films.find(({ title }) => title === 'Titanic')?.['director_id'])?.['name'],
  ],
  [
    'How many films did Steven Spielberg direct?',
    async () => count('film', { director_id: await idNamed('person', 'Steven Spielberg') }),
    () => {
      const id = people.find(({ name }) => name === 'Steven Spielberg')?.['_id'];
      return films.filter(({ director_id }) => director_id === id).length;
    },
  ],
  [
    'How many films have each certificate?',
    async () =>
      Object.fromEntries(
        (await script.all('distinct', { model: 'film', path: 'certificate' })).map(({ value, count: n }) => [
          String(value),
          n,
        ]),
      ),
    () =>
      Object.fromEntries(
        [
          ...countBy(films.map(({ certificate }) => certificate).filter((one) => one !== undefined && one !== null)),
        ].map(([value, n]) => [String(value), n]),
      ),
  ],
  [
    'Which certificates may a film have?',
    async () => (await script.use('describe_model', { model: 'film' }))['data'].fields.certificate.enum,
    () => ['G', 'PG', 'PG-13', 'R', 'NC-17', 'Not Rated'],
  ],
  [
    'How many films has each decade?',
    () =>
      groups([
        { $match: { year: { $type: 'number' } } },
        { $group: { _id: { $subtract: ['$year', { $mod: ['$year', 10] }] }, n: { $sum: 1 } } },
        { $sort: { _id: 1 } },
      ]),
    () =>
      [...countBy(films.flatMap(({ year }) => (typeof year === 'number' ? [year - (year % 10)] : [])))]
        .map(([_id, n]) => ({ _id, n }))
        .sort((one, other) => Number(one._id) - Number(other._id)),
  ],
  [
    'What did the films of 2008 earn worldwide?',
    async () =>
      (await groups([{ $match: { year: 2008 } }, { $group: { _id: null, sum: { $sum: '$worldwide_gross' } } }]))[0]?.[
        'sum'
      ],
    () =>
      films.filter(({ year }) => year === 2008).reduce((sum, film) => sum + Number(film['worldwide_gross'] ?? 0), 0),
  ],
  [
    'How long is the longest film?',
    async () => (await first({ model: 'film', sort: '-minutes', fields: ['minutes'] }))['minutes'],
    () => [...films].sort(by('minutes'))[0]?.['minutes'],
  ],
  [
    'Which genres are there?',
    async () =>
      (await script.all('find', { model: 'tag', filter: { kind: 'genre' }, sort: 'name', fields: ['name'] }))
        .map(({ name }) => String(name))
        .sort(),
    () =>
      tags
        .filter(({ kind }) => kind === 'genre')
        .map(({ name }) => String(name))
        .sort(),
  ],
  [
    'How many comedies are there?',
    async () => count('film', { tag_id: await idNamed('tag', 'Comedy') }),
    () => {
      const id = tags.find(({ name }) => name === 'Comedy')?.['_id'];
      return films.filter(({ tag_id }) => (tag_id as unknown[]).includes(id)).length;
    },
  ],
  [
    'Which films have "star" in their title?',
    async () =>
      (await script.all('find', { model: 'film', search: { title: 'star' }, fields: ['title'], limit: 100 }))
        .map(({ title }) => String(title))
        .sort(),
    () =>
      films
        .map(({ title }) => String(title))
        .filter((title) => /star/i.test(title))
        .sort(),
  ],
  [
    'How many films came out before 1950?',
    () => count('film', { released: { $lt: '1950-01-01T00:00:00Z' } }),
    () => films.filter(({ released }) => typeof released === 'string' && released < '1950').length,
  ],
  [
    'How many films have no director?',
    () => count('film', { director_id: null }),
    () => films.filter(({ director_id }) => director_id === undefined || director_id === null).length,
  ],
  [
    'How many films do the three busiest distributors have?',
    async () =>
      (
        (
          await script.use('distinct', {
            model: 'film',
            path: 'distributor',
            filter: { distributor: { $exists: true } },
            limit: 3,
          })
        )['data'] as Row[]
      ).map(({ count: n }) => Number(n)),
    () =>
      [
        ...countBy(
          films.map(({ distributor }) => distributor).filter((one) => one !== undefined && one !== null),
        ).values(),
      ]
        .sort((one, other) => other - one)
        .slice(0, 3),
  ],
  [
    'How many films has the busiest director?',
    async () =>
      (
        await groups([
          { $match: { director_id: { $ne: null } } },
          { $group: { _id: '$director_id', n: { $sum: 1 } } },
          { $sort: { n: -1, _id: 1 } },
          { $limit: 1 },
        ])
      )[0]?.['n'],
    () =>
      Math.max(
        ...countBy(
          films.map(({ director_id }) => director_id).filter((one) => one !== undefined && one !== null),
        ).values(),
      ),
  ],
  [
    'Which films of 2000 to 2009 are rated 8 or better?',
    async () =>
      (
        await script.all('find', {
          model: 'film',
          filter: { year: { $gte: 2000, $lte: 2009 }, rating: { $gte: 8 } },
          sort: ['title', '_id'],
          fields: ['title', 'rating', '_id'],
        })
      )
        .map(({ _id }) => String(_id))
        .sort(),
    () =>
      films
        .filter((film) => rated(film) && film['rating'] >= 8 && film['year'] >= 2000 && film['year'] <= 2009)
        .map(({ _id }) => String(_id))
        .sort(),
  ],
  [
    'How many films cost more than they earned?',
    async () =>
      (
        await groups([
          { $match: { budget: { $gt: 0 }, worldwide_gross: { $gt: 0 } } },
          { $match: { $expr: { $gt: ['$budget', '$worldwide_gross'] } } },
          { $count: 'n' },
        ])
      )[0]?.['n'],
    () =>
      films.filter(({ budget, worldwide_gross }) => budget > 0 && worldwide_gross > 0 && budget > worldwide_gross)
        .length,
  ],
];

describe('an agent answers', () => {
  test('twenty questions', () => expect(questions.length).toBe(20));
  test.each(questions)('%s', async (_question, plan, answer) => {
    const [found, right] = [await plan(), answer()];
    expect(found).toEqual(right);
    // a question without an answer proves nothing
    expect([undefined, '', '[]', '{}', 'null', '0']).not.toContain(JSON.stringify(right));
  });
});
