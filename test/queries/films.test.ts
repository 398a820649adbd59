/** Real films: lists, searches, counts and links, compared with figures that this file computes from the source data. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { fetchDescribed } from '../support/described.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';

interface Source {
  readonly Title: string | number | null;
  readonly 'Release Date': string;
  readonly Director: string | null;
  readonly 'IMDB Rating': number | null;
  readonly 'Major Genre': string | null;
}

interface Film {
  readonly _id: string;
  readonly title: string;
  readonly year: number;
  readonly rating?: number;
  readonly score?: number;
  readonly director?: { readonly name: string; readonly sort_name?: string } | null;
  readonly tag?: readonly { readonly name: string }[];
}

interface List {
  readonly data: readonly Film[];
  readonly count?: number;
  readonly page_count?: number;
  readonly next?: string;
  readonly prev?: string;
}

const records = (JSON.parse(readFileSync('node_modules/vega-datasets/data/movies.json', 'utf8')) as Source[]).filter(
  ({ Title }) => Title !== null,
);

/** The year of release; the source puts early films a hundred years too late. */
function yearOf(record: Source): number {
  const year = Number(record['Release Date'].slice(-4));
  return year > 2011 ? year - 100 : year;
}

const rated = (record: Source, least: number): boolean => (record['IMDB Rating'] ?? 0) >= least;
const howMany = (holds: (record: Source) => boolean): number => records.filter(holds).length;

let library: Library;
beforeAll(async () => {
  library = await openLibrary();
}, 180_000);

async function ask<T>(path: string): Promise<T> {
  const answer = await fetchDescribed(library.url + path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

describe('the sample', () => {
  test('adds every film that has a title, every director and every tag', () => {
    const directors = new Set(records.flatMap(({ Director }) => Director ?? []));
    expect(library.filled).toEqual([
      { model: 'person', added: directors.size, present: 0 },
      { model: 'tag', added: 39, present: 0 },
      { model: 'film', added: records.length, present: 0 },
    ]);
  });

  test('adds nothing when it is run again, and restores no deleted film', async () => {
    const { data } = await ask<List>('/api/film?filter[title]=Alien³');
    const credentials = Buffer.from(`${library.admin.email}:${library.admin.password}`).toString('base64');
    const address = `${library.url}/api/film/${data[0]?._id ?? ''}`;
    const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/json' };
    expect((await fetchDescribed(address, { method: 'DELETE', headers })).status).toBe(200);
    expect((await library.again()).map(({ added }) => added)).toEqual([0, 0, 0]);
    expect(await ask('/count/film')).toEqual({ count: records.length - 1 });
    const restored = await fetchDescribed(address, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ _deleted: false }),
    });
    expect(restored.status).toBe(200);
  });

  test.each([
    ['a number as title', 'filter[title]=2012', '2012', 2009],
    [
      'a title in the wrong character set',
      "filter[title]=Le Fabuleux destin d'Amélie Poulain",
      "Le Fabuleux destin d'Amélie Poulain",
      2001,
    ],
    ['an ellipsis in the wrong character set', 'search[title]=I Love You …', "I Love You … Don't Touch Me!", 1998],
    ['an article at the end', 'filter[title]=Das Boot', 'Das Boot', 1982],
    ['a year in the title', 'filter[title]=King Kong&filter[year]=1933', 'King Kong', 1933],
    ['a release a hundred years late', 'filter[title]=The Wizard of Oz', 'The Wizard of Oz', 1939],
  ])('corrects %s', async (_, query, title, year) => {
    const { data } = await ask<List>(`/api/film?${encodeURI(query)}`);
    expect(data.map((film) => [film.title, film.year])).toEqual([[title, year]]);
  });
});

describe('counts', () => {
  const cases: [string, (record: Source) => boolean][] = [
    ['', () => true],
    ['filter[year]=$gte:1990&filter[year]=$lte:1999', (film) => yearOf(film) >= 1990 && yearOf(film) <= 1999],
    ['filter[year][$gte]=1990&filter[year][$lt]=1995', (film) => yearOf(film) >= 1990 && yearOf(film) < 1995],
    ['filter[released]=$gte:2000-01-01', (film) => yearOf(film) >= 2000],
    ['filter[released]=$lt:946684800', (film) => yearOf(film) < 2000],
    ['filter[year]=$lt:1950', (film) => yearOf(film) < 1950],
    ['filter[rating]=$gte:8', (film) => rated(film, 8)],
    ['filter[rating]=$exists:false', (film) => film['IMDB Rating'] === null],
    ['filter[year]=$in:1972,1994,1999', (film) => [1972, 1994, 1999].includes(yearOf(film))],
    ['filter[year]=$gte:2000&filter[rating]=$gte:8', (film) => yearOf(film) >= 2000 && rated(film, 8)],
    ['filter[$or][0][year]=1939&filter[$or][1][rating]=$gte:9', (film) => yearOf(film) === 1939 || rated(film, 9)],
    ['filter[title]=$regex:/^the dark/i', (film) => /^the dark/i.test(String(film.Title))],
    ['filter[director_id]=$exists:true', (film) => film.Director !== null],
  ];

  test.each(cases)('%s', async (query, holds) => {
    const expected = howMany(holds);
    expect(expected).toBeGreaterThan(0);
    expect(await ask(`/count/film?${query}`)).toEqual({ count: expected });
    const list = await ask<List>(`/api/film?${query}&count=true&limit=7&fields=title`);
    expect([list.count, list.page_count]).toEqual([expected, Math.ceil(expected / 7)]);
    expect(list.data).toHaveLength(Math.min(7, expected));
  });
});

describe('lists', () => {
  test('films of a span of years with a high rating, best first', async () => {
    const { data } = await ask<List>(
      '/api/film?filter[year]=$gte:1970&filter[year]=$lte:1979&filter[rating]=$gte:8&sort=-rating,title&fields=title,year,rating',
    );
    const expected = records
      .filter((film) => yearOf(film) >= 1970 && yearOf(film) <= 1979 && rated(film, 8))
      .map((film) => [String(film.Title), film['IMDB Rating'] ?? 0] as const)
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
    expect(data.map(({ title, rating }) => [title, rating])).toEqual(expected);
  });

  test('the director and the tags are populated', async () => {
    const { data } = await ask<List>(
      '/api/film?filter[year]=2008&populate[]=director&populate[]=tag&sort=_id&limit=1000',
    );
    const source = records.filter((film) => yearOf(film) === 2008);
    expect(data).toHaveLength(source.length);
    const directors = new Map(source.map((film) => [String(film.Title), film.Director]));
    const genres = new Map(source.map((film) => [String(film.Title), film['Major Genre']]));
    for (const film of data.filter(({ title }) => directors.has(title))) {
      expect([film.title, film.director?.name ?? null]).toEqual([film.title, directors.get(film.title)]);
      const genre = genres.get(film.title);
      expect((film.tag ?? []).some(({ name }) => name === genre)).toBe(typeof genre === 'string');
    }
  });

  test('a populated person has the virtual of its model', async () => {
    const { data } = await ask<List>('/api/film?filter[title]=Inception&populate=director');
    expect(data[0]?.director).toMatchObject({ name: 'Christopher Nolan', sort_name: 'Nolan, Christopher' });
  });

  test('pages contain every film once, in an order with many equal values', async () => {
    const seen: string[] = [];
    let path: string | undefined = '/api/film?sort=year&fields=year&limit=400';
    let before = 0;
    while (path !== undefined) {
      const list: List = await ask<List>(path);
      for (const { _id, year } of list.data) {
        expect(year).toBeGreaterThanOrEqual(before);
        before = year;
        seen.push(_id);
      }
      path = list.next;
    }
    expect(seen).toHaveLength(records.length);
    expect(new Set(seen).size).toBe(records.length);
  });

  test('a deep page has its rows, its counts and its link to the page before', async () => {
    const titles = await ask<List>('/api/film?sort=-year,title&fields=title&limit=1000&page=3');
    const deep = await ask<List>('/api/film?sort=-year,title&fields=title&limit=20&page=120');
    expect(deep.data).toEqual(titles.data.slice(380, 400));
    expect([deep.count, deep.page_count]).toEqual([records.length, 160]);
    expect(deep.prev).toContain('page=119');
    expect((await ask<List>('/api/film?limit=20&page=161')).data).toEqual([]);
  });
});

describe('search', () => {
  const withWord = (word: string): string[] =>
    records
      .map(({ Title }) => String(Title))
      .filter((title) =>
        title
          .toLowerCase()
          .split(/[^a-z]+/)
          .includes(word),
      )
      .sort();

  test.each(['wizard', 'godfather', 'matrix'])('full text finds every title with the word %s', async (word) => {
    const { data } = await ask<List>(`/api/film?search=${word}&limit=1000`);
    expect(data.map(({ title }) => title).sort()).toEqual(withWord(word));
    for (const { score } of data) expect(score).toBeGreaterThan(0);
  });

  test('full text finds the forms of a word', async () => {
    const titles = async (word: string): Promise<string[]> =>
      (await ask<List>(`/api/film?search=${word}&limit=1000`)).data.map(({ title }) => title).sort();
    expect(await titles('dragons')).toEqual(await titles('dragon'));
    expect(await titles('dragon')).toEqual([...withWord('dragon'), ...withWord('dragons')].sort());
  });

  test('full text puts the title with most of the words first, and filters narrow it', async () => {
    const { data } = await ask<List>('/api/film?search=dark+knight&limit=1000');
    expect(data[0]?.title).toBe('The Dark Knight');
    const scores = data.map(({ score = 0 }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const narrowed = await ask<List>('/api/film?search=dark+knight&filter[year]=$lt:2000&limit=1000');
    expect(narrowed.data.map(({ title }) => title).sort()).toEqual(
      data
        .filter(({ year }) => year < 2000)
        .map(({ title }) => title)
        .sort(),
    );
  });

  test('text in one field is found literally, in any letter case', async () => {
    const { data } = await ask<List>('/api/film?search[title]=STAR+w&sort=title&fields=title');
    const expected = records
      .map(({ Title }) => String(Title))
      .filter((title) => title.toLowerCase().includes('star w'));
    expect(data.map(({ title }) => title)).toEqual(expected.sort());
  });

  test('characters of regular expressions are literal', async () => {
    const { data } = await ask<List>('/api/film?search[title]=Jekyll+and+Hyde...&fields=title');
    expect(data.map(({ title }) => title)).toEqual(['Jekyll and Hyde... Together Again']);
    expect((await ask<List>('/api/film?search[title]=.*')).data).toEqual([]);
  });
});

test.each([null, [], 'x', { from: { $gt: '' }, to: ['$where'] }])(
  'the function reads %j as all years',
  async (body) => {
    const headers = { 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetchDescribed(`${library.url}/call/film/statistics`, init);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { data: expect.objectContaining({ films: records.length }) as unknown },
    ]);
  },
);

test('a virtual is answered when it is the only requested field', async () => {
  const { data } = await ask<List>('/api/person?filter[name]=Ang Lee&fields=sort_name');
  expect(data).toEqual([{ _id: data[0]?._id, id: data[0]?._id, sort_name: 'Lee, Ang' }]);
});

test('the function of the model sums up a span of years', async () => {
  const decade = records.filter((film) => yearOf(film) >= 1980 && yearOf(film) <= 1989);
  const ratings = decade.flatMap((film) => film['IMDB Rating'] ?? []);
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  const { data } = await ask<{ data: { films: number; mean: number; best: number } }>(
    '/call/film/statistics?from=1980&to=1989',
  );
  expect([data.films, data.best]).toEqual([decade.length, Math.max(...ratings)]);
  expect(data.mean).toBeCloseTo(mean, 2);
});

test('a review needs an existing film, and a user has one review of a film until it is deleted', async () => {
  const { data } = await ask<List>('/api/film?filter[title]=Modern Times&fields=title');
  const film_id = data[0]?._id ?? '';
  const credentials = Buffer.from(`${library.admin.email}:${library.admin.password}`).toString('base64');
  const headers = { authorization: `Basic ${credentials}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body: object): Promise<[number, { err?: string; data?: Film }]> => {
    const answer = await fetchDescribed(library.url + path, { method, headers, body: JSON.stringify(body) });
    return [answer.status, (await answer.json()) as { err?: string; data?: Film }];
  };
  const unknown = await send('POST', '/api/review', { film_id: '0123456789abcdef01234567', stars: 4 });
  expect([unknown[0], unknown[1].err]).toEqual([400, 'film_id: there is no such film']);
  const [status, first] = await send('POST', '/api/review', { film_id, stars: 5 });
  expect(status).toBe(201);
  expect((await send('POST', '/api/review', { film_id, stars: 1 }))[0]).toBe(409);
  expect((await send('DELETE', `/api/review/${first.data?._id ?? ''}`, {}))[0]).toBe(200);
  expect((await send('POST', '/api/review', { film_id, stars: 4 }))[0]).toBe(201);
});
