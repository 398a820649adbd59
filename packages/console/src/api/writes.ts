/** Writes to many documents at once: all or nothing where the database can do that. */
import type { BatchAnswer, BatchOperation } from 'dossier-client';
import { client, statusOf } from './client.ts';
import type { Id } from './fields.ts';

/** Operations of one batch. */
const maxOperations = 100;

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

export const pathTo = (model: string, id: Id): string => `/api/${encodeURIComponent(model)}/${encodeURIComponent(id)}`;
