/** Tracks whether the disk accepts writes. After a refused write it probes the disk every second. */
import { DiskFault } from '../storage/faults.ts';

/** Milliseconds between two probes. */
const probeMs = 1000;

/** The callbacks of a disk state. */
export interface DiskOptions {
  /** Writes a small record. @throws DiskFault if the write fails */
  readonly probe: () => void;
  readonly onWarning: (message: string) => void;
  /** The data file can no longer be trusted. */
  readonly onFatal: (error: Error) => void;
}

/** The state of a store's disk. */
export class DiskState {
  readonly #options: DiskOptions;
  #fault: DiskFault | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: DiskOptions) {
    this.#options = options;
  }

  /** The error of the last refused write; undefined while the disk accepts writes. */
  get fault(): DiskFault | undefined {
    return this.#fault;
  }

  /** Records a refused write. */
  refused(fault: DiskFault): void {
    const isKnown = this.#fault !== undefined;
    this.#fault = fault;
    if (isKnown) return;
    this.#timer = setInterval(() => this.probe(), probeMs);
    this.#timer.unref();
    this.#options.onWarning(`${fault.message} Writes are refused until the disk accepts them again; reads continue.`);
  }

  /** Records a successful write. */
  took(): void {
    if (this.#fault === undefined) return;
    this.close();
    this.#fault = undefined;
    this.#options.onWarning('The disk accepts writes again.');
  }

  /** Probes the disk. */
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

  /** Stops probing. */
  close(): void {
    clearInterval(this.#timer);
  }
}
