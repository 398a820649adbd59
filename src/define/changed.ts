/** What `changed` of models, plug-ins and the config receives (docs/rules.md). Any folder may import it. */
import type { Api, ProgramLog } from '../api/contract.ts';
import type { WriteCaller } from '../policy/principal.ts';

/** What a write has done to one document. */
export interface ChangedEvent {
  /** Deletions and restorations are soft ones; what is removed is gone. */
  readonly event: 'create' | 'change' | 'delete' | 'restore' | 'remove';
  /** The name of the model. */
  readonly model: string;
  readonly id: string;
  /** The document as it was stored, frozen; undefined for a new one. */
  readonly before: Readonly<Record<string, unknown>> | undefined;
  /** The document as it is stored now, frozen; undefined for one that is removed. */
  readonly after: Readonly<Record<string, unknown>> | undefined;
  /** The paths that differ, without the stamps of writes: those inside of objects in dots, a list as a whole. */
  readonly paths: readonly string[];
  readonly caller: WriteCaller;
  /** Through what the caller acts where that is not the API itself, as in histories: `mcp`, `trash`. */
  readonly via: string | undefined;
  /** Acts as the caller, in the unit of the write. */
  readonly api: Api;
  readonly log: ProgramLog;
  /** Aborted when the caller disconnects, and at the time limit. */
  readonly signal: AbortSignal;
}

/** Acts on a change, in the unit of the write that made it (docs/rules.md). What it throws ends the unit. */
export type ChangedHandler = (changed: ChangedEvent) => unknown;
