/** The events of accounts about second factors. */
import type { AddedEvent } from '../../core.ts';

const after = 'jwt.created';

export const factorEnabled: AddedEvent = {
  name: 'factor.enabled',
  meaning: 'A user switched a second factor on, or replaced it',
  after,
};
export const factorDisabled: AddedEvent = {
  name: 'factor.disabled',
  meaning: 'The second factor of a user was switched off',
  after,
};
