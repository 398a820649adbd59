/** The changes of documents as they happen: an async iterator, and an event target. */
import type { IdIn } from '../types/models.ts';
import type { Abortable } from '../types/options.ts';

/** A document that was created, changed or deleted. */
export type Change<Document> =
  | {
      readonly event: 'post' | 'put';
      readonly item: Document;
      readonly position: string;
      readonly user_id: string | null;
    }
  | {
      readonly event: 'del';
      /** Without `id` where the model has a field of that name. */
      readonly item: { readonly _id: IdIn<Document>; readonly id: IdIn<Document> };
      readonly position: string;
      readonly user_id: string | null;
    };

export interface WatchOptions<Filter, Id = string | number> extends Abortable {
  readonly filter?: Filter;
  /** Watches this document alone. */
  readonly id?: Id;
  /** The position of an event, after which it begins; now without it. */
  readonly since?: string;
}

/** The event `change` of a watch. */
export class ChangeEvent<Document> extends Event {
  constructor(readonly detail: Change<Document>) {
    super('change');
  }
}

/** The event `error` of a watch, which has ended. */
export class FaultEvent extends Event {
  constructor(readonly detail: unknown) {
    super('error');
  }
}

interface WatchEvents<Document> {
  change: ChangeEvent<Document>;
  /** It has ended by itself. */
  error: FaultEvent;
  /** It receives changes, for the first time or again. */
  open: Event;
  /** The connection is lost; it will be restored. */
  lost: Event;
}

type ListenArguments = Parameters<EventTarget['addEventListener']>;

/** Changes that wait for a slow reader, beyond which the connection is cut until it has read them. */
const maxWaiting = 1000;

/** What runs a watch: it hands over what the server sends. */
export interface Sink<Document> {
  readonly signal: AbortSignal;
  opened(): void;
  lost(): void;
  push(change: Change<Document>): void;
  /** Whether the reader has fallen behind. */
  readonly isFull: boolean;
  /** Resolves when the reader has read what there was, or has stopped. */
  room(): Promise<void>;
}

export class Watch<Document> extends EventTarget implements AsyncIterable<Change<Document>> {
  readonly #stop = new AbortController();
  readonly #waiting: Change<Document>[] = [];
  #hasListener = false;
  #hasReader = false;
  #wake: (() => void) | undefined;
  #drained: (() => void) | undefined;
  #fault: { readonly error: unknown } | undefined;
  /** Resolves when it receives changes for the first time. @throws what it has ended with before */
  readonly ready: Promise<void>;

  /** @param run connects, and resolves when it has stopped @throws what the watch ends with */
  constructor(run: (sink: Sink<Document>) => Promise<void>, signal?: AbortSignal) {
    super();
    const opened = new Promise<void>((done) => this.addEventListener('open', () => done(), { once: true }));
    const ended = run(this.#sink()).then(
      () => this.close(),
      (error: unknown) => this.#fail(error),
    );
    this.ready = Promise.race([
      opened,
      ended.then(() => {
        if (this.#fault !== undefined) throw this.#fault.error;
      }),
    ]);
    // callers may ignore it
    this.ready.catch(() => undefined);
    if (signal?.aborted === true) this.close();
    else signal?.addEventListener('abort', () => this.close(), { once: true, signal: this.#stop.signal });
  }

  /** Ends it. */
  close(): void {
    this.#stop.abort();
    this.#waiting.length = 0;
    this.#release();
  }

  override addEventListener<Name extends keyof WatchEvents<Document>>(
    name: Name,
    listener: (event: WatchEvents<Document>[Name]) => void,
    options?: ListenArguments[2],
  ): void;
  override addEventListener(...given: ListenArguments): void;
  override addEventListener(name: string, listener: unknown, options?: ListenArguments[2]): void {
    super.addEventListener(name, listener as ListenArguments[1], options);
    if (name !== 'change' || this.#hasListener) return;
    this.#hasListener = true;
    // earlier changes have waited for a reader or a listener, and go to the first of them
    if (!this.#hasReader) for (const change of this.#waiting.splice(0)) this.dispatchEvent(new ChangeEvent(change));
    this.#release();
  }

  [Symbol.asyncIterator](): AsyncIterator<Change<Document>, undefined> {
    this.#hasReader = true;
    return {
      next: async () => {
        for (;;) {
          const change = this.#waiting.shift();
          if (this.#waiting.length === 0) this.#drained?.();
          if (change !== undefined) return { done: false, value: change };
          if (this.#fault !== undefined) throw this.#fault.error;
          if (this.#stop.signal.aborted) return { done: true, value: undefined };
          await new Promise<void>((wake) => (this.#wake = wake));
        }
      },
      return: async () => {
        this.close();
        return { done: true, value: undefined };
      },
    };
  }

  #sink(): Sink<Document> {
    const isFull = (): boolean => this.#waiting.length >= maxWaiting;
    return {
      signal: this.#stop.signal,
      opened: () => void this.dispatchEvent(new Event('open')),
      lost: () => void this.dispatchEvent(new Event('lost')),
      push: (change) => this.#push(change),
      get isFull() {
        return isFull();
      },
      room: async () => {
        while (isFull() && !this.#stop.signal.aborted) await new Promise<void>((done) => (this.#drained = done));
      },
    };
  }

  #push(change: Change<Document>): void {
    if (this.#stop.signal.aborted) return;
    if (this.#hasReader || !this.#hasListener) this.#waiting.push(change);
    this.#wake?.();
    if (this.#hasListener) this.dispatchEvent(new ChangeEvent(change));
  }

  #fail(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#fault = { error };
    this.#stop.abort();
    this.#release();
    this.dispatchEvent(new FaultEvent(error));
  }

  #release(): void {
    this.#wake?.();
    this.#drained?.();
  }
}
