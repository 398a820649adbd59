/** Webhooks and their deliveries, as they are stored and shown. */
import type { DocumentOperation, ObjectId, ShapedJson } from '../../core.ts';
import type { Change } from '../../realtime/changes/contract.ts';

export type WebhookEvent = Change['event'];

export interface WebhookRow {
  readonly _id: ObjectId;
  readonly user_id: ObjectId;
  readonly incarnation: string;
  readonly url: string;
  /** Names of models, or `*` for all. */
  readonly models: readonly string[];
  readonly events: readonly WebhookEvent[];
  readonly filter?: string | null;
  readonly description?: string | null;
  readonly active: boolean;
  readonly off_reason?: string | null;
  readonly failing_since?: Date | null;
  readonly secret: string;
  readonly earlier: readonly { readonly secret: string; readonly until: Date }[];
  readonly created_at: Date;
}

/** A webhook as admins see it. */
export interface WebhookAnswer {
  readonly id: string;
  readonly url: string;
  readonly models: readonly string[];
  readonly events: readonly WebhookEvent[];
  readonly filter: ShapedJson;
  readonly description: string | null;
  readonly active: boolean;
  /** Why the server has switched it off. */
  readonly off_reason: string | null;
  readonly failing_since: Date | null;
  readonly user_id: string;
  readonly created_at: Date;
}

/** A webhook with the numbers of its deliveries. */
export interface CountedWebhook extends WebhookAnswer {
  /** `dead` counts those that are kept. */
  readonly deliveries: { readonly pending: number; readonly dead: number };
}

/** The data of an entry: what has happened, and how the last try has ended. */
export interface DeliveryData {
  readonly type: string;
  readonly model?: string;
  readonly document?: string;
  readonly op?: DocumentOperation;
  readonly user?: string | null;
  readonly position?: string;
  /** The images of the document, as BSON (`images.ts`). */
  readonly images?: unknown;
  readonly code?: number | null;
  readonly ms?: number | null;
  readonly reason?: string | null;
  readonly answer?: string | null;
}
