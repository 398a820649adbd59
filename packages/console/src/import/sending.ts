/** Sends the rows of a file in chunks, each of which the server carries out once, however often it is sent. */
import { type BatchAnswer, DossierError } from 'dossier-client';
import { client, statusOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { operationOf, type Plan, type Row, rowOf } from './columns.ts';
import { type Progress, recordsOf, type SourceRecord } from './source.ts';

/** A record that is not stored, and why. */
export interface Refused {
  readonly record: SourceRecord;
  readonly reason: string;
}

/** What an import has done. */
export interface Result {
  readonly created: number;
  readonly changed: number;
  readonly refused: readonly Refused[];
}

/** Rows of a chunk: the limit of a batch, and characters that stay far below the limits of a body and of a kept answer. */
const [maxRows, maxCharacters] = [100, 100_000];

interface Chunk {
  readonly rows: readonly Row[];
  /** Makes a repetition of this request harmless. */
  key: string;
  /** Whether it is all or nothing; each row is by itself after a refusal, and where the database has no transactions. */
  isAtomic: boolean;
}

/** An import of a file, which can be stopped and continued. */
export class Sending {
  readonly progress: Progress = { bytes: 0 };
  readonly refused: Refused[] = [];
  created = 0;
  changed = 0;
  #isStopped = false;
  #isAtomic = true;
  /** The chunk whose answer has not come. */
  #pending: Chunk | undefined;
  readonly #chunks: AsyncGenerator<readonly Row[]>;

  constructor(
    file: File,
    readonly model: OwnModel,
    readonly plan: Plan,
    readonly inform: () => void,
  ) {
    this.#chunks = chunksOf(
      recordsOf(file, model, this.progress),
      (record) => rowOf(record, model, plan),
      this.refused,
    );
  }

  /** After the chunk that is being sent. */
  stop(): void {
    this.#isStopped = true;
  }

  /**
   * Sends what has not been sent. After a failure or a stop it can be called again, and continues: a chunk whose answer was lost has the
   * same key. @returns whether everything is done @throws DossierError, and Error for a file that cannot be read
   */
  async run(): Promise<boolean> {
    this.#isStopped = false;
    for (;;) {
      this.#pending ??= await this.#next();
      if (this.#pending === undefined) return true;
      if (this.#isStopped) return false;
      await this.#send(this.#pending);
      this.#pending = undefined;
      this.inform();
    }
  }

  async #next(): Promise<Chunk | undefined> {
    const next = await this.#chunks.next();
    if (next.done === true) return undefined;
    return { rows: next.value, key: crypto.randomUUID(), isAtomic: this.#isAtomic };
  }

  async #send(chunk: Chunk): Promise<void> {
    if (chunk.rows.length === 0) return;
    if (chunk.isAtomic && !(await this.#isWritten(chunk))) {
      // the server has written nothing: what it refuses is found row by row
      chunk.key = crypto.randomUUID();
      chunk.isAtomic = false;
    }
    if (!chunk.isAtomic) this.#count(chunk.rows, await this.#post(chunk));
  }

  /** @returns whether all rows of a chunk have been written in one transaction @throws DossierError where that is not known */
  async #isWritten(chunk: Chunk): Promise<boolean> {
    try {
      this.#count(chunk.rows, await this.#post(chunk));
      return true;
    } catch (error) {
      if (statusOf(error) === noTransactions) this.#isAtomic = false;
      else if (!isRefusal(error)) throw error;
      return false;
    }
  }

  async #post({ rows, key, isAtomic }: Chunk): Promise<readonly BatchAnswer[]> {
    const operations = rows.map((row) => operationOf(row, this.model, this.plan));
    const body = { operations, ...(isAtomic ? {} : { atomic: false }) };
    for (let repetition = 0; ; repetition++)
      try {
        const response = await client.request('/batch', { method: 'POST', body, headers: { 'idempotency-key': key } });
        return ((await response.json()) as { data: BatchAnswer[] }).data;
      } catch (error) {
        const pause = isTemporary(error) ? pauses[repetition] : undefined;
        if (pause === undefined || this.#isStopped) throw error;
        await new Promise((done) => setTimeout(done, pause));
      }
  }

  #count(rows: readonly Row[], answers: readonly BatchAnswer[]): void {
    for (const [at, { record }] of rows.entries()) {
      const { status = 0, body } = answers[at] ?? {};
      if (status === 201) this.created++;
      else if (status > 0 && status < 400) this.changed++;
      else this.refused.push({ record, reason: String(body?.['err'] ?? 'The server has not answered.') });
    }
  }
}

const noTransactions = 501;

/** Milliseconds before a request is sent again. Then the person decides. */
const pauses = [500, 1000, 2000, 4000, 8000];

/** Whether the same request may succeed later: the answer was lost, the first one is under way, or the server is busy. */
const isTemporary = (error: unknown): boolean =>
  !isRefusal(error) && error instanceof DossierError && [0, 409, 429, 502, 503, 504].includes(error.status);

/** Whether the server has refused an operation of a batch, and not the whole request. */
const isRefusal = (error: unknown): boolean =>
  error instanceof DossierError && error.status < faultOfServer && error.body.operation !== undefined;

const faultOfServer = 500;

/** Rows that can be sent, in chunks; those with faults are refused. */
async function* chunksOf(
  records: AsyncIterable<SourceRecord>,
  read: (record: SourceRecord) => Row,
  refused: Refused[],
): AsyncGenerator<readonly Row[]> {
  let rows: Row[] = [];
  let characters = 0;
  for await (const record of records) {
    const row = read(record);
    if (row.faults.length > 0) {
      refused.push({ record, reason: row.faults.join('; ') });
      continue;
    }
    const size = JSON.stringify([...row.values]).length;
    if (rows.length > 0 && (rows.length === maxRows || characters + size > maxCharacters)) {
      yield rows;
      [rows, characters] = [[], 0];
    }
    rows.push(row);
    characters += size;
  }
  yield rows;
}
