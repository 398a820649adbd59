/**
 * A feature: all that can be left out of the server together, in a folder of its own. `index.ts` lists the features; nothing else
 * imports from their folders, and no feature imports another. What the core needs of a feature is a port of the core, which has a
 * plain default.
 */
import type { JobRequest } from '../api/contract.ts';
import type { AuthMethod, EmailProof, FactorCheck, StoredKeys } from '../auth/contract.ts';
import type { AuthCore } from '../auth/core.ts';
import type { AddedPurpose } from '../auth/credentials/jwt.ts';
import type { AccountEvents } from '../auth/events/contract.ts';
import type { PastDocuments } from '../context.ts';
import type { HttpServer } from '../http/server.ts';
import type { Throttle } from '../http/throttle.ts';
import type { OpenMetrics } from '../metrics/metrics.ts';
import type { RequestWatch } from '../metrics/request-watch.ts';
import type { LoadFile } from '../models/author/file-loader.ts';
import type { InternalModel } from '../models/built-in/internal-model.ts';
import type { AddedOption } from '../models/options/added-option.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { OperationGroup } from '../operations/operation.ts';
import type { OperationSource } from '../operations/source.ts';
import type { NewEntry, Outbox, OutboxKind } from '../outbox/contract.ts';
import type { KnownUser } from '../policy/principal.ts';
import type { AnswerCache, ReadWatch } from '../read/contract.ts';
import type { Secrets } from '../sealing.ts';
import type { Adviser, Services } from '../services.ts';
import type { FeatureConfig } from '../settings/row.ts';
import type { Settings } from '../settings/types.ts';
import type { Recorder } from '../write/contract.ts';

/** A process among those that have served from one database. */
export interface ProcessPlace {
  /** Names the process for those that come after it; undefined where `ended` is all. */
  readonly id: string | undefined;
  /** The processes that have ended, whose claims are free: those of these names, or all others. */
  readonly ended: readonly string[] | 'all';
}

/** What recorders are made from, before the services. */
export interface RecorderParts extends Pick<Services, 'settings' | 'config' | 'registry' | 'clock' | 'shared'> {
  readonly secrets: Secrets;
  readonly outbox: Outbox;
  readonly place: ProcessPlace;
}

/** What a cache of answers is made from. */
export type CacheParts = Pick<Services, 'settings' | 'bus' | 'shared' | 'metrics'>;

export interface OpenCache extends AnswerCache {
  close(): void;
}

/** What the services of a feature are made from. */
export interface Core {
  readonly services: Services;
  /** The parts of identities: accounts, sessions, tokens. */
  readonly auth: AuthCore;
  /** Closes what a service has opened when the server stops; the last one first. */
  readonly onClose: (close: () => Promise<void>) => void;
  /** The number of this process among those of its server, from 1, and how many these are. */
  readonly worker: { readonly number: number; readonly of: number };
  readonly place: ProcessPlace;
}

/** Makes a part of a feature, once for each server. `services.of` finds what it has made by the function itself. */
export type Maker<Parts, T> = (parts: Parts) => T;

/** What a sweep may do, and how it ends. */
export interface SweepUse {
  /** Aborted when another server has taken over, or this one stops. */
  readonly signal: AbortSignal;
  /** Whether nothing is removed. */
  readonly dryRun?: boolean;
  /** Receives what is removed, or would be. */
  readonly onRemoved?: (removed: Removed) => void;
}

export interface Removed {
  readonly model: string;
  readonly id: string;
  /** The number of entries of its history; undefined for the document itself. */
  readonly entries?: number;
}

/** Removes what is due. One server at a time repeats it. */
export type Sweep = (use: SweepUse) => Promise<void>;

/** A project whose models are loaded, and which may have files of a feature. */
export interface Project extends Pick<Services, 'settings' | 'config' | 'registry'> {
  /** Loads a file, which may import those of models. */
  readonly load: LoadFile;
  /** Takes a sentence about the files, which the start logs. */
  readonly warn: (message: string) => void;
  /** The operations of the server without those of the project. */
  readonly groups: readonly OperationGroup[];
}

/** `settings` and `hooks` are in `config.ts` of the folder, and in the list `configs.ts`. */
export interface Feature extends FeatureConfig, OperationSource {
  /** The name of its folder. */
  readonly name: string;
  /** Options of model files. Their types are in the list `file-options.ts`. */
  readonly modelOptions?: readonly AddedOption[];
  /** The operations that the files of a project add, before a database is open. @throws SettingsError that names the files */
  readonly ofProject?: (project: Project) => Promise<readonly OperationGroup[]>;
  /** Whether the project has such files, whose code may answer with documents that it has read by itself. */
  readonly runsCode?: (project: Pick<Services, 'settings' | 'config'>) => Promise<boolean>;
  /** The collections that it keeps for itself. */
  readonly models?: readonly InternalModel[];
  /** What it writes together with writes, or does for them; undefined where the project does not need it. */
  readonly recorders?: readonly Maker<RecorderParts, Recorder | undefined>[];
  /** What receives the events of accounts, such as logins. */
  readonly accountListeners?: readonly Maker<RecorderParts, AccountEvents>[];
  /** The cache of answers; undefined where the settings switch it off. */
  readonly answerCache?: (settings: Settings) => Maker<CacheParts, OpenCache> | undefined;
  /** What counts for the whole server, made before anything is opened; undefined where the settings switch it off. */
  readonly metrics?: (settings: Settings) => (() => Promise<OpenMetrics>) | undefined;
  /** The path of a console for browsers; undefined where the settings switch it off. */
  readonly consolePath?: (settings: Settings) => string | undefined;
  /** The name of the project; one feature of a server. */
  readonly appName?: (settings: Settings) => string;
  /** What a crash can leave incomplete where the database has no transactions, as the banner names it. */
  readonly incompleteAfterCrash?: string;
  /** Keys besides the permanent ones of users. */
  readonly storedKeys?: readonly Maker<AuthCore, StoredKeys>[];
  /** Methods of signing in, besides those of the core. */
  readonly authMethods?: readonly Maker<AuthCore, AuthMethod>[];
  /** Checks second factors; one feature of a server. */
  readonly factorCheck?: Maker<AuthCore, FactorCheck>;
  /** Asks users to prove a new email; one feature of a server. Undefined where the settings do not require it. */
  readonly emailProof?: Maker<AuthCore, EmailProof | undefined>;
  /** Whether a user must have a second factor. */
  readonly requiresFactor?: (settings: Settings, user: KnownUser) => boolean;
  /** Whether people may create accounts of their own, with values that they choose. */
  readonly isOpenToNewUsers?: (settings: Settings) => boolean;
  readonly jwtPurposes?: readonly AddedPurpose[];
  /** Reads documents of models with history as they were. */
  readonly past?: PastDocuments;
  /** What it removes when it is due, several times a minute; undefined where no model needs that. */
  readonly sweep?: Maker<Core, Sweep | undefined>;
  /** What runs its entries of the outbox; undefined where it has none. */
  readonly outbox?: Maker<Core, OutboxKind | undefined>;
  /** Receives how long reads took; one feature of a server. */
  readonly readWatch?: Maker<Core, ReadWatch>;
  /** Receives the requests that have been answered; one feature of a server. */
  readonly requestWatch?: Maker<Core, RequestWatch>;
  /** What its operations use, made when the server starts. */
  readonly services?: readonly Maker<Core, unknown>[];
  /**
   * Serves more than requests at the HTTP server, such as upgrades of connections.
   * @param throttle counts what it serves as requests @returns closes it, before the server stops
   */
  readonly attach?: (
    http: Pick<HttpServer, 'onUpgrade'>,
    services: InvokeServices,
    throttle: Throttle,
  ) => () => Promise<void>;
  /** What an operator should look at. */
  readonly advises?: Maker<Core, Adviser>;
  /** Runs when all services have been made, before any request. */
  readonly begin?: (services: Services) => Promise<void>;
  /** Makes the entry of the outbox for a job; one feature of a server. @throws TypeError for one that cannot be run */
  readonly later?: (services: Services, request: JobRequest) => Promise<NewEntry>;
  /** Begins what runs by itself while a server serves; commands make the services without it. @returns ends it, before the server stops */
  readonly work?: (services: Services) => Promise<() => Promise<void>>;
}
