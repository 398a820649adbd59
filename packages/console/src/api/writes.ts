/** Writes to many documents at once: all or nothing where the database can do that. */
import { type BatchAnswer, type BatchOperation, DossierError, type FailureBody } from 'dossier-client';
import { client, statusOf } from './client.ts';
import type { Id } from './fields.ts';

/** Operations of one batch. */
export const maxOperations = 100;

/** @returns an answer for each operation @throws DossierError of the first write that failed */
export async function writeMany(operations: readonly BatchOperation[]): Promise<readonly BatchAnswer[]> {
  const answers: BatchAnswer[] = [];
  for (let at = 0; at < operations.length; at += maxOperations)
    answers.push(...(await writePart(operations.slice(at, at + maxOperations))));
  return answers;
}

async function writePart(part: readonly BatchOperation[]): Promise<readonly BatchAnswer[]> {
  try {
    return await client.batch(part);
  } catch (error) {
    // this database has no transactions
    if (statusOf(error) !== 501) throw error;
    const answers = await client.batch(part, { atomic: false });
    const failed = answers.filter(({ status }) => status >= 400);
    if (failed.length > 0)
      throw new Error(`${failed.length} of ${part.length} failed: ${String(failed[0]?.body['err'])}`, { cause: error });
    return answers;
  }
}

/** An operation that the server does not carry out. */
export interface Refusal {
  /** The position of the operation. */
  readonly at: number;
  readonly body: FailureBody;
}

interface Steps {
  /** Is called with the number of operations that have been sent, before each part. @returns whether it continues */
  readonly next: (sent: number) => boolean;
  /** Is asked at the first refusal, before anything of its part is written. @returns whether the others are carried out */
  readonly goOn: (refusal: Refusal) => Promise<boolean>;
}

interface Outcome {
  /** By the positions of operations; those that were not carried out have none. */
  readonly answers: ReadonlyMap<number, BatchAnswer>;
  readonly refused: readonly Refusal[];
  /** What has ended it before all were sent. */
  readonly error?: unknown;
}

/** Carries out operations in parts, each all or nothing until one is refused, and then each operation by itself. */
export async function writeParts(operations: readonly BatchOperation[], { next, goOn }: Steps): Promise<Outcome> {
  const answers = new Map<number, BatchAnswer>();
  const refused: Refusal[] = [];
  let isAtomic = true;
  const send = async (from: number): Promise<boolean> => {
    const part = operations.slice(from, from + maxOperations);
    const first = isAtomic ? await answersOf(part, from) : undefined;
    if (first !== undefined && 'body' in first && !(await goOn(first))) {
      refused.push(first);
      return false;
    }
    isAtomic = Array.isArray(first);
    const found = Array.isArray(first) ? first : await client.batch(part, { atomic: false });
    for (const [at, answer] of found.entries())
      if (answer.status < 400) answers.set(from + at, answer);
      else refused.push({ at: from + at, body: answer.body });
    return true;
  };
  try {
    for (let from = 0; from < operations.length && next(from); from += maxOperations) if (!(await send(from))) break;
    return { answers, refused };
  } catch (error) {
    return { answers, refused, error };
  }
}

/** @returns the answers of a part, or its refusal; undefined where the database has no transactions @throws DossierError */
async function answersOf(part: readonly BatchOperation[], from: number): Promise<BatchAnswer[] | Refusal | undefined> {
  try {
    return await client.batch(part);
  } catch (error) {
    if (statusOf(error) === 501) return undefined;
    if (!(error instanceof DossierError) || error.body.operation === undefined || error.status >= 500) throw error;
    return { at: from + error.body.operation, body: { ...error.body, err: error.err } };
  }
}

export const pathTo = (model: string, id: Id): string => `/api/${encodeURIComponent(model)}/${encodeURIComponent(id)}`;
