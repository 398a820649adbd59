/** The methods of one model of a server that is reached over HTTP. */
import { ModelApi } from './model-api.ts';
import type { Transport } from './transport.ts';
import type { OwnFilter } from './types/filter.ts';
import type { DocumentOf, IdOf, NameIn } from './types/models.ts';
import { openWatch } from './watch/open.ts';
import type { Watch, WatchOptions } from './watch/watch.ts';

export class ModelClient<Models, Name extends NameIn<Models>> extends ModelApi<Models, Name> {
  readonly #transport: Transport;

  constructor(transport: Transport, name: Name) {
    super(transport, name);
    this.#transport = transport;
  }

  /** Watches the documents of a filter, or one document. */
  watch(options: WatchOptions<OwnFilter<Models, Name>, IdOf<Models, Name>> = {}): Watch<DocumentOf<Models, Name>> {
    return openWatch(this.#transport, this.name, options);
  }
}
