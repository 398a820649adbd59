/** A server with the sample models, filled with the sample's films through its API, as `npm run sample` does it. */
import { randomBytes } from 'node:crypto';
import { makeClient } from '../../scripts/sample/client.ts';
import { credentialsFor } from '../../scripts/sample/credentials.ts';
import { fill, type Filled } from '../../scripts/sample/fill.ts';
import { filmsFrom } from '../../scripts/sample/films.ts';
import { optionsFrom } from '../../scripts/sample/options.ts';
import { readRecords } from '../../scripts/sample/records.ts';
import { createServer } from '../../src/server.ts';

export interface Library {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** What filling it for the first time added. */
  readonly filled: readonly Filled[];
  /** Fills it once more. */
  again(): Promise<readonly Filled[]>;
  close(): Promise<void>;
}

export async function openLibrary(models = 'models'): Promise<Library> {
  const server = await createServer({
    inMemory: true,
    port: 0,
    models_dir: models,
    log_level: 'silent',
    throttle: { enabled: false },
    bcrypt_cost: 4,
    ...ownDatabase(process.env['MONGODB_URL']),
  });
  const { headers, made } = await credentialsFor(optionsFrom(['--url', server.url], {}));
  if (made === undefined) throw new Error('the new server has a user already');
  const { films } = filmsFrom(await readRecords());
  const pour = (): Promise<readonly Filled[]> =>
    fill(makeClient(server.url, headers), films, { batch: 400, concurrency: 2, progress: () => undefined });
  return {
    url: server.url,
    admin: made,
    filled: await pour(),
    again: pour,
    async close() {
      await server.services.connection.dropDatabase();
      await server.close();
    },
  };
}

/** A database of its own on the MongoDB that the environment names; without one, the embedded store in memory. */
function ownDatabase(url: string | undefined): { mongodb_url?: string } {
  if (url === undefined || url === '') return {};
  const own = new URL(url);
  own.pathname = `/library_${randomBytes(6).toString('hex')}`;
  return { mongodb_url: own.href };
}
