/**
 * A feature: all that can be left out of the server together, in a folder of its own. `index.ts` lists the features; nothing else
 * imports from their folders, and no feature imports another. What the core needs of a feature is a port of the core, which has a
 * plain default.
 */
import type { HttpServer } from '../http/server.ts';
import type { Throttle } from '../http/throttle.ts';
import type { LoadFile } from '../models/author/file-loader.ts';
import type { InternalModel } from '../models/built-in/internal-model.ts';
import type { AddedOption } from '../models/options/added-option.ts';
import type { InvokeServices } from '../operations/interceptor.ts';
import type { OperationGroup } from '../operations/operation.ts';
import type { OperationSource } from '../operations/source.ts';
import type { Provider } from '../ports/port.ts';
import type { Services } from '../services.ts';
import type { FeatureConfig } from '../settings/row.ts';

/** A project whose models are loaded, and which may have files of a feature. */
export interface Project extends Pick<Services, 'settings' | 'config' | 'registry'> {
  /** Loads a file, which may import those of models. */
  readonly load: LoadFile;
  /** Takes a sentence about the files, which the start logs. */
  readonly warn: (message: string) => void;
  /** The operations of the server without those of the project. */
  readonly groups: readonly OperationGroup[];
}

export interface Feature extends OperationSource, Provider {
  /** The name of its folder. */
  readonly name: string;
  /** In `config.ts` of the folder; `npm run lists` adds it to `configs.ts`. */
  readonly config?: FeatureConfig;
  /** Options of model files. `npm run lists` adds their types to `file-options.ts`. */
  readonly modelOptions?: readonly AddedOption[];
  /** The operations that the files of a project add, before a database is open. @throws SettingsError that names the files */
  readonly ofProject?: (project: Project) => Promise<readonly OperationGroup[]>;
  /** The collections that it keeps for itself. */
  readonly models?: readonly InternalModel[];
  /**
   * Serves more than requests at the HTTP server, such as upgrades of connections.
   * @param throttle counts what it serves as requests @returns closes it, before the server stops
   */
  readonly attach?: (
    http: Pick<HttpServer, 'onUpgrade'>,
    services: InvokeServices,
    throttle: Throttle,
  ) => () => Promise<void>;
  /** Runs when all services have been made, before any request. */
  readonly begin?: (services: Services) => Promise<void>;
  /** Begins what runs by itself while a server serves; commands make the services without it. @returns ends it, before the server stops */
  readonly work?: (services: Services) => Promise<() => Promise<void>>;
}
