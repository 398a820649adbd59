/** What features do with writes. */
import type { RecorderParts } from '../ports/parts.ts';
import { port } from '../ports/port.ts';
import type { Recorder } from './contract.ts';

/** Writes together with writes, or acts on them; undefined where the project does not need it. */
export const recorder = port<RecorderParts, Recorder | undefined>('recorder');

/** Names what a crash can leave incomplete where the database has no transactions, as the banner does. */
export const crashGap = port<void, string>('what a crash leaves incomplete');
