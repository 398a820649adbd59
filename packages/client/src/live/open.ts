/** Runs a live list: reads it, applies the events that decide its rows by themselves, and reads it again after the others. */
import { DossierError } from '../error.ts';
import type { QueryOptions } from '../query.ts';
import type { Transport } from '../transport.ts';
import type { Abortable, Page } from '../types/options.ts';
import { backoff, wait } from '../wait.ts';
import { isFinal, openWatch } from '../watch/open.ts';
import type { Change, Watch } from '../watch/watch.ts';
import { Live, type LiveSink } from './live.ts';
import { type Order, orderOf } from './order.ts';
import { type Changed, idOf, isEqual, type Window, without, withRow } from './window.ts';

export type LiveOptions = QueryOptions & Abortable;

/** The list of a model. */
interface ListOf<Row> {
  readonly model: string;
  readonly read: (options: LiveOptions) => Promise<Page<Row>>;
}

export const openLive = <Row extends object>(
  transport: Transport,
  list: ListOf<Row>,
  options: LiveOptions,
): Live<Row> => new Live<Row>((sink) => new Run<Row>(transport, list, options, sink).start(), options.signal);

/** Milliseconds for which further events are awaited before the list is read again. */
const gatheredMs = 100;

/** Options with which events do not decide the rows: they have no links, no counts, other fields, and say nothing of a search. */
const undecided = ['fields', 'populate', 'search', 'showDeleted', 'page', 'after', 'before', 'count'];

const isGiven = (option: unknown): boolean => option !== undefined && option !== false;

class Run<Row extends object> {
  readonly #order: Order;
  /** Whether events decide the rows. */
  #decides: boolean;
  #filter: unknown;
  #page: Page<Row> | undefined;
  #isWhole = false;
  #isReading = false;
  #isStale = false;
  #isWatching = false;
  #changed = new Set<unknown>();
  /** The last events of documents while the list is read. */
  readonly #waiting = new Map<unknown, Change<Row>>();

  constructor(
    readonly transport: Transport,
    readonly list: ListOf<Row>,
    readonly options: LiveOptions,
    readonly sink: LiveSink<Row>,
  ) {
    this.#order = orderOf(options.sort);
    // the deletion of a document is an event for those whose filter it has matched, and a list of deleted documents needs it
    this.#filter = isGiven(options['showDeleted']) ? undefined : options.filter;
    this.#decides = !undecided.some((name) => isGiven(options[name]));
  }

  /** The subscription begins at the position of the first page. @returns what reads the list again */
  start(): () => void {
    void this.#readAgain();
    return () => this.#needRead();
  }

  /** @param since the position of the page; without it, the page is read again when the subscription has begun */
  #watch(since?: string): void {
    const { transport, sink } = this;
    const { model } = this.list;
    const watch: Watch<Row> = openWatch(transport, model, {
      filter: this.#filter,
      signal: sink.signal,
      ...(since === undefined ? {} : { since }),
    });
    let isOpen = since !== undefined;
    watch.addEventListener('open', () => {
      if (!isOpen) this.#needRead();
      isOpen = true;
      sink.opened();
    });
    watch.addEventListener('lost', () => sink.lost());
    watch.addEventListener('change', ({ detail }) => this.#take(detail));
    watch.addEventListener('error', ({ detail }) => this.#ended(detail, since));
  }

  /** A subscription has ended. @param since the position with which it began */
  #ended(error: unknown, since: string | undefined): void {
    const status = error instanceof DossierError ? error.status : undefined;
    if (status === 400 && this.#filter !== undefined) {
      // lists take filters that subscriptions do not, such as those through links: any change may concern the rows
      this.#filter = undefined;
      this.#decides = false;
      this.#watch(since);
    } else if (status === 410)
      void wait(gatheredMs, this.sink.signal).then(
        () => this.#watch(),
        () => undefined,
      );
    else this.sink.fail(error);
  }

  #take(change: Change<Row>): void {
    const id = idOf(change.item);
    this.#changed.add(id);
    if (!this.#decides) this.#needRead();
    else if (this.#isReading || this.#page === undefined) {
      this.#waiting.delete(id);
      this.#waiting.set(id, change);
    } else this.#apply([change]);
  }

  #apply(changes: Iterable<Change<Row>>): void {
    if (this.#page === undefined) return;
    const { data, limit = Infinity } = this.#page;
    let window: Window = { rows: data, limit, isWhole: this.#isWhole };
    let isCertain = true;
    for (const change of changes) {
      const changed = this.#after(window, change);
      ({ window } = changed);
      isCertain &&= changed.isCertain;
    }
    this.#isWhole = window.isWhole;
    if (window.rows !== data) this.#show({ ...this.#page, data: window.rows as Row[] });
    if (!isCertain) this.#needRead();
    else if (window.rows === data) this.#changed.clear();
  }

  #after(window: Window, { event, item }: Change<Row>): Changed {
    return event === 'del' ? without(window, idOf(item)) : withRow(window, item, this.#order);
  }

  #show(page: Page<Row>): void {
    this.#page = page;
    const changed = this.#changed;
    this.#changed = new Set();
    this.sink.show(page, changed);
  }

  #needRead(): void {
    this.#isStale = true;
    if (!this.#isReading && !this.sink.signal.aborted) void this.#readAgain();
  }

  /** Reads the list until nothing has happened meanwhile that needs it to be read. */
  async #readAgain(): Promise<void> {
    const { signal } = this.sink;
    this.#isReading = true;
    try {
      do {
        if (this.#page !== undefined) await wait(gatheredMs, signal);
        this.#isStale = false;
        await this.#readOnce();
      } while (this.#isStale && !signal.aborted);
    } catch (error) {
      this.sink.fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #readOnce(): Promise<void> {
    const { position, ...page } = await this.#request();
    const { data, next_cursor: next, limit = Infinity } = page;
    this.#isWhole = next === undefined && data.length < limit;
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    if (this.#changed.size > 0 || !isEqual(page, this.#page)) this.#show(page);
    this.#apply(changes);
    if (!this.#isWatching) this.#watch(position);
    this.#isWatching = true;
  }

  /** @throws DossierError that cannot pass by itself; before there are rows, any */
  async #request(): Promise<Page<Row>> {
    const { signal } = this.sink;
    for (let failures = 0; ; failures++) {
      try {
        return await this.list.read({ ...this.options, signal, ...(this.#isWatching ? {} : { position: true }) });
      } catch (error) {
        signal.throwIfAborted();
        if (this.#page === undefined || isFinal(error)) throw error;
        await wait(backoff(this.transport.retry.delay ?? 300, failures), signal);
      }
    }
  }
}
