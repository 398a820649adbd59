/** Writes to many documents at once: all or nothing where the database can do that. */
import type { BatchOperation } from 'dossier-client';
import { client, statusOf } from '../../api/client.ts';

/** Operations of one batch. */
const most = 100;

/** @throws DossierError of the first write that failed */
export async function writeMany(operations: readonly BatchOperation[]): Promise<void> {
  for (let at = 0; at < operations.length; at += most) {
    const part = operations.slice(at, at + most);
    await client.batch(part).catch(async (error: unknown) => {
      // this database has no transactions
      if (statusOf(error) !== 501) throw error;
      const failed = (await client.batch(part, { atomic: false })).filter(({ status }) => status >= 400);
      const [first] = failed;
      if (first !== undefined)
        throw new Error(`${failed.length} of ${part.length} failed: ${String(first.body['err'])}`);
    });
  }
}

export const pathTo = (model: string, id: string): string =>
  `/api/${encodeURIComponent(model)}/${encodeURIComponent(id)}`;
