/** The plans of reads (types only). */
import type { Actor } from '../context.ts';
import type { Link, ModelEntry, ReverseLink } from '../models/entry.ts';
import type { Policy } from '../policy/policy.ts';
import type { Presentation } from '../policy/presentation.ts';
import type { Fields } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';
import type { LinkedIds } from '../query/link-conditions.ts';
import type { CountMode } from '../query/page.ts';
import type { Sort } from '../query/sort.ts';
import type { Cursors } from './cursors/cursors.ts';
import type { OrderKey } from './order.ts';

/** What plans are made with besides the intent. */
export type Planner = Pick<Actor, 'services' | 'principal'>;

declare const planned: unique symbol;

/** The rows of a model that a request may read. Only `read/rows-plan` creates one. */
export interface RowsPlan {
  readonly model: ModelEntry;
  /** The paths of the model that the caller may see. */
  readonly policy: Policy;
  readonly filter: Filter;
  /** The conditions on linked documents in the filter, whose ids are read before it is used. */
  readonly conditions: readonly LinkedIds[];
  /** Whether these are all rows of the collection, or all that are not deleted. */
  readonly isWhole: boolean;
  readonly fields: Fields | undefined;
  readonly projection: Readonly<Record<string, unknown>> | undefined;
  /** What answers show of the rows. */
  readonly presentation: Presentation;
  readonly links: readonly LinkPlan[];
  readonly maxTimeMS: number;
  /** Whether the plan of the same intent is equal at any time: no rule on its rows, or on rows that they link to, names the time. */
  readonly isConstant: boolean;
  readonly [planned]: true;
}

/** The rows of which one is read, whether it is deleted or not. */
export interface ViewPlan extends RowsPlan {
  readonly showDeleted: boolean;
}

/** A link as answers show it: the linked documents, or in the other direction the linking ones. */
export interface PlannedLink extends Pick<Link, 'path' | 'as' | 'array' | 'model'> {
  /** Where the other model links to this one. Then `path` is `_id`. */
  readonly reverseLink?: ReverseLink;
}

/** A link to show, and the plan of its rows. */
export interface LinkPlan {
  readonly link: PlannedLink;
  readonly rows: RowsPlan;
  /** Whether only `_id` and `name` are shown, because the caller may not read users. */
  readonly identityOnly: boolean;
}

/** A page of a list. */
export interface Page {
  /** Undefined if limits are disabled and the caller sets none. */
  readonly limit: number | undefined;
  /** Undefined where a cursor says where the page begins. */
  readonly page: number | undefined;
  readonly skip: number;
  readonly capped: boolean;
  readonly count: CountMode | undefined;
}

/** The rows of a page, and whether there are rows on both sides of it. */
export interface PageRows {
  readonly rows: readonly Buffer[];
  readonly hasNext: boolean;
  readonly hasPrevious: boolean;
}

/** The members of a list answer that lead to the pages beside it. */
export interface PageLinks {
  readonly next?: string;
  readonly prev?: string;
  readonly next_cursor?: string;
  readonly prev_cursor?: string;
}

export interface ListPlan extends RowsPlan {
  readonly order: readonly OrderKey[];
  /** The order as the database takes it, in both directions: the same objects for each slice of the plan. */
  readonly sorts: { readonly forward: Sort; readonly reversed: Sort };
  /** Whether the list is a full-text search: its rows have a score, by which they are sorted unless `sort` is given. */
  readonly scored: boolean;
  /** Whether the rows are read by a pipeline, since a `find` does not suffice. */
  readonly isByPipeline: boolean;
  readonly cursors: Cursors;
  readonly page: Page;
  /** Whether the size of the collection matters: to the count, or since the page may be too large for the collection. */
  readonly needsSize: boolean;
  /** The members of the answer that lead to the pages beside it. */
  readonly pageLinks: (fetched: PageRows) => PageLinks;
  /** The address that these begin with. */
  readonly pagesAt: string;
  readonly isTagged: boolean;
}
