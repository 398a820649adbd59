/** The records of a file, read in slices as they are needed. */
import type { OwnModel } from '../api/models.ts';
import { CsvReader, type CsvRecord, delimiterOf } from './csv-reader.ts';
import { parseJson } from './exact-numbers.ts';
import { JsonReader, type JsonText } from './json-reader.ts';
import { flattened } from './values.ts';

/** A record: texts of a CSV, or values of JSON, by the names of their columns. */
export interface SourceRecord {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
  /** Why it cannot be read; nothing of it is sent. */
  readonly fault?: string;
}

/** Where a file has been read to. */
export interface Progress {
  bytes: number;
}

const isCsv = ({ name, type }: File): boolean => /\.(csv|tsv|txt)$/i.test(name) || type === 'text/csv';

/** Whether the values of a file are texts, which are read by the types of their fields. */
export const hasTexts = isCsv;

/**
 * The records of a CSV, JSON or NDJSON file.
 * @param progress is kept current @throws Error for a file that is not UTF-8, or whose header is not usable
 */
export const recordsOf = (file: File, model: OwnModel, progress: Progress): AsyncGenerator<SourceRecord> =>
  isCsv(file) ? csvRecords(file, progress) : jsonRecords(file, model, progress);

/** The text in pieces, without the byte order mark. */
async function* piecesOf(file: File, progress: Progress): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += sliceSize) {
    const bytes = await file.slice(at, at + sliceSize).arrayBuffer();
    progress.bytes = Math.min(at + sliceSize, file.size);
    yield decoded(decoder, bytes, at + sliceSize < file.size);
  }
}

const sliceSize = 256 * 1024;

function decoded(decoder: TextDecoder, bytes: ArrayBuffer, stream: boolean): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new Error('The file is not UTF-8. Save it as “CSV UTF-8”, or with the encoding UTF-8.');
  }
}

async function* csvRecords(file: File, progress: Progress): AsyncGenerator<SourceRecord> {
  let reader: CsvReader | undefined;
  let header: readonly string[] | undefined;
  function* named(records: readonly CsvRecord[]): Generator<SourceRecord> {
    for (const record of records)
      if (header === undefined) header = headerOf(record);
      else yield recordOf(header, record);
  }
  for await (const piece of piecesOf(file, progress)) {
    reader ??= new CsvReader(delimiterOf(piece));
    yield* named(reader.read(piece));
  }
  yield* named(reader?.end() ?? []);
  if (header === undefined) throw new Error('The file is empty. The first line names the columns.');
}

function headerOf({ cells }: CsvRecord): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const empty = names.indexOf('');
  if (empty !== -1) throw new Error(`Column ${empty + 1} has no name. The first line names the columns.`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`Two columns are named “${twice}”.`);
  return names;
}

function recordOf(header: readonly string[], { line, cells }: CsvRecord): SourceRecord {
  const values = Object.fromEntries(header.map((name, at) => [name, unguarded(cells[at] ?? '')]));
  if (cells.length === header.length) return { line, values };
  return { line, values, fault: `has ${cells.length} cells, and the first line has ${header.length}` };
}

/** Without the apostrophe that an export has before a text which a spreadsheet would run as a formula. */
const unguarded = (cell: string): string => (/^'(?:\s*[=+\-@]|[\t\r\n])/.test(cell) ? cell.slice(1) : cell);

async function* jsonRecords(file: File, model: OwnModel, progress: Progress): AsyncGenerator<SourceRecord> {
  const reader = new JsonReader();
  for await (const piece of piecesOf(file, progress)) yield* reader.read(piece).map((text) => parsed(text, model));
  yield* reader.end().map((text) => parsed(text, model));
}

function parsed({ line, text }: JsonText, model: OwnModel): SourceRecord {
  try {
    const value = parseJson(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return { line, values: {}, fault: 'is not an object' };
    const part = partOf(Object.keys(value));
    return { line, values: flattened(value, model), ...(part === undefined ? {} : { fault: part }) };
  } catch (error) {
    return { line, values: {}, fault: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Names with dots are paths, of which one may be a part of another: which value holds would depend on their order. */
function partOf(names: readonly string[]): string | undefined {
  const all = new Set(names);
  for (const name of names)
    for (let end = name.indexOf('.'); end !== -1; end = name.indexOf('.', end + 1)) {
      const above = name.slice(0, end);
      if (all.has(above)) return `has ${above}, and ${name}, which is a part of it`;
    }
  return undefined;
}
