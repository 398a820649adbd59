/** What a read is once it is decided (types only). */
import type { Link, ModelEntry } from '../models/entry.ts';
import type { Policy } from '../policy/policy.ts';
import type { Fields } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';
import type { Sort } from '../query/sort.ts';

declare const planned: unique symbol;

/** Which rows of a model, with everything that the caller's rights allow; only `read/rows-plan` makes one. */
export interface RowsPlan {
  readonly model: ModelEntry;
  /** What the caller may see of the model. */
  readonly policy: Policy;
  readonly filter: Filter;
  readonly fields: Fields | undefined;
  readonly projection: Readonly<Record<string, unknown>> | undefined;
  readonly links: readonly LinkPlan[];
  readonly maxTimeMS: number;
  readonly [planned]: true;
}

/** A link to show: the rows that may be shown for it. */
export interface LinkPlan {
  readonly link: Link;
  readonly rows: RowsPlan;
  /** Only `_id` and `name` are shown: the caller may not read users. */
  readonly identityOnly: boolean;
}

/** Which page of a list. */
export interface Page {
  /** Undefined when limits are switched off and the caller names none. */
  readonly limit: number | undefined;
  readonly page: number;
  readonly skip: number;
  readonly capped: boolean;
  readonly count: boolean;
}

export interface ListPlan extends RowsPlan {
  readonly sort: Sort | undefined;
  /** The rows are searched by text: they have a score, by which they are sorted unless `sort` says otherwise. */
  readonly scored: boolean;
  readonly page: Page;
  /** The estimated size of the collection. */
  readonly size: number;
}
