/** A server with the sample models, filled with the sample's films through its API, as `npm run sample` does it. */
import { makeClient } from '../../scripts/sample/client.ts';
import { credentialsFor } from '../../scripts/sample/credentials.ts';
import { fill, type Filled } from '../../scripts/sample/fill.ts';
import { filmsFrom } from '../../scripts/sample/films.ts';
import { optionsFrom } from '../../scripts/sample/options.ts';
import { readRecords } from '../../scripts/sample/records.ts';
import { startServer } from './server.ts';

export interface Library {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** What filling it for the first time added. */
  readonly filled: readonly Filled[];
  /** Fills it once more. */
  again(): Promise<readonly Filled[]>;
}

/** @param models the folder of the model files; the server closes with the test file */
export async function openLibrary(models = 'models'): Promise<Library> {
  const { url } = await startServer({ models, log_level: 'silent' });
  const { headers, made } = await credentialsFor(optionsFrom(['--url', url], {}));
  if (made === undefined) throw new Error('the new server has a user already');
  const { films } = filmsFrom(await readRecords());
  const pour = (): Promise<readonly Filled[]> =>
    fill(makeClient(url, headers), films, { batch: 400, concurrency: 2, progress: () => undefined });
  return { url, admin: made, filled: await pour(), again: pour };
}
