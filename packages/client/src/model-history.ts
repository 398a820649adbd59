/** The history of a model's documents (docs/history.md), and the requests that all methods of a model are made of. */
import { only } from './only.ts';
import { pathOf } from './path.ts';
import { queryOf } from './query.ts';
import type { Call, Sender } from './sender.ts';
import type {
  HistoryEntry,
  HistoryOptions,
  ModelHistoryEntry,
  Reverted,
  RevertOptions,
  Revision,
} from './types/history.ts';
import type { DocumentOf, IdOf } from './types/models.ts';
import type { Abortable, Page } from './types/options.ts';

interface Data<Value> {
  readonly data: Value;
}

export class ModelHistory<Models, Name extends Extract<keyof Models, string>> {
  protected readonly sender: Sender;

  constructor(
    sender: Sender,
    /** The name of the model. */
    readonly name: Name,
  ) {
    this.sender = sender;
  }

  /** Lists the entries of a document, the newest first; with the number of an entry, shows the document after it. */
  history(
    id: IdOf<Models, Name>,
    options?: Abortable & { readonly limit?: number; readonly after?: string },
  ): Promise<Page<HistoryEntry>>;
  history(id: IdOf<Models, Name>, rev: number, options?: Abortable): Promise<Revision<DocumentOf<Models, Name>>>;
  async history(
    id: IdOf<Models, Name>,
    given: number | (Abortable & { readonly limit?: number; readonly after?: string }) = {},
    options: Abortable = {},
  ): Promise<Page<HistoryEntry> | Revision<DocumentOf<Models, Name>>> {
    if (typeof given !== 'number')
      return this.#entries(this.path('history', id), { ...only('history', given, 'signal limit after') });
    const { signal } = only('history', options, 'signal');
    const path = this.path('history', id, given);
    const { data, rev, at } = await this.sender.json<Revision<DocumentOf<Models, Name>>>({ ...get(path), signal });
    return { data, rev, at };
  }

  /** Lists the entries of all documents, the newest first. */
  async entries(options: HistoryOptions = {}): Promise<Page<ModelHistoryEntry<IdOf<Models, Name>>>> {
    const { since, until, ...others } = only('entries', options, 'signal limit after since until who op');
    return await this.#entries(this.path('history'), { ...others, since: timeOf(since), until: timeOf(until) });
  }

  /** Changes a document to what it was after an entry. */
  async revert(
    id: IdOf<Models, Name>,
    rev: number,
    { ifMatch, ...options }: RevertOptions = {},
  ): Promise<Reverted<DocumentOf<Models, Name>>> {
    const { data, kept } = await this.sender.json<Reverted<DocumentOf<Models, Name>>>({
      method: 'POST',
      path: this.path('history', id, 'revert') + queryOf({ ...only('revert', options, 'signal silent') }),
      body: { rev },
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
      signal: options.signal,
      repeat: 'keyed',
    });
    return { data, kept };
  }

  /** Discards the history of a document; for admins. */
  async purge(id: IdOf<Models, Name>, options: Abortable = {}): Promise<void> {
    const { signal } = only('purge', options, 'signal');
    await this.sender.text({ method: 'DELETE', path: this.path('history', id), signal, repeat: 'keyed' });
  }

  /** @throws DossierError 400 for an empty id, so that methods which use it reject */
  protected path(kind: string, ...parts: readonly (string | number)[]): string {
    return pathOf([kind, this.name, ...parts]);
  }

  protected async data<Value>(call: Call): Promise<Value> {
    return (await this.sender.json<Data<Value>>(call)).data;
  }

  #entries<Entry>(
    path: string,
    { signal, ...options }: Abortable & Readonly<Record<string, unknown>>,
  ): Promise<Page<Entry>> {
    return this.sender.json({ ...get(path + queryOf(options)), signal });
  }
}

export const get = (path: string): Pick<Call, 'method' | 'path' | 'repeat'> => ({
  method: 'GET',
  path,
  repeat: 'safe',
});

/** A time as parameters of addresses have it. */
export const timeOf = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;
