/** The free space of the disk: a warning when it becomes scarce, and a reserve for writes that must still work then. */
import { diskRefused } from 'dossier-language/errors';
import type { DiskSize } from '../storage/storage.ts';
import type { Limits } from './limits.ts';

const megabyte = 1024 * 1024;
/** Bytes that are written before the free space is read again. */
const readEvery = 4 * megabyte;
/** Milliseconds after which it is read again in any case. */
const readEveryMs = 1000;

/** Watches the free space of a disk. */
export class DiskSpace {
  readonly #limits: Limits;
  readonly #readSize: () => DiskSize;
  readonly #warn: (message: string) => void;
  #free = Number.POSITIVE_INFINITY;
  #readAt = Number.NEGATIVE_INFINITY;
  #written = 0;
  #hasWarned = false;

  constructor(limits: Limits, readSize: () => DiskSize, warn: (message: string) => void) {
    this.#limits = limits;
    this.#readSize = readSize;
    this.#warn = warn;
  }

  /**
   * Checks before a write that adds data.
   * @throws StoreError 14031 if the disk is nearly full
   */
  check(bytes: number): void {
    this.#written += bytes;
    if (this.isFull)
      throw diskRefused(
        `The disk of the embedded store is nearly full: ${shown(this.#free)} are free, and ${shown(this.#limits.diskReserveBytes)} are kept for deletions.`,
      );
  }

  /** Whether writes that add data are refused now. */
  get isFull(): boolean {
    const now = performance.now();
    if (this.#written >= readEvery || now - this.#readAt >= readEveryMs) this.#read(now);
    return this.#free < this.#limits.diskReserveBytes;
  }

  #read(now: number): void {
    this.#readAt = now;
    this.#written = 0;
    this.#free = this.size?.free ?? Number.POSITIVE_INFINITY;
    const isScarce = this.#free < this.#limits.diskWarningBytes;
    if (isScarce && !this.#hasWarned)
      this.#warn(
        `The disk of the embedded store has only ${shown(this.#free)} free. New documents are refused below ${shown(this.#limits.diskReserveBytes)}.`,
      );
    this.#hasWarned = isScarce;
  }

  /** Undefined for a disk that cannot say it: it may still accept writes; those that it refuses report why. */
  get size(): DiskSize | undefined {
    try {
      return this.#readSize();
    } catch {
      return undefined;
    }
  }
}

const shown = (bytes: number): string => `${Math.floor(bytes / megabyte)} MB`;
