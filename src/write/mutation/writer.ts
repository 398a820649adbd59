/** The writer of an actor's mutations, and whether subscribers are notified. */
import type { Actor } from '../../context.ts';
import { signInOf } from '../../policy/principal.ts';
import type { Writer } from '../commit.ts';
import type { WriteIntent } from '../intents.ts';

export const writerOf = (
  { services, unit, progress, principal, address, requestId }: Actor,
  { silent }: WriteIntent,
): Writer => ({
  services,
  unit,
  progress,
  user: principal.user?.id,
  origin: { address, requestId, ...signInOf(principal) },
  silent,
});
