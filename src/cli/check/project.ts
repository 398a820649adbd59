/** Checks a project from the settings to the stored documents. Nothing is written. */
import { openDatabase } from '../../database/open-database.ts';
import { unopenedConnection } from '../../models/connect.ts';
import { missingIndexes } from '../../models/loading/indexes.ts';
import { preload } from '../../models/preload.ts';
import type { Registry } from '../../models/registry.ts';
import { operator } from '../../policy/principal.ts';
import { advice } from '../../ports/core.ts';
import type { Advice } from '../../services.ts';
import { publicUrl } from '../../settings/own-host.ts';
import { closeAll, type Closers } from '../../start/closers.ts';
import type { Launch } from '../../start/launch.ts';
import { type LoadedModels, loadModels, modelNotices } from '../../start/models.ts';
import { projectOperations } from '../../start/operations.ts';
import { readOnlyPlace } from '../../start/place.ts';
import { makeServices } from '../../start/services.ts';
import { openStorage, type Storage } from '../../start/storage.ts';
import { refuseHalfCopy } from '../../transfer/copy/mark.ts';
import { commandLimits, NoDataError, openForReading } from '../../transfer/snapshot.ts';
import { type FlagSettings, projectLaunch } from '../options.ts';
import { countText } from '../terminal.ts';
import { type ModelDetails, modelDetails } from './details.ts';
import { documentFaults } from './documents.ts';
import { type Fault, isNotice, startFaults } from './faults.ts';

/** What was checked, and what is wrong with it. */
export interface CheckReport {
  readonly models: number;
  readonly documents: number;
  readonly faults: readonly Fault[];
  /** What is worth knowing, and is no fault. */
  readonly notices: readonly Fault[];
  /** What runs when, for each model from a file; none while model files have faults. */
  readonly details: readonly ModelDetails[];
  /** What an operator should look at, as `GET /server/advice` has it; none before there are data. */
  readonly advice: readonly Advice[];
}

/** @param onProgress receives what is being checked */
export async function checkProject(flags: FlagSettings, onProgress: (text: string) => void): Promise<CheckReport> {
  const closers: Closers = [];
  const faults: Fault[] = [];
  try {
    const launch = await attempt(faults, 'setting', () => projectLaunch(flags));
    if (launch === undefined) return { models: 0, documents: 0, faults, notices: [], details: [], advice: [] };
    const loaded = await attempt(faults, 'setting', () => loadModels(launch, unopenedConnection()));
    const added = loaded && (await attempt(faults, 'setting', () => projectOperations(launch, loaded)));
    const found = loaded?.registry;
    const [notices, details] =
      loaded === undefined ? [[], []] : [startNotices(launch, loaded), modelDetails(loaded.registry)];
    const opened = new Date();
    const { settings } = launch;
    const reading = readingLaunch(launch);
    const open = async (dir: string): Promise<Storage | undefined> => {
      const within = { ...reading, settings: { ...settings, data_dir: dir } };
      if (added !== undefined) return openStorage(within, closers);
      await refuseHalfCopy((await openDatabase(within.settings, within, closers, launch.log)).connection, settings);
      return undefined;
    };
    const storage = await attempt(faults, 'database', () => openForReading(settings, open, closers));
    if (found === undefined || storage === undefined)
      return { models: found?.served.length ?? 0, documents: 0, faults, notices, details, advice: [] };
    const { registry } = storage;
    const data = await checkData(registry, onProgress);
    const services = await makeServices(reading, storage, () => publicUrl(settings, settings.port), closers);
    const advised = await services.of(advice)(operator, opened);
    return {
      ...data,
      models: registry.served.length,
      notices: [...notices, ...data.notices],
      details,
      advice: advised,
    };
  } finally {
    await closeAll(closers);
  }
}

/** A launch that changes nothing, with little memory for the store. */
const readingLaunch = (launch: Launch): Launch => ({
  ...launch,
  place: readOnlyPlace(launch.place),
  storeLimits: commandLimits,
  readsOnly: true,
});

/** Runs a step, and adds the faults of the operator that it throws. @returns undefined when there were any, or no data */
async function attempt<T>(
  faults: Fault[],
  kind: 'setting' | 'database',
  step: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    const found = startFaults(error, kind);
    if (found !== undefined) faults.push(...found);
    // there is nothing to check before the first start
    else if (!(error instanceof NoDataError)) throw error;
    return undefined;
  }
}

type CheckedData = Pick<CheckReport, 'documents' | 'faults' | 'notices'>;

async function checkData(registry: Registry, onProgress: (text: string) => void): Promise<CheckedData> {
  const checked = registry.all.filter(({ options, file }) => !options.internal || file !== undefined);
  const [faults, created]: [Fault[], Fault[]] = [[], []];
  let documents = 0;
  for (const entry of checked) {
    const { name } = entry;
    for (const { keys, obstacle, isLeftOut } of await missingIndexes(entry)) {
      const outcome = isLeftOut
        ? 'the next start leaves it out, since the database has no geospatial indexes'
        : undefined;
      const message = `the collection lacks ${keys}; ${obstacle ?? outcome ?? 'the next start creates it'}`;
      (obstacle === undefined ? created : faults).push({ kind: 'index', model: name, message });
    }
    let ofModel = 0;
    faults.push(
      ...(await documentFaults(entry, registry, (count) =>
        onProgress(`${name}: ${countText((ofModel = count), 'document')}`),
      )),
    );
    documents += ofModel;
  }
  const [notices, others] = [[...created, ...faults.filter(isNotice)], faults.filter((fault) => !isNotice(fault))];
  return { documents, faults: others, notices };
}

/** What a start of the project would warn of in its log, and the rights that are wider than they look, as notices. */
const startNotices = (launch: Launch, { registry, warnings }: LoadedModels): readonly Fault[] => [
  ...launch.warnings.map((message) => ({ kind: 'setting' as const, message })),
  ...(preload()?.warnings() ?? []).map((message) => ({ kind: 'jxp' as const, message })),
  ...[...warnings, ...modelNotices(launch, registry)].map(({ kind, code, model, message }) => ({
    kind,
    ...(code === undefined ? {} : { code }),
    message,
    ...(model === undefined ? {} : { model }),
  })),
];
