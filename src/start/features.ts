/** The features of a server, and what they make for it. */
import type { AuthAdditions, AuthCore, AuthParts } from '../auth/core.ts';
import type { AccountEvents } from '../auth/events/contract.ts';
import type { LoginParts } from '../auth/login-services.ts';
import {
  accountListener,
  authMethod,
  emailProof,
  factorCheck,
  factorRule,
  jwtPurpose,
  openToNewUsers,
  storedKeys,
} from '../auth/ports.ts';
import type { Feature } from '../features/feature.ts';
import { features } from '../features/index.ts';
import {
  adviser,
  crashGap,
  metricsOpener,
  outboxKind,
  ownService,
  projectCode,
  recorder,
  sweep,
} from '../features/ports.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { noMetrics } from '../metrics/table.ts';
import { internalModels } from '../models/built-in/index.ts';
import type { InternalModel } from '../models/built-in/internal-model.ts';
import type { AddedOptions } from '../models/options/added-option.ts';
import type { OutboxKind } from '../outbox/contract.ts';
import { advice, appName, consolePath, requestWatch } from '../ports/core.ts';
import type { Core, RecorderParts, Sweep } from '../ports/parts.ts';
import { fallbackOf, firstProviderValue, firstValue, type Maker, makersFor, type Port } from '../ports/port.ts';
import { readWatch } from '../read/ports.ts';
import type { Services } from '../services.ts';
import type { Recorder } from '../write/contract.ts';
import type { Closers } from './closers.ts';
import type { Launch } from './launch.ts';

type OfFeatures = Pick<Launch, 'features'>;
type OfSettings = Pick<Launch, 'features' | 'settings'>;

export const featuresOf = ({ features: own }: OfFeatures): readonly Feature[] =>
  own === undefined ? features : [...(own.base ?? features), ...(own.added ?? [])];

/** The collections that a server keeps for itself. */
export const internalModelsOf = (launch: OfFeatures): readonly InternalModel[] =>
  internalModels(featuresOf(launch).flatMap(({ models = [] }) => models));

/** The options of model files that the features add; those of the list that the server lacks are left out. */
export function addedOptionsOf(launch: OfFeatures): AddedOptions {
  const own = featuresOf(launch);
  const others = features.filter((feature) => !own.includes(feature));
  return {
    rows: own.flatMap(({ modelOptions = [] }) => modelOptions),
    leftOut: new Map(others.flatMap(({ name, modelOptions = [] }) => modelOptions.map((row) => [row.name, name]))),
  };
}

/** What all features make for a port. */
const allOf = <Parts, T>(launch: OfFeatures, of: Port<Parts, T>, parts: Parts): readonly T[] =>
  makersFor(featuresOf(launch), of).map((make) => make(parts));

/** Whether a feature runs code of the project that may answer with documents. */
export const runsProjectCode = async (launch: OfSettings & Pick<Launch, 'config'>): Promise<boolean> =>
  (await Promise.all(allOf(launch, projectCode, launch))).includes(true);

/** What the features add to identities. */
export function authAdditions(launch: OfSettings): AuthAdditions {
  const rules = allOf(launch, factorRule, launch.settings);
  return {
    internalModels: internalModelsOf(launch),
    jwtPurposes: allOf(launch, jwtPurpose, undefined),
    requiresFactor: (user) => rules.some((requires) => requires(user)),
  };
}

/** Opens what counts; where no feature does, nothing is counted. */
export async function openMetrics(launch: OfSettings, closers: Closers): Promise<Metrics> {
  const open = firstProviderValue(featuresOf(launch), metricsOpener, launch.settings);
  if (open === undefined) return noMetrics;
  const metrics = await open();
  closers.push(() => Promise.resolve(metrics.close()));
  return metrics;
}

/** The name of the project, and the path of the console. */
export const namesOf = (launch: OfSettings): Pick<AuthParts, 'appName' | 'consolePath'> => ({
  appName: firstProviderValue(featuresOf(launch), appName, launch.settings),
  consolePath: firstProviderValue(featuresOf(launch), consolePath, launch.settings),
});

/** Whether people may create accounts of their own. */
export const isOpenToNewUsers = (launch: OfSettings): boolean =>
  allOf(launch, openToNewUsers, launch.settings).includes(true);

/** What a crash can leave incomplete where the database has no transactions. */
export const incompleteAfterCrash = (launch: OfFeatures): readonly string[] => allOf(launch, crashGap, undefined);

/** What the features of one server have made, by the functions that made it, and what is provided for ports. */
export class FeatureServices {
  readonly #made = new Map<unknown, unknown>();
  readonly #provided = new Map<unknown, unknown>();
  #sweeps: readonly Sweep[] = [];
  #outboxKinds: readonly OutboxKind[] = [];
  readonly recorders: readonly Recorder[];
  readonly accountListeners: readonly AccountEvents[];

  constructor(
    private readonly launch: OfFeatures,
    parts: RecorderParts,
  ) {
    this.recorders = this.#all(recorder, parts);
    this.accountListeners = this.#all(accountListener, parts);
  }

  /** Makes the services of the features, and begins them. */
  async begin(core: Core): Promise<void> {
    this.#all(ownService, core);
    for (const { begin } of featuresOf(this.launch)) await begin?.(core.services);
    this.#sweeps = this.#all(sweep, core);
    this.provide(readWatch, this.#first(readWatch, core));
    this.provide(requestWatch, this.#first(requestWatch, core));
    const advisers = this.#all(adviser, core);
    this.provide(advice, async (...about) => (await Promise.all(advisers.map((advise) => advise(...about)))).flat());
    this.#outboxKinds = this.#all(outboxKind, core);
  }

  /** Has `of` find a value for a port. */
  provide<Parts, T>(of: Port<Parts, T>, value: T): void {
    this.#provided.set(of, value);
  }

  /** What removes what is due, once they have begun. */
  get sweeps(): readonly Sweep[] {
    return this.#sweeps;
  }

  /** What runs entries of the outbox, once they have begun. */
  get outboxKinds(): readonly OutboxKind[] {
    return this.#outboxKinds;
  }

  /** Makes what features add to the ways of signing in. */
  logins(core: AuthCore): LoginParts {
    return {
      storedKeys: this.#all(storedKeys, core),
      methods: this.#all(authMethod, core),
      factorCheck: this.#first(factorCheck, core),
      emailProof: this.#first(emailProof, core),
    };
  }

  readonly of: Services['of'] = <T>(from: ((parts: never) => T) | Port<never, T>): T => {
    if (typeof from !== 'function')
      return this.#provided.has(from) ? (this.#provided.get(from) as T) : fallbackOf(from);
    if (!this.#made.has(from)) throw new Error(`this server has no ${from.name}: its feature has been left out`);
    return this.#made.get(from) as T;
  };

  /** What all features make for a port, without what is undefined. */
  #all<Parts, T>(of: Port<Parts, T>, parts: Parts): readonly NonNullable<T>[] {
    return makersFor(featuresOf(this.launch), of).flatMap((make) => this.#make(make, parts) ?? []);
  }

  /** What the first feature makes for a port that one feature has. */
  #first<Parts, T>(of: Port<Parts, T>, parts: Parts): T {
    return firstValue(this.#all(of, parts), of);
  }

  #make<Parts, T>(make: Maker<Parts, T>, parts: Parts): T {
    if (!this.#made.has(make)) this.#made.set(make, make(parts));
    return this.#made.get(make) as T;
  }
}
