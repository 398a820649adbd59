/** The history of a model's documents (docs/history.md), and the requests that all methods of a model are made of. */
import { only } from './only.ts';
import { checkParts } from './path.ts';
import { parametersOf } from './query.ts';
import type { OperationCall, Parameter, Sender } from './sender.ts';
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
      return this.#entries(this.asked('history.list', { id }, only('history', given, 'signal limit after')));
    const call = { ...this.asked('history.get', { id, rev: given }, only('history', options, 'signal')), ...safe };
    const { data, rev, at } = await this.sender.json<Revision<DocumentOf<Models, Name>>>(call);
    return { data, rev, at };
  }

  /** Lists the entries of all documents, the newest first. */
  async entries(options: HistoryOptions = {}): Promise<Page<ModelHistoryEntry<IdOf<Models, Name>>>> {
    const { since, until, ...others } = only('entries', options, 'signal limit after since until who op');
    const times = { since: timeOf(since), until: timeOf(until) };
    return await this.#entries(this.asked('history.all', {}, { ...others, ...times }));
  }

  /** Changes a document to what it was after an entry. */
  async revert(
    id: IdOf<Models, Name>,
    rev: number,
    { ifMatch, ...options }: RevertOptions = {},
  ): Promise<Reverted<DocumentOf<Models, Name>>> {
    const { data, kept } = await this.sender.json<Reverted<DocumentOf<Models, Name>>>({
      ...this.asked('history.revert', { id }, only('revert', options, 'signal silent')),
      body: { rev },
      ...(ifMatch === undefined ? {} : { headers: { 'if-match': ifMatch } }),
      repeat: 'keyed',
    });
    return { data, kept };
  }

  /** Discards the history of a document; for admins. */
  async purge(id: IdOf<Models, Name>, options: Abortable = {}): Promise<void> {
    await this.sender.text({
      ...this.asked('history.forget', { id }, only('purge', options, 'signal')),
      repeat: 'keyed',
    });
  }

  /**
   * An operation of the model, with its signal. @param parts of its path, besides the model @param filter beside the options
   * @throws DossierError 400 for an empty id, so that methods which use it reject
   */
  protected asked<Options extends Abortable>(
    operation: string,
    parts: Readonly<Record<string, string | number>>,
    options: Options,
    filter?: readonly Parameter[],
  ): Operation {
    const { signal } = options;
    const params = { model: this.name, ...parts };
    checkParts(Object.values(params));
    return { operation, params, parameters: parametersOf({ ...(options as object) }, filter), signal };
  }

  protected async data<Value>(call: OperationCall): Promise<Value> {
    return (await this.sender.json<Data<Value>>(call)).data;
  }

  #entries<Entry>(operation: Operation): Promise<Page<Entry>> {
    return this.sender.json({ ...operation, ...safe });
  }
}

type Operation = Pick<OperationCall, 'operation' | 'params' | 'parameters' | 'signal'>;

/** Of what changes nothing. */
export const safe = { repeat: 'safe' } as const;

/** A time as parameters of addresses have it. */
export const timeOf = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;
