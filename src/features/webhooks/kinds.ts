/** The names of webhooks' events and deliveries. */
import type { WebhookEvent } from './contract.ts';

export const webhookEvents = ['post', 'put', 'del'] as const satisfies readonly WebhookEvent[];

/** The kind of its entries in the outbox. Their group is the id of the webhook. */
export const deliveryKind = 'webhook';
/** The type of a delivery that an admin asks for. */
export const testType = 'dossier.test';
