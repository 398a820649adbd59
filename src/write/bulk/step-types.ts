/** The steps of a bulk write (types only). */
import type { Row } from '../../models/mongoose.ts';
import type { Filter } from '../../query/filter.ts';
import type { Update } from '../../query/updates.ts';
import type { ListedMutation, RowGuard } from '../contract.ts';
import type { PathDemands } from '../rules/positions.ts';

interface StepBase {
  /** The operation's position in the caller's list. */
  readonly at: number;
  /** The kind, for counts; steps of one kind are sent in one command. */
  readonly kind: 'insert' | 'change' | 'delete';
  readonly many: boolean;
  /** The filter of the documents that it may change: the filters of the caller, the rights, the hook and the deletion state. */
  readonly filter: Filter;
  /** Whether it may demote or delete admins. */
  readonly mayRemoveAdmin: boolean;
  /** Whether it deletes documents of a model that refuses deletions of linked documents. */
  readonly refusal?: { readonly permanently: boolean };
  /** What its names with positions demand of the documents; earlier steps may change it. */
  readonly positions?: PathDemands;
  /** What the operation changes, where it names immutable paths. */
  readonly naming?: Update;
}

/** A step that is sent to the database as a command. */
export interface CommandStep extends StepBase {
  readonly saving?: undefined;
  /** The document that it inserts, or upserts if nothing matches. */
  readonly fresh?: Row;
  /** Whether the operation names the id of the document that it upserts. */
  readonly isNamed?: boolean;
  /** An upsert that creates a document and changes none that exists. */
  readonly onlyMakes?: true;
  /** The reason why an upsert cannot create a document. */
  readonly misfit?: unknown;
  /** Whether it deletes documents permanently. */
  readonly removesPermanently: boolean;
  /** Computes and judges the document after the step, if row rules apply to it. */
  readonly rowCheck?: { readonly guard: RowGuard; readonly after: (before: Row) => Row } | undefined;
  /** Creates the mutation of the documents of a filter. */
  readonly act: (filter: Filter) => ListedMutation;
}

/** A step that saves Mongoose documents one by one, for the model's middleware and the rules that read the document. */
export interface SavedStep extends StepBase {
  readonly saving: SaveStep;
}

export interface SaveStep {
  /** Loads, changes and saves one document of a filter; null if there is none. Undefined for an insertion. */
  readonly change?: (filter: Filter) => Promise<Row | null>;
  /** Saves a new document; undefined for a step that creates none. */
  readonly create?: () => Promise<Row>;
}

export type Step = CommandStep | SavedStep;
