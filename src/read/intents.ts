/** What a caller wants to read, as values: `operations/reading/` makes them of requests, and plans are made of nothing else (types only). */
import type { Policy } from '../policy/policy.ts';
import type { Fields } from '../query/fields.ts';
import type { Filter } from '../query/filter.ts';
import type { RequestedPage } from '../query/page.ts';
import type { Population } from '../query/populate.ts';
import type { Search } from '../query/search.ts';
import type { Sort } from '../query/sort.ts';

/** The rows of a model that are wanted. */
export interface RowsIntent {
  /** What the caller may do with the model. The names in the intent were checked by it. */
  readonly policy: Policy;
  /** The conditions of the caller, checked and cast. */
  readonly filter: Filter | undefined;
  readonly search: Search | undefined;
  readonly showDeleted: boolean;
  /** The filter of the pre-hooks. */
  readonly hook: Filter | undefined;
}

/** The links that are to be shown. */
export interface LinksIntent {
  readonly named: readonly Population[];
  /** Whether all links are shown that the caller may read. */
  readonly all: boolean;
}

/** What is to be shown of one document, whichever it is. */
export interface ViewIntent extends Pick<RowsIntent, 'policy' | 'showDeleted' | 'hook'> {
  readonly fields: Fields | undefined;
  readonly links: LinksIntent;
}

/** One document. */
export interface DocumentIntent {
  readonly id: unknown;
  readonly shown: ViewIntent;
}

/** A page of a list. */
export interface ListIntent extends RowsIntent, ViewIntent {
  /** Undefined for the order of the ids, or of the scores of a search. */
  readonly sort: Sort | undefined;
  readonly page: RequestedPage;
  /** The conditions as the caller has written them, with dates that are relative to any time: cursors belong to these. */
  readonly written: object;
  /** The address of the list up to the number or the cursor of a page: links to other pages begin with it. */
  readonly pagesAt: string;
  /** Whether the answer has an entity tag. */
  readonly isTagged: boolean;
  /** Whether an equal request has an equal intent at any time. */
  readonly isConstant: boolean;
}

/** The values of a path. */
export interface DistinctIntent extends RowsIntent {
  readonly path: string;
  /** The number of values. */
  readonly limit: number;
}

/** The result of a pipeline. */
export interface PipelineIntent extends Pick<RowsIntent, 'policy' | 'showDeleted' | 'hook'> {
  /** As the caller has written it. */
  readonly pipeline: unknown;
  readonly allowDiskUse: boolean;
}
