/** What features make for the server as a whole. */
import type { OpenMetrics } from '../metrics/metrics.ts';
import type { OutboxKind } from '../outbox/contract.ts';
import type { Core, RecorderParts, Sweep } from '../ports/parts.ts';
import { port } from '../ports/port.ts';
import type { Adviser, Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { Recorder } from '../write/contract.ts';

/** What the operations of a feature use, made when the server starts. */
export const ownService = port<Core, unknown>('service of a feature');

/** Removes what is due, several times a minute; undefined where no model needs that. */
export const sweep = port<Core, Sweep | undefined>('sweep');

/** Writes together with writes, or acts on them; undefined where the project does not need it. */
export const recorder = port<RecorderParts, Recorder | undefined>('recorder');

/** Names what a crash can leave incomplete where the database has no transactions, as the banner does. */
export const crashGap = port<void, string>('what a crash leaves incomplete');

/** Runs the entries of a kind of the outbox; undefined where there are none. */
export const outboxKind = port<Core, OutboxKind | undefined>('entries of the outbox');

/** Says what an operator should look at. */
export const adviser = port<Core, Adviser>('adviser');

/** Whether the project has files of a feature whose code may answer with documents that it has read by itself. */
export const projectCode = port<Pick<Services, 'settings' | 'config'>, Promise<boolean>>('code of the project');

/** Opens what counts for the whole server, before anything else is opened; of one feature. Undefined where the settings switch it off. */
export const metricsOpener = port<Settings, (() => Promise<OpenMetrics>) | undefined>('metrics', undefined);
