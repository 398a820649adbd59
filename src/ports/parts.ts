/** What the parts of features are made from (types only). */
import type { Secrets } from '../adapters/sealing.ts';
import type { AuthCore } from '../auth/core.ts';
import type { Outbox } from '../outbox/contract.ts';
import type { AnswerCache } from '../read/contract.ts';
import type { Services } from '../services.ts';

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

/** What a sweep may do, and how it ends. */
export interface SweepUse {
  /** Aborted when another server has taken over, or this one stops. */
  readonly signal: AbortSignal;
  /** Whether nothing is removed. */
  readonly dryRun?: boolean;
  /** Receives what is removed, or would be. */
  readonly onRemoved?: (removed: RemovedDocument) => void;
}

export interface RemovedDocument {
  readonly model: string;
  readonly id: string;
  /** The number of entries of its history; undefined for the document itself. */
  readonly entries?: number;
}

/** Removes what is due. One server at a time repeats it. */
export type Sweep = (use: SweepUse) => Promise<void>;
