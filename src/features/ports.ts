/** What features make for the server as a whole. */
import type { OpenMetrics } from '../metrics/metrics.ts';
import type { RequestWatch } from '../metrics/request-watch.ts';
import type { Core, Sweep } from '../parts.ts';
import { port } from '../ports.ts';
import type { Adviser, Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';

/** What the operations of a feature use, made when the server starts. */
export const ownService = port<Core, unknown>('service of a feature');

/** Removes what is due, several times a minute; undefined where no model needs that. */
export const sweep = port<Core, Sweep | undefined>('sweep');

/** Says what an operator should look at. */
export const adviser = port<Core, Adviser>('adviser');

/** The name of the project; of one feature. */
export const appName = port<Settings, string>('name of the project');

/** The path of a console for browsers; undefined where the settings switch it off. */
export const consolePath = port<Settings, string | undefined>('path of the console');

/** Whether the project has files of a feature whose code may answer with documents that it has read by itself. */
export const projectCode = port<Pick<Services, 'settings' | 'config'>, Promise<boolean>>('code of the project');

/** Opens what counts for the whole server, before anything else is opened; of one feature. Undefined where the settings switch it off. */
export const metricsOpener = port<Settings, (() => Promise<OpenMetrics>) | undefined>('metrics');

/** Receives the requests that have been answered; of one feature. */
export const requestWatch = port<Core, RequestWatch>('watch of requests');
