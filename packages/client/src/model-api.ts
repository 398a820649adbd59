/** The methods of one model, over any sender of what they ask for. */
import { ModelHistory, safe, timeOf } from './model-history.ts';
import { only } from './only.ts';
import { filterPairs, jsonFilter, jsonOperation, type QueryOptions } from './query.ts';
import type { OperationCall, Parameter } from './sender.ts';
import type { Filter } from './types/filter.ts';
import type {
  ChangeOf,
  CreateOf,
  DocumentOf,
  FieldOf,
  FilterOf,
  FunctionOn,
  IdOf,
  NameIn,
  PathOf,
} from './types/models.ts';
import type {
  Abortable,
  BulkOperation,
  BulkResult,
  ChangeOptions,
  ListOptions,
  Page,
  Patch,
  PatchOptions,
  Removed,
  RemoveOptions,
  Rights,
  Selection,
  Shown,
  WriteOptions,
} from './types/options.ts';
import type { PopulateOf, ResultOf } from './types/result.ts';

/** The options of a list as a CSV; `limit: 'all'` exports large collections. */
export type CsvOptions<Models, Name extends NameIn<Models>> = Omit<
  ListOptions<Models, Name, FieldOf<Models, Name>, never>,
  'populate' | 'limit'
> & { readonly limit?: number | 'all' };

/** The names of options, separated by spaces. */
const shown = 'signal fields populate';
const ofQuery = `${shown} showDeleted sort limit page after before count position`;
export const ofList = `${ofQuery} filter search`;
const ofWrite = 'signal silent';
const ofChange = `${ofWrite} onIgnored`;

type Written = Omit<OperationCall, 'repeat'>;

/** The documents on a page of a walk by default. */
const pageSize = 100;

export class ModelApi<Models, Name extends NameIn<Models>> extends ModelHistory<Models, Name> {
  /** Lists documents: a page, with the cursor of the next one. */
  async list<const Field extends FieldOf<Models, Name> = never, const Link extends PopulateOf<Models, Name> = never>(
    options: ListOptions<Models, Name, Field, Link> = {},
  ): Promise<Page<ResultOf<Models, Name, Field, Link>>> {
    return await this.#list({ ...only('list', options, ofList) });
  }

  /** Walks through all documents, by pages of `limit`. Documents that are inserted and deleted meanwhile do not affect the others. */
  async *iterate<
    const Field extends FieldOf<Models, Name> = never,
    const Link extends PopulateOf<Models, Name> = never,
  >(
    options: Omit<ListOptions<Models, Name, Field, Link>, 'page' | 'before' | 'count'> = {},
  ): AsyncGenerator<ResultOf<Models, Name, Field, Link>, void, undefined> {
    const { limit = pageSize } = only('iterate', options, ofList);
    let { after } = options;
    do {
      const page: Page<ResultOf<Models, Name, Field, Link>> = await this.#list({
        ...options,
        limit,
        after,
      });
      yield* page.data;
      after = page.next_cursor;
    } while (after !== undefined);
  }

  /** Reads a document; with `at`, as it was at that time. */
  async one<const Field extends FieldOf<Models, Name> = never, const Link extends PopulateOf<Models, Name> = never>(
    id: IdOf<Models, Name>,
    options: Shown<Field, Link> & { readonly showDeleted?: boolean; readonly at?: Date | string } = {},
  ): Promise<ResultOf<Models, Name, Field, Link>> {
    only('one', options, `${shown} showDeleted at`);
    return await this.data({ ...this.asked('documents.get', { id }, { ...options, at: timeOf(options.at) }), ...safe });
  }

  /** Counts documents; -1 for too many to be counted. */
  async count({ filter, signal, ...options }: Omit<Selection<Models, Name>, 'search'> = {}): Promise<number> {
    only('count', options, 'showDeleted');
    const pairs = filterPairs(filter);
    if (pairs !== undefined) {
      const call = { ...this.asked('documents.count', {}, { ...options, signal }, pairs), ...safe };
      return (await this.sender.json<{ count: number }>(call)).count;
    }
    const page = await this.#list({ ...options, filter, signal, limit: 1, fields: ['_id'], count: 'exact' });
    return page.count ?? -1;
  }

  /** Lists the values of a path, the most frequent first. */
  async distinct<Path extends PathOf<Models, Name>>(
    path: Path,
    { filter, signal, ...options }: Selection<Models, Name> & { readonly limit?: number } = {},
  ): Promise<{ value: Answered<FilterOf<Models, Name>[Path]>; count: number }[]> {
    only('distinct', options, 'search showDeleted limit');
    const asked = this.asked(
      'documents.distinct',
      { path },
      { ...options, signal },
      this.#inAddress('distinct', filter),
    );
    return await this.data({ ...asked, ...safe });
  }

  /** Creates a document. */
  async create(document: CreateOf<Models, Name>, options: WriteOptions = {}): Promise<DocumentOf<Models, Name>> {
    only('create', options, ofWrite);
    return await this.#write({ ...this.asked('documents.create', {}, options), body: document }, options);
  }

  /** Sets fields of a document, in one atomic update. */
  async set(
    id: IdOf<Models, Name>,
    fields: ChangeOf<Models, Name>,
    options: ChangeOptions = {},
  ): Promise<DocumentOf<Models, Name>> {
    only('set', options, ofChange);
    return await this.#write({ ...this.asked('documents.change', { id }, options), body: fields }, options);
  }

  /** Changes a document by fields, update operators, a merge patch or a JSON Patch. */
  async patch(
    id: IdOf<Models, Name>,
    change: Patch<Models, Name>,
    { merge = false, ...options }: PatchOptions = {},
  ): Promise<DocumentOf<Models, Name>> {
    only('patch', options, ofChange);
    const kind = Array.isArray(change) ? 'json-patch+' : merge ? 'merge-patch+' : '';
    const type = `application/${kind}json`;
    return await this.#write({ ...this.asked('documents.patch', { id }, options), body: change, type }, options);
  }

  /** Loads a document, sets fields and saves it, so that the save middleware of the model runs. */
  async update(
    id: IdOf<Models, Name>,
    fields: ChangeOf<Models, Name>,
    options: ChangeOptions = {},
  ): Promise<DocumentOf<Models, Name>> {
    only('update', options, ofChange);
    return await this.#write({ ...this.asked('documents.save', { id }, options), body: fields }, options);
  }

  /** Creates a document, or changes the one with the same values in `on`, the fields of a unique index. */
  async upsert(
    document: CreateOf<Models, Name>,
    { on, ...options }: ChangeOptions & { readonly on: readonly PathOf<Models, Name>[] },
  ): Promise<DocumentOf<Models, Name>> {
    only('upsert', options, ofChange);
    const named: Parameter = [['on'], on.join(',')];
    return await this.#write({ ...this.asked('documents.upsert', {}, options, [named]), body: document }, options);
  }

  /** Deletes a document, so that lists leave it out. */
  async remove(id: IdOf<Models, Name>, options: RemoveOptions = {}): Promise<Removed> {
    only('remove', options, `${ofWrite} permanent cascade`);
    const { deleted, unlinked } = await this.sender.json<Removed>({
      ...this.asked('documents.delete', { id }, options),
      repeat: 'keyed',
    });
    return { deleted, unlinked };
  }

  /** Restores a deleted document; with `cascade` all that was deleted with it. */
  async restore(
    id: IdOf<Models, Name>,
    options: WriteOptions & { readonly cascade?: boolean } = {},
  ): Promise<DocumentOf<Models, Name>> {
    only('restore', options, `${ofWrite} cascade`);
    const body = { _deleted: false };
    return await this.#write({ ...this.asked('documents.change', { id }, options), body }, options);
  }

  /** Lists documents by a filter in a body: of any size, with all operators. */
  async query<const Field extends FieldOf<Models, Name> = never, const Link extends PopulateOf<Models, Name> = never>(
    filter: Filter<Models, Name>,
    options: Omit<ListOptions<Models, Name, Field, Link>, 'filter' | 'search'> = {},
  ): Promise<Page<ResultOf<Models, Name, Field, Link>>> {
    return await this.#query(filter, { ...only('query', options, ofQuery) });
  }

  /** Runs an aggregation pipeline. */
  async aggregate<Row = Readonly<Record<string, unknown>>>(
    pipeline: readonly Readonly<Record<string, unknown>>[],
    options: Abortable & { readonly allowDiskUse?: boolean } = {},
  ): Promise<Row[]> {
    only('aggregate', options, 'signal allowDiskUse');
    const writes = pipeline.some((stage) => '$out' in stage || '$merge' in stage);
    return await this.data({
      ...this.asked('documents.aggregate', {}, options),
      body: jsonFilter(pipeline),
      repeat: writes ? 'once' : 'safe',
    });
  }

  /** Lists documents as comma-separated text. */
  async csv(options: CsvOptions<Models, Name> = {}): Promise<string> {
    return await this.sender.text(this.csvCall(options));
  }

  /** @throws TypeError for a filter that an address cannot hold */
  protected csvCall({ filter, ...options }: CsvOptions<Models, Name>): OperationCall {
    only('csv', options, ofList);
    return { ...this.asked('documents.export', {}, options, this.#inAddress('csv', filter)), ...safe };
  }

  /** Calls a function of the model, on the document with `id` or on the model. */
  async call<Result = unknown>(
    name: FunctionOn<Models, Name, 'model'>,
    input?: unknown,
    options?: Abortable & { readonly id?: never },
  ): Promise<Result>;
  async call<Result = unknown>(
    name: FunctionOn<Models, Name, 'document'>,
    input: unknown,
    options: Abortable & { readonly id: IdOf<Models, Name> },
  ): Promise<Result>;
  async call<Result = unknown>(
    name: FunctionOn<Models, Name, 'model'> & FunctionOn<Models, Name, 'document'>,
    input?: unknown,
    options?: Abortable & { readonly id?: IdOf<Models, Name> },
  ): Promise<Result>;
  async call<Result = unknown>(
    name: string,
    input: unknown = {},
    options: Abortable & { readonly id?: IdOf<Models, Name> } = {},
  ): Promise<Result> {
    const { id, ...others } = only('call', options, 'signal id');
    const asked =
      'id' in options
        ? this.asked('functions.callForDocument', { id: id as IdOf<Models, Name>, method: name }, others)
        : this.asked('functions.call', { method: name }, others);
    return await this.data({ ...asked, body: input, repeat: 'keyed' });
  }

  /** Runs many write operations. */
  async bulk(
    operations: readonly BulkOperation<Models, Name>[],
    options: Omit<RemoveOptions, 'cascade'> = {},
  ): Promise<BulkResult> {
    only('bulk', options, `${ofWrite} permanent`);
    const body = operations.map(jsonOperation);
    return await this.data({ ...this.asked('documents.bulkWrite', {}, options), body, repeat: 'keyed' });
  }

  /** What the caller, or another user for admins, may do with the model, or with one document. */
  rights(options: Abortable & { readonly id: IdOf<Models, Name>; readonly user?: string }): Promise<Rights<boolean>>;
  rights(options?: Abortable & { readonly user?: string }): Promise<Rights>;
  async rights(
    options: Abortable & { readonly id?: IdOf<Models, Name>; readonly user?: string } = {},
  ): Promise<Rights | Rights<boolean>> {
    only('rights', options, 'signal id user');
    // the id is a parameter, and may be as in a path
    const asked = this.asked('models.rights', 'id' in options ? { id: options.id } : {}, options);
    return await this.data({ ...asked, ...safe, params: { name: this.name } });
  }

  /** A list by a filter in the address, or in a body where an address cannot express it. */
  #list<Document>({ filter, signal, ...options }: QueryOptions & Abortable): Promise<Page<Document>> {
    const pairs = filterPairs(filter);
    if (pairs === undefined) return this.#query(filter, { ...options, signal });
    return this.sender.json({ ...this.asked('documents.list', {}, { ...options, signal }, pairs), ...safe });
  }

  #query<Document>(filter: unknown, options: QueryOptions & Abortable): Promise<Page<Document>> {
    const body = { query: jsonFilter(filter) };
    return this.sender.json({ ...this.asked('documents.query', {}, options), ...safe, body });
  }

  /** @throws TypeError for a filter that an address cannot express */
  #inAddress(method: string, filter: unknown): NonNullable<ReturnType<typeof filterPairs>> {
    const pairs = filterPairs(filter);
    if (pairs === undefined)
      throw new TypeError(`this filter of ${method} is too long, or has operators of query only`);
    return pairs;
  }

  async #write<Document>(call: Written, { onIgnored }: ChangeOptions): Promise<Document> {
    type Answer = { readonly data: Document; readonly ignored?: readonly string[] };
    const { data, ignored } = await this.sender.json<Answer>({ ...call, repeat: 'keyed' });
    if (ignored !== undefined) onIgnored?.(ignored);
    return data;
  }
}

/** A value of a filter as answers have it: dates are text, and lists are counted by their members. */
type Answered<Value> = Value extends readonly (infer Item)[] ? Answered<Item> : Exclude<Value, Date>;
