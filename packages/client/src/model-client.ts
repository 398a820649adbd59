/** The methods of one model of a server that is reached over HTTP. */
import type { Live } from './live/live.ts';
import { type LiveOptions, openLive } from './live/open.ts';
import { type CsvOptions, ModelApi, ofList } from './model-api.ts';
import { only } from './only.ts';
import type { SyncStore } from './sync/store.ts';
import { sync, type SyncOptions, type SyncResult } from './sync/sync.ts';
import type { Transport } from './transport.ts';
import type { OwnFilter } from './types/filter.ts';
import type { DocumentOf, FieldOf, IdOf, NameIn } from './types/models.ts';
import type { ListOptions, Page } from './types/options.ts';
import type { PopulateOf, ResultOf } from './types/result.ts';
import { openWatch } from './watch/open.ts';
import type { Watch, WatchOptions } from './watch/watch.ts';

export class ModelClient<Models, Name extends NameIn<Models>> extends ModelApi<Models, Name> {
  readonly #transport: Transport;

  constructor(transport: Transport, name: Name) {
    super(transport, name);
    this.#transport = transport;
  }

  /**
   * Lists documents as comma-separated text that is read as it comes, for exports of any size. The stream fails where the connection ends
   * early. @throws DossierError for an answer that is a failure
   */
  async csvStream(options: CsvOptions<Models, Name> = {}): Promise<NonNullable<Response['body']>> {
    const { body } = await this.#transport.send(this.csvCall(options));
    if (body === null) throw new TypeError('the answer has no body');
    return body;
  }

  /** Watches the documents of a filter, or one document. */
  watch(options: WatchOptions<OwnFilter<Models, Name>, IdOf<Models, Name>> = {}): Watch<DocumentOf<Models, Name>> {
    return openWatch(this.#transport, this.name, only('watch', options, 'signal filter id since'));
  }

  /** Lists documents, and keeps the list right: its rows are those that the same list has now. */
  live<const Field extends FieldOf<Models, Name> = never, const Link extends PopulateOf<Models, Name> = never>(
    options: ListOptions<Models, Name, Field, Link> = {},
  ): Live<ResultOf<Models, Name, Field, Link>> {
    type Row = ResultOf<Models, Name, Field, Link> & object;
    const read = async (given: LiveOptions): Promise<Page<Row>> => {
      const page: Page<unknown> = await this.list(given as object);
      return page as Page<Row>;
    };
    return openLive<Row>(this.#transport, { model: this.name, read }, { ...only('live', options, ofList) });
  }

  /**
   * Brings the copy of a collection in a store up to date: with all documents at first, later with what has changed. It may end at any
   * moment, and continues where the store stands.
   */
  async sync<const Field extends FieldOf<Models, Name> = never>(
    store: SyncStore<ResultOf<Models, Name, Field, never>, IdOf<Models, Name>>,
    options: SyncOptions<OwnFilter<Models, Name>, Field> = {},
  ): Promise<SyncResult> {
    return await sync(this.#transport, this.name, store, only('sync', options, 'signal filter fields limit'));
  }
}
