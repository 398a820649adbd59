/** The writer of a request's mutations: the caller, and whether subscribers are notified. */
import type { Context } from '../context.ts';
import { signInOf } from '../policy/principal.ts';
import { flagOf } from '../query/parameter-tree.ts';
import type { Writer } from './commit.ts';

/** Whether the caller suppresses events and post-hooks (`_silence` in query or body). @throws 400 for an invalid flag */
export function isSilent({ query, body }: Pick<Context, 'query' | 'body'>): boolean {
  const inBody = typeof body === 'object' && body !== null && '_silence' in body ? body._silence : undefined;
  return flagOf(query, '_silence') || inBody === true || inBody === 1 || inBody === 'true' || inBody === '1';
}

/** @throws 400 for an invalid `_silence` */
export const writerOf = (context: Context): Writer => ({
  services: context.services,
  unit: context.unit,
  user: context.principal.user?.id,
  origin: { address: context.address, ...signInOf(context.principal) },
  silent: isSilent(context),
});
