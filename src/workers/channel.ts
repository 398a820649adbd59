/**
 * Calls between two processes, in both directions and in order. The calls and replies of one iteration of the event loop are sent as
 * one message.
 */
import { projectError, type ProjectFaults, projectFaults } from '../start/faults.ts';

/** A call, a reply, or a reply that reports an error. */
export type Item =
  | { readonly call: number; readonly name: string; readonly value: unknown }
  | { readonly reply: number; readonly value: unknown }
  | { readonly reply: number; readonly error: string };

interface Open {
  readonly done: (value: unknown) => void;
  readonly failed: (error: Error) => void;
}

/** Answers a call: with a value, a promise of one, or by throwing. */
export type CallHandler = (name: string, value: unknown) => unknown;

export class Channel {
  readonly #open = new Map<number, Open>();
  #outgoing: Item[] = [];
  #last = 0;
  #isClosed = false;

  /** @param send sends items to the other process @param answer answers its calls */
  constructor(
    private readonly send: (items: readonly Item[]) => void,
    private readonly answer: CallHandler,
  ) {}

  /** Calls the other process. @throws Error when the call fails there, or the channel closes */
  call(name: string, value: unknown): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new Error(`${name}: the other process has ended`));
    const call = ++this.#last;
    return new Promise((done, failed) => {
      this.#open.set(call, { done, failed });
      this.#queue({ call, name, value });
    });
  }

  /** Handles items of the other process in their order. */
  receive(items: readonly Item[]): void {
    for (const item of items) {
      if ('call' in item) this.#reply(item.call, item.name, item.value);
      else this.#settle(item);
    }
  }

  /** Ends the channel: open calls fail. */
  close(): void {
    this.#isClosed = true;
    for (const [, { failed }] of this.#open) failed(new Error('the other process has ended'));
    this.#open.clear();
  }

  #reply(reply: number, name: string, value: unknown): void {
    const fail = (error: unknown): void =>
      this.#queue({ reply, error: error instanceof Error ? error.message : String(error) });
    try {
      const result = this.answer(name, value);
      if (result instanceof Promise) result.then((inner: unknown) => this.#queue({ reply, value: inner }), fail);
      else this.#queue({ reply, value: result });
    } catch (error) {
      fail(error);
    }
  }

  #settle(item: Exclude<Item, { readonly call: number }>): void {
    const open = this.#open.get(item.reply);
    this.#open.delete(item.reply);
    if ('error' in item) open?.failed(new Error(item.error));
    else open?.done(item.value);
  }

  #queue(item: Item): void {
    if (this.#isClosed) return;
    if (this.#outgoing.length === 0) setImmediate(() => this.#flush());
    this.#outgoing.push(item);
  }

  #flush(): void {
    const items = this.#outgoing;
    this.#outgoing = [];
    if (!this.#isClosed) this.send(items);
  }
}

/** A failure as plain data: faults of settings and model files, or the message of another error. */
export type Fault = ProjectFaults | { readonly message: string };

export const faultOf = (error: unknown): Fault =>
  projectFaults(error) ?? { message: error instanceof Error ? error.message : String(error) };

export const errorOf = (fault: Fault): Error => ('message' in fault ? new Error(fault.message) : projectError(fault));
