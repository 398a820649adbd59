/** Checks documents by the validators of their collections, for one command. */
import { StoreError } from 'dossier-language/errors';
import { compileFilter, failuresOf, type Matcher } from 'dossier-language/query';
import { type Doc, encode } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import type { CollectionOptions, Validation } from './collection-options.ts';
import { type DocumentChecks, filterOptions, type QueryContext } from './query-context.ts';

/** Maximum bytes of what an error says about a document. */
const maxDetails = 64 * 1024;

/** The checks of one command: a validator is compiled once, however many documents it checks. */
export class DocumentCheck implements DocumentChecks {
  readonly #queryContext: (collection: Collection) => QueryContext;
  readonly #isBypassed: boolean;
  readonly #matchers = new WeakMap<Validation, Matcher>();

  /**
   * @param queryContext the context of expressions in the validator of a collection
   * @param isBypassed the command has `bypassDocumentValidation`
   */
  constructor(queryContext: (collection: Collection) => QueryContext, isBypassed: boolean) {
    this.#queryContext = queryContext;
    this.#isBypassed = isBypassed;
  }

  /** Compiles the validator that a collection is to have. @throws StoreError for an invalid one */
  read({ validation }: CollectionOptions, collection: Collection): void {
    if (validation !== undefined) this.#compile(validation, collection);
  }

  /**
   * Checks a new document, or the new version of one.
   * @param before the old version; at level `moderate`, one that the validator refuses may be followed by another
   * @throws StoreError 121 with the reasons as `errInfo`
   */
  check(collection: Collection, doc: Doc, before?: () => Doc): void {
    const { validation } = collection.options;
    if (validation === undefined || this.#isBypassed || validation.action === 'warn') return;
    if (this.accepts(collection, doc)) return;
    if (validation.level === 'moderate' && before !== undefined && !this.accepts(collection, before())) return;
    const details = shortened(failuresOf(validation.validator, doc, filterOptions(this.#queryContext(collection))));
    throw new StoreError(121, 'Document failed validation', {
      errInfo: { failingDocumentId: doc['_id'] ?? null, ...(details ? { details } : {}) },
    });
  }

  /** Whether the validator of a collection accepts a document; with the level `off` it accepts every document. */
  accepts(collection: Collection, doc: Doc): boolean {
    const { validation } = collection.options;
    if (validation === undefined || validation.level === 'off') return true;
    const matcher = this.#matchers.get(validation) ?? this.#compile(validation, collection);
    return matcher.matches(doc);
  }

  #compile(validation: Validation, collection: Collection): Matcher {
    if (Object.hasOwn(validation.validator, '$text')) throw new StoreError(224, '$text is not allowed in a validator');
    const matcher = compileFilter(validation.validator, filterOptions(this.#queryContext(collection)));
    this.#matchers.set(validation, matcher);
    return matcher;
  }
}

/** The details of an error; undefined if they are too large. */
function shortened(details: Doc): Doc | undefined {
  try {
    encode(details, undefined, maxDetails);
    return details;
  } catch {
    return undefined;
  }
}
