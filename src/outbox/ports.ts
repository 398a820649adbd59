/** What features put into the outbox, and do with its entries. */
import type { JobRequest } from '../api/contract.ts';
import type { Core } from '../ports/parts.ts';
import { port } from '../ports/port.ts';
import type { Services } from '../services.ts';
import type { NewEntry, OutboxKind } from './contract.ts';

/** Runs the entries of a kind; undefined where there are none. */
export const outboxKind = port<Core, OutboxKind | undefined>('entries of the outbox');

/** Makes the entry of a job; of one feature. What it makes throws a TypeError for a job that cannot be run. */
export const jobEntry = port<Services, (request: JobRequest) => Promise<NewEntry>>('entry of a job', () =>
  Promise.reject(new TypeError('api.later: this server has no jobs')),
);
