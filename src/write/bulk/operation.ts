/** The operations of a bulk write (types only). */
import type { Row } from '../../models/mongoose.ts';
import type { Grant } from '../../policy/grants.ts';
import type { Filter } from '../../query/filter.ts';
import type { Update } from '../../query/updates.ts';
import type { PathDemands } from '../rules/positions.ts';

/** A checked operation. `filter` is the caller's, cast; the filters of rights and deletion are added when it is planned. */
export type BulkOperation =
  | { readonly kind: 'insert'; readonly document: Row }
  | {
      readonly kind: 'update';
      readonly many: boolean;
      readonly filter: Filter;
      readonly update: Update;
      readonly positions: PathDemands | undefined;
      readonly upsert: boolean;
      readonly grant: Grant;
    }
  | {
      readonly kind: 'replace';
      readonly filter: Filter;
      readonly replacement: Row;
      readonly upsert: boolean;
      readonly grant: Grant;
    }
  | { readonly kind: 'delete'; readonly many: boolean; readonly filter: Filter; readonly grant: Grant };
