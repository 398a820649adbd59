/** The features of a server, and what they make for it. */
import type { AuthMethod, EmailProof, FactorCheck, StoredKeys } from '../auth/contract.ts';
import type { AuthAdditions, AuthCore } from '../auth/core.ts';
import type { AccountEvents } from '../auth/events/contract.ts';
import type { PastDocuments } from '../context.ts';
import type { CacheParts, Core, Feature, Maker, OpenCache, RecorderParts, Sweep } from '../features/feature.ts';
import { features } from '../features/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { noMetrics } from '../metrics/table.ts';
import { internalModels } from '../models/built-in/index.ts';
import type { InternalModel } from '../models/built-in/internal-model.ts';
import type { AddedOptions } from '../models/options/added-option.ts';
import type { OutboxKind } from '../outbox/contract.ts';
import type { Adviser, Services } from '../services.ts';
import type { Recorder } from '../write/contract.ts';
import type { Closers } from './closers.ts';
import type { Launch } from './launch.ts';

export const featuresOf = ({ features: others = features }: Pick<Launch, 'features'>): typeof features => others;

/** The collections that a server keeps for itself. */
export const internalModelsOf = (launch: Pick<Launch, 'features'>): readonly InternalModel[] =>
  internalModels(featuresOf(launch).flatMap(({ models = [] }) => models));

/** The options of model files that the features add; those of the list that the server lacks are left out. */
export function addedOptionsOf(launch: Pick<Launch, 'features'>): AddedOptions {
  const own = featuresOf(launch);
  const others = features.filter((feature) => !own.includes(feature));
  return {
    rows: own.flatMap(({ modelOptions = [] }) => modelOptions),
    leftOut: new Map(others.flatMap(({ name, modelOptions = [] }) => modelOptions.map((row) => [row.name, name]))),
  };
}
/** Whether a feature runs code of the project that may answer with documents. */
export const runsProjectCode = async (launch: Pick<Launch, 'features' | 'settings' | 'config'>): Promise<boolean> =>
  (await Promise.all(featuresOf(launch).map(async ({ runsCode }) => runsCode?.(launch)))).includes(true);

/** What the features add to identities. */
export const authAdditions = (launch: Pick<Launch, 'features' | 'settings'>): AuthAdditions => ({
  internalModels: internalModelsOf(launch),
  jwtPurposes: featuresOf(launch).flatMap(({ jwtPurposes = [] }) => jwtPurposes),
  requiresFactor: (user) =>
    featuresOf(launch).some(({ requiresFactor }) => requiresFactor?.(launch.settings, user) === true),
});

/** Opens the cache of answers; undefined for a server without one. */
export const cacheOpener = (launch: Pick<Launch, 'features' | 'settings'>): Maker<CacheParts, OpenCache> | undefined =>
  featuresOf(launch)
    .map(({ answerCache }) => answerCache?.(launch.settings))
    .find((open) => open !== undefined);

/** Opens what counts; where no feature does, nothing is counted. */
export async function openMetrics(launch: Pick<Launch, 'features' | 'settings'>, closers: Closers): Promise<Metrics> {
  const open = featuresOf(launch)
    .map(({ metrics }) => metrics?.(launch.settings))
    .find((one) => one !== undefined);
  if (open === undefined) return noMetrics;
  const metrics = await open();
  closers.push(() => Promise.resolve(metrics.close()));
  return metrics;
}

/** The name of the project, and the path of the console. */
export function namesOf(launch: Pick<Launch, 'features' | 'settings'>): Pick<Services, 'appName' | 'consolePath'> {
  const all = featuresOf(launch);
  const name = all.map(({ appName }) => appName?.(launch.settings)).find((one) => one !== undefined);
  const path = all.map(({ consolePath }) => consolePath?.(launch.settings)).find((one) => one !== undefined);
  return { appName: name ?? 'Dossier', consolePath: path };
}

/** Whether people may create accounts of their own. */
export const isOpenToNewUsers = (launch: Pick<Launch, 'features' | 'settings'>): boolean =>
  featuresOf(launch).some((feature) => feature.isOpenToNewUsers?.(launch.settings) === true);

/** What a crash can leave incomplete where the database has no transactions. */
export const incompleteAfterCrash = (launch: Pick<Launch, 'features'>): readonly string[] =>
  featuresOf(launch).flatMap(({ incompleteAfterCrash: what = [] }) => what);

/** What reads documents as they were; undefined for a server without it. */
export const pastOf = (launch: Pick<Launch, 'features'>): PastDocuments | undefined =>
  featuresOf(launch)
    .map(({ past }) => past)
    .find((one) => one !== undefined);

/** What adds jobs. */
export const laterOf = (launch: Pick<Launch, 'features'>): NonNullable<Feature['later']> =>
  featuresOf(launch)
    .map(({ later }) => later)
    .find((one) => one !== undefined) ?? noJobs;

const noJobs = (): Promise<never> => Promise.reject(new TypeError('api.later: this server has no jobs'));

type Watches = Pick<Services, 'readWatch' | 'requestWatch'>;

/** What the features of one server have made, by the functions that made it. */
export class FeatureServices {
  readonly #made = new Map<unknown, unknown>();
  #watches: Watches = { readWatch: { seen: () => undefined }, requestWatch: { answered: () => undefined } };
  #sweeps: readonly Sweep[] = [];
  #outboxKinds: readonly OutboxKind[] = [];
  #advisers: readonly Adviser[] = [];
  readonly recorders: readonly Recorder[];
  readonly accountListeners: readonly AccountEvents[];

  constructor(
    private readonly launch: Pick<Launch, 'features'>,
    parts: RecorderParts,
  ) {
    const all = featuresOf(launch);
    this.recorders = all.flatMap(({ recorders = [] }) => recorders.flatMap((make) => this.#make(make, parts) ?? []));
    this.accountListeners = all.flatMap(({ accountListeners = [] }) =>
      accountListeners.map((make) => this.#make(make, parts)),
    );
  }

  /** Makes the services of the features, and begins them. */
  async begin(core: Core): Promise<void> {
    const all = featuresOf(this.launch);
    for (const { services = [] } of all) for (const make of services) this.#make(make, core);
    for (const { begin } of all) await begin?.(core.services);
    this.#sweeps = all.flatMap(({ sweep }) => sweep?.(core) ?? []);
    const watching = all.find(({ readWatch }) => readWatch !== undefined)?.readWatch;
    const counting = all.find(({ requestWatch }) => requestWatch !== undefined)?.requestWatch;
    this.#watches = {
      readWatch: watching === undefined ? this.#watches.readWatch : this.#make(watching, core),
      requestWatch: counting === undefined ? this.#watches.requestWatch : this.#make(counting, core),
    };
    this.#advisers = all.flatMap(({ advises }) => advises?.(core) ?? []);
    this.#outboxKinds = all.flatMap(({ outbox }) => outbox?.(core) ?? []);
  }

  /** What receives the reads, and the requests that have been answered: the features that want them, once these have begun. */
  get watches(): Watches {
    return this.#watches;
  }

  /** What all features advise, once they have begun. */
  readonly advise: Adviser = async (...about) =>
    (await Promise.all(this.#advisers.map((advise) => advise(...about)))).flat();

  /** What removes what is due, once they have begun. */
  get sweeps(): readonly Sweep[] {
    return this.#sweeps;
  }

  /** What runs entries of the outbox, once they have begun. */
  get outboxKinds(): readonly OutboxKind[] {
    return this.#outboxKinds;
  }

  /** Makes what checks second factors; undefined without a feature that does. */
  factorCheck(core: AuthCore): FactorCheck | undefined {
    const make = featuresOf(this.launch).find(({ factorCheck }) => factorCheck !== undefined)?.factorCheck;
    return make && this.#make(make, core);
  }

  /** Makes what asks users to prove a new email; undefined where they need not. */
  emailProof(core: AuthCore): EmailProof | undefined {
    const make = featuresOf(this.launch).find(({ emailProof }) => emailProof !== undefined)?.emailProof;
    return make && this.#make(make, core);
  }

  /** Makes the keys that features store. */
  storedKeys(core: AuthCore): readonly StoredKeys[] {
    return featuresOf(this.launch).flatMap(({ storedKeys = [] }) => storedKeys.map((make) => this.#make(make, core)));
  }

  /** Makes the methods of signing in of features. */
  authMethods(core: AuthCore): readonly AuthMethod[] {
    return featuresOf(this.launch).flatMap(({ authMethods = [] }) => authMethods.map((make) => this.#make(make, core)));
  }

  readonly of: Services['of'] = (make) => {
    if (!this.#made.has(make)) throw new Error(`this server has no ${make.name}: its feature has been left out`);
    return this.#made.get(make) as ReturnType<typeof make>;
  };

  #make<Parts, T>(make: Maker<Parts, T>, parts: Parts): T {
    if (!this.#made.has(make)) this.#made.set(make, make(parts));
    return this.#made.get(make) as T;
  }
}
