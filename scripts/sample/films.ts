/** The source's records → films as the models have them, and counts of what was repaired or left out. */
import type { FilmRecord } from './records.ts';
import { nameFaults, type TextFault, titleFaults } from './text.ts';

interface Tag {
  readonly name: string;
  readonly kind: 'genre' | 'story' | 'source';
}

/** A film, its director and tags still by name. */
export interface Film {
  readonly key: string;
  readonly director: string | undefined;
  readonly tags: readonly Tag[];
  readonly fields: Readonly<Record<string, string | number>>;
}

export interface Films {
  readonly films: readonly Film[];
  /** The fault → how often it was repaired, or the record left out. */
  readonly corrected: ReadonlyMap<string, number>;
  readonly leftOut: ReadonlyMap<string, number>;
}

/** The key of a film: no two have the same title in one year. */
export const keyOf = (title: string, year: number | undefined): string => `${title.toLowerCase()}\n${year ?? ''}`;

type Report = (fault: string) => void;

/** Converts all records that can be repaired to films. */
export function filmsFrom(records: readonly FilmRecord[]): Films {
  const corrected = new Map<string, number>();
  const leftOut = new Map<string, number>();
  const films = new Map<string, Film>();
  const count = (into: Map<string, number>, fault: string): void => void into.set(fault, (into.get(fault) ?? 0) + 1);
  for (const record of records) {
    const film = filmFrom(record, (fault) => count(corrected, fault));
    if (film === undefined) count(leftOut, 'records without a title');
    else if (films.has(film.key)) count(leftOut, 'records of a film that is there already');
    else films.set(film.key, film);
  }
  return { films: [...films.values()], corrected, leftOut };
}

function filmFrom(record: FilmRecord, report: Report): Film | undefined {
  const released = dateFrom(record['Release Date'], report);
  const year = released?.getUTCFullYear();
  const title = textFrom(record.Title, titleFaults, report, year);
  if (title === undefined) return undefined;
  if (typeof record.Title === 'number') report('titles that were numbers');
  const fields = {
    title,
    year,
    released: released?.toISOString(),
    certificate: known(record['MPAA Rating'], 'Open', 'certificates that only say "Open"', report),
    distributor: known(record.Distributor, 'Distributor Unknown', 'distributors that are not known', report),
    ...figuresOf(record, report),
  };
  const given = Object.entries(fields).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return {
    key: keyOf(title, year),
    director: textFrom(record.Director, nameFaults, report),
    tags: tagsOf(record),
    fields: Object.fromEntries(given),
  };
}

function textFrom(
  given: string | number | null,
  faults: readonly TextFault[],
  report: Report,
  year?: number,
): string | undefined {
  if (given === null) return undefined;
  let text = String(given);
  for (const { fault, correct } of faults) {
    const after = correct(text, year);
    if (after !== text) report(fault);
    text = after;
  }
  return text === '' ? undefined : text;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** The source ends with films announced for this year; later ones are early films whose century was guessed. */
const lastYear = 2011;

function dateFrom(text: string | null, report: Report): Date | undefined {
  const match = /^(\w{3}) (\d{1,2}) (\d{2,4})$/.exec(text ?? '');
  const month = months.indexOf(match?.[1] ?? '');
  if (match === null || month === -1) {
    report('release dates that cannot be read, left empty');
    return undefined;
  }
  const guessed = Number(match[3]) < 100 ? 1900 + Number(match[3]) : Number(match[3]);
  if (guessed > lastYear) report('release dates a hundred years late');
  return new Date(Date.UTC(guessed > lastYear ? guessed - 100 : guessed, month, Number(match[2])));
}

function known(text: string | null, nothing: string, fault: string, report: Report): string | undefined {
  if (text === nothing) report(fault);
  return text === null || text === nothing ? undefined : text;
}

/** Field of the film → field of the record. 0 stands for an unknown figure. */
const figures = {
  minutes: 'Running Time min',
  budget: 'Production Budget',
  us_gross: 'US Gross',
  worldwide_gross: 'Worldwide Gross',
  dvd_sales: 'US DVD Sales',
  rating: 'IMDB Rating',
  votes: 'IMDB Votes',
  tomatoes: 'Rotten Tomatoes Rating',
} as const satisfies Readonly<Record<string, keyof FilmRecord>>;

function figuresOf(record: FilmRecord, report: Report): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [name, column] of Object.entries(figures)) {
    const value = record[column];
    if (value === 0) report('figures of 0 that stand for "not known"');
    else if (value !== null) found[name] = value;
  }
  return found;
}

const tagColumns = { genre: 'Major Genre', story: 'Creative Type', source: 'Source' } as const;

function tagsOf(record: FilmRecord): Tag[] {
  return (['genre', 'story', 'source'] as const).flatMap((kind) => {
    const name = record[tagColumns[kind]];
    return name === null ? [] : [{ name, kind }];
  });
}
