/** Whether the disk takes writes. After a write that it refused, it is tried every second until it takes one. */
import { DiskFault } from '../storage/faults.ts';

/** Milliseconds between two tries. */
const probeMs = 1000;

/** What a disk state needs from its store. */
export interface DiskOptions {
  /** Writes something small. @throws DiskFault when the disk does not take it */
  readonly probe: () => void;
  readonly onWarning: (message: string) => void;
  /** The data file cannot be trusted any more. */
  readonly onFatal: (error: Error) => void;
}

/** The state of the disk under a store. */
export class DiskState {
  readonly #options: DiskOptions;
  #fault: DiskFault | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  /** Why the last write was refused; undefined while the disk takes writes. */
  get fault(): DiskFault | undefined {
    return this.#fault;
  }

  /** A write was refused. */
  refused(fault: DiskFault): void {
    if (this.#fault === undefined) {
      this.#options.onWarning(`${fault.message} Writes are refused until the disk takes them again; reads go on.`);
      this.#timer = setInterval(() => this.probe(), probeMs);
      this.#timer.unref();
    }
    this.#fault = fault;
  }

  /** A write was taken. */
  took(): void {
    if (this.#fault === undefined) return;
    this.close();
    this.#fault = undefined;
    this.#options.onWarning('The disk takes writes again.');
  }

  /** Tries whether the disk takes a write. */
  probe(): void {
    try {
      this.#options.probe();
      this.took();
    } catch (error) {
      if (error instanceof DiskFault) this.refused(error);
      else {
        this.close();
        this.#options.onFatal(error instanceof Error ? error : new Error(String(error)));
      }
    }
  }

  /** Stops trying. */
  close(): void {
    clearInterval(this.#timer);
  }
}
