/** Saved views, as they are stored and shown. */
import type { ObjectId, ShapedJson } from '../../core.ts';
import type { Figure } from './figures/contract.ts';

export const deletedChoices = ['hidden', 'shown', 'only'] as const;
/** What a table shows. Null parts are those of a table without them. */
export interface ViewValues {
  readonly title: string;
  readonly shared: boolean;
  /** JSON. */
  readonly filter: string | null;
  readonly search: string | null;
  readonly sort: string | null;
  readonly fields: readonly string[] | null;
  readonly deleted: (typeof deletedChoices)[number] | null;
  /** JSON of a figure, which is shown in place of a table. */
  readonly figure: string | null;
}

export interface ViewRow extends ViewValues {
  readonly _id: ObjectId;
  readonly user_id: ObjectId;
  readonly model: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}

/** A view as a caller sees it. It names no user. */
export interface ViewAnswer extends Omit<ViewValues, 'filter' | 'figure'> {
  readonly id: string;
  readonly model: string;
  readonly filter: ShapedJson;
  readonly figure: Figure | null;
  /** Whether it is the caller's. */
  readonly own: boolean;
  readonly may_change: boolean;
  /** In the caller's order, from 0; null for a view that it does not have. */
  readonly place: number | null;
  readonly created_at: Date;
  readonly changed_at: Date;
}
