/** The events of accounts about named keys. */
import type { AddedEvent } from '../../core.ts';

const after = 'jwt.created';

export const keyCreated: AddedEvent = { name: 'key.created', meaning: 'A named key of a user was created', after };
export const keyRotated: AddedEvent = {
  name: 'key.rotated',
  meaning: 'A named key of a user has another secret',
  after,
};
export const keyRemoved: AddedEvent = { name: 'key.removed', meaning: 'A named key of a user was removed', after };
