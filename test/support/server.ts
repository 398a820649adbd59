/** A fresh Dossier on a free port with a database of its own; what a test file leaves open is closed after its last test. */
import { afterAll } from '@jest/globals';
import type { Feature } from '../../src/features/feature.ts';
import { fileLoader } from '../../src/models/author/file-loader.ts';
import { type DossierServer, type ServerOptions, startServer as start } from '../../src/server.ts';
import { type Launch, launchFrom, type LaunchUse } from '../../src/start/launch.ts';
import { operationsOf, projectOperations } from '../../src/start/operations.ts';
import { projectImports } from '../../src/start/project-imports.ts';
import type { Membership } from '../../src/workers/contract.ts';
import { type Answer, leave, send, type Sent } from './client.ts';
import { onMongo, ownDatabase } from './database.ts';
import { described } from './described.ts';
import { type ModelFiles, writeModels } from './models.ts';

export interface TestServer {
  readonly url: string;
  readonly dossier: DossierServer;
  /** Every line logged so far, from level debug on. */
  readonly log: readonly string[];
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Answer>;
  readonly get: (path: string, sent?: Sent) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, sent?: Sent) => Promise<Answer>;
  readonly put: (path: string, body?: unknown, sent?: Sent) => Promise<Answer>;
  readonly remove: (path: string, sent?: Sent) => Promise<Answer>;
  /** Closes the server early; its database is dropped. */
  readonly close: () => Promise<void>;
}

/** Settings and hooks, and the model files: texts or functions by file name, or an existing folder's path. */
export interface StartOptions extends ServerOptions {
  readonly models?: ModelFiles | string;
  /** Makes it one of several workers (`workers.ts`). */
  readonly membership?: Membership;
  /** Other features than those of the list. */
  readonly features?: readonly Feature[];
}

/** How far the clock of a test may be behind: it may have begun with the test. */
const slackMs = 24 * 3_600_000;

const open = new Set<() => Promise<void>>();
afterAll(async () => {
  for (const close of open) await close();
});

/**
 * Starts a server: cheap hashes, no throttles, no shedding, a log that the test can read. The options change any of this.
 * @throws what `startServer` of the sources throws
 */
export async function startServer({
  models = {},
  membership,
  features,
  ...options
}: StartOptions = {}): Promise<TestServer> {
  if (options.clock !== undefined && options.clock().getTime() < Date.now() - slackMs)
    throw new Error('the clock of a test is behind the database, which removes rows that expire');
  const { folder, remove } = await modelsIn(models);
  const log: string[] = [];
  const given: ServerOptions = {
    port: 0,
    models_dir: folder,
    bcrypt_cost: 4,
    // requests wait on a loaded machine: those that are about shedding set a limit
    shed_after_ms: 60_000,
    log_level: 'debug',
    logTarget: { write: (line) => void log.push(line) },
    // several servers of a test share a database, and so the secret
    ...(options.mongodb_url === undefined ? {} : { shared_secret: 'the secret of the servers of a test' }),
    ...ownDatabase(),
    ...options,
    throttle: { enabled: false, login_max: 100_000, ...options.throttle },
  };
  const { dossier, launch } = await started(given, { membership, features }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  described(dossier, operationsOf(launch, await ownOperations(dossier, launch)));
  const close = async (): Promise<void> => {
    if (!open.delete(close)) return;
    // a test may have taken the database away
    const { connection } = dossier.services;
    if (onMongo && Number(connection.readyState) === 1) await connection.dropDatabase();
    leave(dossier.url);
    await dossier.close();
    await remove();
  };
  open.add(close);
  return { url: dossier.url, dossier, log, close, ...clientOf(dossier.url) };
}

/** The operations of the project's own files. */
const ownOperations = (
  { settings, services: { config, registry } }: DossierServer,
  { features }: Pick<Launch, 'features'>,
) =>
  projectOperations(
    { settings, config, features },
    { registry, load: fileLoader(projectImports), warn: () => undefined },
  );

async function started(options: ServerOptions, use: LaunchUse): Promise<{ dossier: DossierServer; launch: Launch }> {
  const launch = launchFrom(options, use);
  return { dossier: await start(launch), launch };
}

async function modelsIn(models: ModelFiles | string): Promise<{ folder: string; remove: () => Promise<void> }> {
  return typeof models === 'string' ? { folder: models, remove: () => Promise.resolve() } : writeModels(models);
}

type Client = Pick<TestServer, 'send' | 'get' | 'post' | 'put' | 'remove'>;

const clientOf = (url: string): Client => ({
  send: (method, path, sent) => send(method, url + path, sent),
  get: (path, sent) => send('GET', url + path, sent),
  post: (path, body, sent) => send('POST', url + path, { body, ...sent }),
  put: (path, body, sent) => send('PUT', url + path, { body, ...sent }),
  remove: (path, sent) => send('DELETE', url + path, sent),
});
