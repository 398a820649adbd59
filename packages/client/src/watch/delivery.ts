/** What the connections of a watch are asked for, and what they deliver. */
import type { Change } from './watch.ts';

/** What a connection delivers: that it is open, an event, or only its position. */
export type Delivery<Document> =
  | { readonly kind: 'open'; readonly position?: string | undefined }
  | { readonly kind: 'position'; readonly position: string }
  | { readonly kind: 'change'; readonly change: Change<Document> };

/** What a subscription requests. */
export interface Subscription {
  readonly model: string;
  readonly id: string | number | undefined;
  readonly filter: unknown;
  /** The position after which it begins. */
  readonly since: string | undefined;
  readonly signal: AbortSignal;
}
