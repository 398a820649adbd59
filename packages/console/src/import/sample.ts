/** The beginning of a file, which is shown and checked before anything is sent. */
import type { OwnModel } from '../api/models.ts';
import { recordsOf, type SourceRecord } from './source.ts';

/** Records that are read. */
export const sampleSize = 1000;

export interface Sample {
  readonly file: File;
  readonly columns: readonly string[];
  readonly records: readonly SourceRecord[];
}

/** @throws Error for a file that cannot be read, or that has no documents */
export async function sampleOf(file: File, model: OwnModel): Promise<Sample> {
  const records: SourceRecord[] = [];
  for await (const record of recordsOf(file, model, { bytes: 0 })) if (records.push(record) === sampleSize) break;
  const columns = [...new Set(records.flatMap(({ values }) => Object.keys(values)))];
  if (columns.length === 0) throw new Error('The file has no documents.');
  return { file, columns, records };
}
