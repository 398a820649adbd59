/** The films as the vega-datasets package has them: one record each, with all faults. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export interface FilmRecord {
  readonly Title: string | number | null;
  readonly 'Release Date': string | null;
  readonly Director: string | null;
  readonly Distributor: string | null;
  readonly 'MPAA Rating': string | null;
  readonly 'Major Genre': string | null;
  readonly 'Creative Type': string | null;
  readonly Source: string | null;
  readonly 'Running Time min': number | null;
  readonly 'Production Budget': number | null;
  readonly 'US Gross': number | null;
  readonly 'Worldwide Gross': number | null;
  readonly 'US DVD Sales': number | null;
  readonly 'IMDB Rating': number | null;
  readonly 'IMDB Votes': number | null;
  readonly 'Rotten Tomatoes Rating': number | null;
}

const file = new URL('../../node_modules/vega-datasets/data/movies.json', import.meta.url);

/** @throws when the package is not installed */
export async function readRecords(): Promise<readonly FilmRecord[]> {
  return JSON.parse(await readFile(fileURLToPath(file), 'utf8')) as FilmRecord[];
}
