/** A list that keeps itself right: an event target, and an async iterator of its rows. */
import type { Page } from '../types/options.ts';
import { FaultEvent } from '../watch/watch.ts';

/** The event `change` of a live list. */
export class RowsEvent<Row> extends Event {
  constructor(
    readonly detail: {
      readonly rows: readonly Row[];
      /** The ids of documents that were created, changed or deleted since the event before, whether or not the list shows them. */
      readonly changed: ReadonlySet<unknown>;
    },
  ) {
    super('change');
  }
}

interface LiveEvents<Row> {
  change: RowsEvent<Row>;
  /** It has ended by itself. */
  error: FaultEvent;
  /** It receives changes, for the first time or again. */
  open: Event;
  /** The connection is lost; it will be restored. */
  lost: Event;
}

type ListenArguments = Parameters<EventTarget['addEventListener']>;

/** What runs a live list: it hands over the rows. */
export interface LiveSink<Row> {
  readonly signal: AbortSignal;
  opened(): void;
  lost(): void;
  show(page: Page<Row>, changed: ReadonlySet<unknown>): void;
  fail(error: unknown): void;
}

export class Live<Row> extends EventTarget implements AsyncIterable<readonly Row[]> {
  readonly #run: (sink: LiveSink<Row>) => () => void;
  readonly #signal: AbortSignal | undefined;
  /** Of the opening that runs, or that has run last. */
  #stop = new AbortController();
  #ready: Promise<void> = Promise.resolve();
  #page: Page<Row> | undefined;
  #fault: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  #readAgain = (): void => undefined;

  /** @param run reports rows until its signal is aborted, and returns what reads the list again */
  constructor(run: (sink: LiveSink<Row>) => () => void, signal?: AbortSignal) {
    super();
    this.#run = run;
    this.#signal = signal;
    this.#open();
  }

  /** Resolves when the list has been read for the first time since it was opened. @throws what it has ended with before */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** The rows, in their order. Each change makes a new list; rows that have not changed may be the same objects. */
  get rows(): readonly Row[] {
    return this.#page?.data ?? none;
  }

  /** The last page that was read: its counts and cursors, where they were requested, with the rows of now. */
  get page(): Page<Row> | undefined {
    return this.#page;
  }

  /** Calls a listener after each change of the rows. @returns what removes it */
  readonly onChange = (listener: () => void): (() => void) => {
    const called = (): void => listener();
    this.addEventListener('change', called);
    return () => this.removeEventListener('change', called);
  };

  /** Reads the list again: for writes that cause no event, such as silent ones. */
  refresh(): void {
    this.#readAgain();
  }

  /** Ends it, until a listener for `change` is added or a loop begins. */
  close(): void {
    this.#stop.abort();
    this.#release();
  }

  override addEventListener<Name extends keyof LiveEvents<Row>>(
    name: Name,
    listener: (event: LiveEvents<Row>[Name]) => void,
    options?: ListenArguments[2],
  ): void;
  override addEventListener(...given: ListenArguments): void;
  override addEventListener(name: string, listener: unknown, options?: ListenArguments[2]): void {
    super.addEventListener(name, listener as ListenArguments[1], options);
    if (name === 'change') this.#openAgain();
  }

  /** The rows as they are now, and after each change; a slow reader gets the last rows only. */
  [Symbol.asyncIterator](): AsyncIterator<readonly Row[], undefined> {
    // the rows of an opening before are old
    let seen = this.#openAgain() ? this.#page : undefined;
    const stop = this.#stop;
    return {
      next: async () => {
        for (;;) {
          if (this.#fault !== undefined) throw this.#fault.error;
          if (stop.signal.aborted) return { done: true, value: undefined };
          if (this.#page !== undefined && this.#page !== seen) {
            seen = this.#page;
            return { done: false, value: seen.data };
          }
          const before = this.#wake;
          await new Promise<void>((wake) => {
            this.#wake = () => {
              before?.();
              wake();
            };
          });
        }
      },
      return: async () => {
        if (stop === this.#stop) this.close();
        return { done: true, value: undefined };
      },
    };
  }

  #open(): void {
    const stop = new AbortController();
    const { signal } = stop;
    this.#stop = stop;
    this.#ready = new Promise<void>((done, failed) => {
      super.addEventListener('change', () => done(), { once: true, signal });
      this.addEventListener('error', ({ detail }) => failed(detail as Error), { once: true, signal });
      signal.addEventListener('abort', () => done(), { once: true });
    });
    // callers may ignore it
    this.#ready.catch(() => undefined);
    if (this.#signal?.aborted === true) this.close();
    else this.#signal?.addEventListener('abort', () => this.close(), { once: true, signal });
    if (!signal.aborted) this.#readAgain = this.#run(this.#sink(signal));
  }

  /**
   * Opens a list that `close` has ended, as React does in development: it mounts a component, unmounts it, and mounts it again.
   * @returns whether it was closed
   */
  #openAgain(): boolean {
    const isClosed = this.#stop.signal.aborted && this.#fault === undefined && this.#signal?.aborted !== true;
    if (isClosed) this.#open();
    return isClosed;
  }

  #sink(signal: AbortSignal): LiveSink<Row> {
    const unlessClosed =
      <Given extends unknown[]>(act: (...given: Given) => void) =>
      (...given: Given): void => {
        if (!signal.aborted) act(...given);
      };
    return {
      signal,
      opened: unlessClosed(() => this.dispatchEvent(new Event('open'))),
      lost: unlessClosed(() => this.dispatchEvent(new Event('lost'))),
      show: unlessClosed((page, changed) => {
        this.#page = page;
        this.#release();
        this.dispatchEvent(new RowsEvent({ rows: page.data, changed }));
      }),
      fail: unlessClosed((error) => {
        this.#fault = { error };
        this.dispatchEvent(new FaultEvent(error));
        this.close();
      }),
    };
  }

  /** Wakes all readers. */
  #release(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

const none: readonly never[] = [];
