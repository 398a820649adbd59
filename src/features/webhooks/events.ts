/** The events of accounts about webhooks. */
import type { AddedEvent } from '../../core.ts';

const event = (name: AddedEvent['name'], meaning: string): AddedEvent => ({
  name,
  meaning: `${meaning}; \`whom\` is its id`,
  whom: 'the document',
  after: 'setup.data',
});

export const webhookCreated = event('webhook.created', 'A webhook was created');
export const webhookChanged = event('webhook.changed', 'A webhook was changed');
export const webhookRotated = event('webhook.rotated', 'A webhook has another secret');
export const webhookRemoved = event('webhook.removed', 'A webhook was removed');
