/** Runs work one after the other, in the order of the calls. Work that fails does not stop what follows. */
export class Sequence {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
