/** The recorders of the core: what is written together with writes. */
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
  { settings, clock, place }: Launch,
  { registry, secrets: [secret] }: Pick<Services, 'registry'> & { readonly secrets: Secrets },
) {
  const claimMs = settings.query_limits.max_time_ms * claimLimits;
  return {
    idempotency: new IdempotencyRecords({ registry, clock, secret, claimMs, by: place.id }),
  } satisfies Readonly<Record<string, Recorder>>;
}

/** Frees the claims of requests that processes were answering which have ended. */
export async function releaseClaims({ place: { ended } }: Launch, idempotency: IdempotencyRecords): Promise<void> {
  await (ended === 'all' ? idempotency.releaseAll() : idempotency.releaseOf(ended));
}
