/** The recorders of a server: what is written together with writes. A feature that records has one row here. */
import { AuditLog } from '../auth/audit/audit.ts';
import { IdempotencyRecords } from '../idempotency/records.ts';
import type { Secrets } from '../sealing.ts';
import type { Services } from '../services.ts';
import type { Recorder } from '../write/contract.ts';
import type { Launch } from './launch.ts';

/** Longer than any request may take, in milliseconds of `max_time_ms`. */
const claimLimits = 6;

export type Recorders = ReturnType<typeof makeRecorders>;

/** @returns the recorders by name */
export function makeRecorders(
  { settings, clock, shared, membership }: Launch,
  { registry, secrets: [secret] }: Pick<Services, 'registry'> & { readonly secrets: Secrets },
) {
  const claimMs = settings.query_limits.max_time_ms * claimLimits;
  return {
    audit: new AuditLog({ registry, settings, clock, shared }),
    idempotency: new IdempotencyRecords({ registry, clock, secret, claimMs, by: membership?.id }),
  } satisfies Readonly<Record<string, Recorder>>;
}

/** Frees the claims of requests that an earlier process of this server was answering. */
export async function releaseClaims(
  { settings, isAlone, membership }: Launch,
  idempotency: IdempotencyRecords,
): Promise<void> {
  const isFirst = membership?.isFirst === true && settings.mongodb_url === undefined;
  if (isAlone || isFirst) await idempotency.releaseAll();
  else await idempotency.releaseOf(membership?.replaces ?? []);
}
