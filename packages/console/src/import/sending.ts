/** Sends the rows of a file in chunks, each of which the server carries out once, however often it is sent. */
import { type BatchAnswer, DossierError } from 'dossier-client';
import { client, statusOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { wordsOfRefusal } from '../api/server-words.ts';
import { operationOf, type Plan, type Row, rowOf } from './columns.ts';
import type { LinkTitles } from './link-titles.ts';
import { type Progress, recordsOf, type SourceRecord } from './source.ts';
import { Undoing } from './undoing.ts';

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

/** A file and what is made of it. */
interface Sent {
  readonly file: File;
  readonly model: OwnModel;
  readonly plan: Plan;
  readonly links: LinkTitles;
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
  /** Chunks after it. */
  #ready: (readonly Row[])[] = [];
  /** Records whose links are not found yet: kept, so that none are lost when that fails. */
  #read: readonly SourceRecord[] | undefined;
  readonly #source: AsyncGenerator<readonly SourceRecord[]>;
  /** Why the file cannot be read on. */
  #fault: { readonly error: unknown } | undefined;
  readonly undoing: Undoing;

  readonly model: OwnModel;
  readonly plan: Plan;
  readonly #links: LinkTitles;

  constructor(
    { file, model, plan, links }: Sent,
    readonly inform: () => void,
  ) {
    [this.model, this.plan, this.#links] = [model, plan, links];
    this.#source = groupsOf(recordsOf(file, model, this.progress));
    this.undoing = new Undoing(model);
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
    while (this.#ready.length === 0) {
      this.#read ??= await this.#records();
      if (this.#read === undefined) return undefined;
      const plan = { ...this.plan, links: this.#links };
      await this.#links.load(this.#read, this.model, plan);
      const rows = this.#read.map((record) => rowOf(record, this.model, plan));
      this.#read = undefined;
      for (const { record, faults } of rows)
        if (faults.length > 0) this.refused.push({ record, reason: faults.join('; ') });
      this.#ready = chunksOf(rows.filter(({ faults }) => faults.length === 0));
      if (this.#ready.length === 0) this.inform();
    }
    return { rows: this.#ready.shift() ?? [], key: crypto.randomUUID(), isAtomic: this.#isAtomic };
  }

  async #records(): Promise<readonly SourceRecord[] | undefined> {
    // a generator that has failed ends as if there were no more
    if (this.#fault !== undefined) throw this.#fault.error;
    try {
      const next = await this.#source.next();
      return next.done === true ? undefined : next.value;
    } catch (error) {
      this.#fault = { error };
      throw error;
    }
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

  async #post({ rows, key, isAtomic }: Chunk): Promise<Answered> {
    const operations = rows.map((row) => operationOf(row, this.model, this.plan));
    const body = { operations, ...(isAtomic ? {} : { atomic: false }) };
    for (let repetition = 0; ; repetition++)
      try {
        const response = await client.request('/batch', { method: 'POST', body, headers: { 'idempotency-key': key } });
        const { data } = (await response.json()) as { data: BatchAnswer[] };
        return { answers: data, request: response.headers.get('x-request-id') };
      } catch (error) {
        const pause = isTemporary(error) ? pauses[repetition] : undefined;
        if (pause === undefined || this.#isStopped) throw error;
        await new Promise((done) => setTimeout(done, pause));
      }
  }

  #count(rows: readonly Row[], { answers, request }: Answered): void {
    for (const [at, { record }] of rows.entries()) {
      const answer = answers[at];
      const { status = 0, body } = answer ?? {};
      if (answer !== undefined && status < 400) this.undoing.add(answer, request);
      if (status === 201) this.created++;
      else if (status > 0 && status < 400) this.changed++;
      else
        this.refused.push({
          record,
          reason: body === undefined ? 'The server has not answered.' : wordsOfRefusal(body, this.model),
        });
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

interface Answered {
  readonly answers: readonly BatchAnswer[];
  /** The id of the request. */
  readonly request: string | null;
}

/** Records whose links are found together. */
async function* groupsOf(records: AsyncIterable<SourceRecord>): AsyncGenerator<readonly SourceRecord[]> {
  let group: SourceRecord[] = [];
  for await (const record of records) {
    if (group.push(record) < maxRows) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

function chunksOf(all: readonly Row[]): (readonly Row[])[] {
  const chunks: Row[][] = [];
  let characters = Infinity;
  for (const row of all) {
    const size = JSON.stringify([...row.values]).length;
    if (characters + size > maxCharacters) {
      chunks.push([]);
      characters = 0;
    }
    chunks.at(-1)?.push(row);
    characters += size;
  }
  return chunks;
}
