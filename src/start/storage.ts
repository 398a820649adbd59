/** Opens the database and loads the models over it. */
import { randomBytes } from 'node:crypto';
import type { ClientSession, Connection } from 'mongoose';
import type { Secrets } from '../adapters/sealing.ts';
import { moveGroups } from '../auth/setup/moved-groups.ts';
import { inFolder } from '../database/embedded-store.ts';
import { openDatabase } from '../database/open-database.ts';
import type { OnSchema } from '../models/loading/compile.ts';
import { createIndexes } from '../models/loading/indexes.ts';
import { warningLine } from '../models/loading/start-warnings.ts';
import { modelOf } from '../models/mongoose.ts';
import { reportThatWritten, reportWrites } from '../models/mongoose/model-writes.ts';
import { preload } from '../models/preload.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { OutboxEntries } from '../outbox/entries.ts';
import { firstProviderValue } from '../ports/port.ts';
import { answerCache } from '../read/ports.ts';
import type { Bus } from '../realtime/changes/contract.ts';
import { publishModelWrites } from '../realtime/changes/model-writes.ts';
import type { Services } from '../services.ts';
import { blameSetting } from '../settings/read.ts';
import { sharedSecret } from '../settings/secret.ts';
import type { Settings } from '../settings/types.ts';
import { refuseHalfCopy } from '../transfer/copy/mark.ts';
import type { Closers } from './closers.ts';
import { withModelFaults } from './faults.ts';
import { FeatureServices, featuresOf, openMetrics } from './features.ts';
import type { Launch } from './launch.ts';
import { type LoadedModels, loadModels, modelWarnings } from './models.ts';
import { operationsOf, projectOperations } from './operations.ts';
import { checkSecret } from './same-secret.ts';

export interface Storage extends Pick<
  Services,
  'connection' | 'registry' | 'bus' | 'inTransaction' | 'shared' | 'metrics'
> {
  readonly featureServices: FeatureServices;
  readonly outbox: OutboxEntries;
  /** The members of the database that lists are read from; undefined for the primary. */
  readonly listedFrom: Services['reads']['listedFrom'];
  /** The secrets that servers over one database share. */
  readonly secrets: Secrets;
  /** Whether the database is a replica set or a sharded cluster, and so has transactions and change streams. */
  readonly isReplicaSet: boolean;
  /** Lines of the banner: which database, and what was changed in it. */
  readonly database: string;
  readonly moved: readonly string[];
  /** All operations of the server. */
  readonly groups: readonly OperationGroup[];
}

/** @throws SettingsError for a database or a data folder that can't be used; ModelFileError for a bad model file */
export async function openStorage(launch: Launch, closers: Closers): Promise<Storage> {
  const { settings, log, clock, place, readsOnly = false, keepsIndexes = false } = launch;
  const metrics = await openMetrics(launch, closers);
  const { secret, connection, listedFrom, description } = await opened({ ...launch, metrics }, closers).catch(
    async (error: unknown) => {
      throw await withModelFaults(error, launch);
    },
  );
  const secrets: Secrets = [secret, ...[settings.shared_secret_previous].filter((one) => one !== undefined)];
  const isReplicaSet = await detectReplicaSet(connection);
  const { bus, begin } = await place.openBus(log, isReplicaSet);
  const inTransaction = transactionRunner(connection, isReplicaSet, settings.query_limits.max_time_ms);
  const models = await loadModels(launch, connection, schemaListener(launch, bus, isReplicaSet));
  const { registry } = models;
  begin(registry);
  const shared = await place.share({ connection, registry, log }, closers);
  preload()?.serve(registry.all.map((entry) => ({ ...entry, model: modelOf(entry) })));
  const outbox = new OutboxEntries({ registry, clock, shared });
  const featureServices = new FeatureServices(launch, { ...launch, shared, registry, secrets, outbox });
  const prepares = place.isFirst && !readsOnly;
  const keepSecret = prepares ? await checkSecret({ registry, secrets, clock, settings }) : undefined;
  const stored = { registry, connection, listedFrom, bus, inTransaction, metrics };
  const services = { ...stored, clock, recorders: featureServices.recorders };
  const project = await projectOperations(launch, models);
  if (place.isFirst) logWarnings(launch, models);
  const groups = operationsOf(launch, project);
  const groupsAt = preload()?.groups;
  const moved = prepares && groupsAt !== undefined ? await moveGroups(services, groupsAt) : [];
  if (prepares && !keepsIndexes) for (const warning of await createIndexes(registry.all)) log.warn(warning);
  await keepSecret?.();
  return { ...stored, secrets, database: description, isReplicaSet, featureServices, moved, shared, outbox, groups };
}

/** What the settings and the models have that the operator should know. */
function logWarnings(launch: Launch, { registry, warnings: ofFiles }: LoadedModels): void {
  const { warnings, log } = launch;
  const ofModels = [...ofFiles, ...modelWarnings(launch, registry)].map(warningLine);
  for (const warning of [...warnings, ...(preload()?.warnings() ?? []), ...ofModels]) log.warn(warning);
}

/** Opens the database, and reads the secret. @throws SettingsError */
async function opened(launch: Launch & Pick<Storage, 'metrics'>, closers: Closers) {
  const { settings, inMemory, place, log, readsOnly = false } = launch;
  const stored = (): Promise<string> => inFolder(settings.data_dir, sharedSecretFor(settings, inMemory || readsOnly));
  const secret = place.secret ?? (await blameSetting('DATA_DIR', stored()));
  const database = await openDatabase(settings, launch, closers, log);
  await refuseHalfCopy(database.connection, settings);
  return { secret, ...database };
}

/** @param storesNothing whether a secret that is not set is one for this process only */
const sharedSecretFor = async (settings: Settings, storesNothing: boolean): Promise<string> =>
  storesNothing ? (settings.shared_secret ?? randomBytes(32).toString('base64url')) : sharedSecret(settings);

/**
 * Listens to the models' own writes: publishes them as events where the database has no change streams, otherwise reports them to
 * the cache, which cannot wait for change streams.
 */
function schemaListener(launch: Launch, bus: Bus, isReplicaSet: boolean): OnSchema | undefined {
  if (isReplicaSet)
    return firstProviderValue(featuresOf(launch), answerCache, launch.settings) === undefined
      ? undefined
      : (schema, entry) => reportThatWritten(schema, () => bus.invalidate(entry()));
  const listener = publishModelWrites(bus, launch.log);
  return (schema, entry) => reportWrites(schema, entry, listener);
}

/** Whether the database is a member of a replica set or the router of a sharded cluster, and so has transactions. */
async function detectReplicaSet(connection: Connection): Promise<boolean> {
  const hello = (await connection.db?.admin().command({ hello: 1 })) as
    { setName?: unknown; msg?: unknown } | undefined;
  return hello?.setName !== undefined || hello?.msg === 'isdbgrid';
}

/**
 * Runs work in a transaction where the database has them.
 * @param isReplicaSet false runs the work without a session
 * @param limit maximum milliseconds until the commit; the driver would otherwise retry for two minutes
 */
function transactionRunner(connection: Connection, isReplicaSet: boolean, limit: number): Services['inTransaction'] {
  return async <T>(work: (session: ClientSession | undefined) => Promise<T>): Promise<T> => {
    if (!isReplicaSet) return work(undefined);
    const session = await connection.startSession();
    try {
      return await session.withTransaction(() => work(session), { timeoutMS: limit });
    } finally {
      await session.endSession();
    }
  };
}
