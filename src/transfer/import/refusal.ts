/** Records that are refused: why, and the file `refused.ndjson` that lists them. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../errors/errors.ts';
import { mongo } from '../../models/mongoose.ts';
import { fromWrite } from '../../write/mutation/mongoose-errors.ts';

/** A refused record, as `refused.ndjson` has it. */
export interface Refusal {
  readonly file: string;
  /** The line in which the record begins, from 1. */
  readonly line: number;
  /** The path of the first fault; empty for a fault of the record as a whole. */
  readonly path: string;
  readonly reason: string;
}

/** Why a record is refused. */
export type Reason = Pick<Refusal, 'path' | 'reason'>;

/** Maximum characters of a message that is not ours. */
const maxMessage = 300;

/**
 * The reason for which a record is refused by an error of reading, validating or writing it.
 * @throws the error itself when it does not concern the record, such as that of an unavailable database
 */
export function reasonOf(error: unknown): Reason {
  const failure = fromWrite(error);
  if (!(failure instanceof Failure)) return { path: '', reason: messageOf(failure) };
  if (failure.status >= 500) throw error;
  const { errors = [], reason } = failure;
  const [first] = errors;
  return first === undefined
    ? { path: '', reason }
    : { path: first.path, reason: errors.map(({ message }) => message).join('; ') };
}

/** @throws an error without a message for operators: one of the network */
function messageOf(error: unknown): string {
  if (error instanceof mongo.MongoError && typeof error.code !== 'number') throw error;
  return (error instanceof Error ? error.message : String(error)).slice(0, maxMessage);
}

const refusedFile = 'refused.ndjson';

/** Lists refused records in the working folder. The file exists only if there are any. */
export class RefusedFile {
  readonly path: string;
  #handle: FileHandle | undefined;
  count = 0;

  constructor(folder: string) {
    this.path = join(folder, refusedFile);
  }

  /** Removes the list of an earlier import. */
  begin(): Promise<void> {
    return rm(this.path, { force: true });
  }

  async add(refusals: readonly Refusal[]): Promise<void> {
    if (refusals.length === 0) return;
    // it repeats parts of the records
    this.#handle ??= await open(this.path, 'w', 0o600);
    await this.#handle.writeFile(refusals.map((refusal) => `${JSON.stringify(refusal)}\n`).join(''));
    this.count += refusals.length;
  }

  async close(): Promise<void> {
    await this.#handle?.close();
  }
}
