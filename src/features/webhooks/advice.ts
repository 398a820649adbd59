/** Advice on webhooks that are off. */
import type { Adviser, Core } from '../../core.ts';
import { webhooks } from './webhooks.ts';

export const adviseOnWebhooks =
  ({ services }: Core): Adviser =>
  async () =>
    (await services.of(webhooks).off()).map(({ id, url, off_reason: reason }) => ({
      kind: 'webhook',
      about: id,
      advice:
        `the webhook to ${new URL(url).host} is off${reason === null ? '' : ` (${reason})`}: ` +
        'switch it on by PUT /webhooks/{id} with {"active": true}, and repeat what is missing, or remove it',
    }));
