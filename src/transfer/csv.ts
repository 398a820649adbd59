/** Reads CSV (RFC 4180, also with another separator) with a header: each line as an object of its cells. The adapter of csv-parse. */
import { pipeline, Readable } from 'node:stream';
import { type Info, parse } from 'csv-parse';
import { checkParts } from '../query/key-checks.ts';
import { type FileRecord, recordLimits } from './records.ts';

/** Cells by the names of their columns, which are dotted for nested documents; empty cells are left out. */
export type Cells = Record<string, string>;

interface Parsed {
  readonly record: readonly string[];
  readonly raw: string;
  readonly info: Info;
}

const options = {
  // each byte as a character: a cell that is not UTF-8 is found when it is decoded, and concerns its record only
  encoding: 'latin1',
  info: true,
  raw: true,
  // the next record is read correctly only if quotes within a cell do not open one; `isWellFormed` refuses them
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: recordLimits.bytes,
} as const;

/** What may stand between cells, with its name in a command. */
export const delimiterNames = { ',': ',', ';': ';', '\t': 'tab', '|': '|' } as const;
export type Delimiter = keyof typeof delimiterNames;
const delimiters = Object.keys(delimiterNames) as readonly Delimiter[];

/** How the lines of a file are written. */
interface Dialect {
  readonly delimiter: Delimiter;
  /** Lines with quotes only where RFC 4180 has them: around a cell, and doubled within it. */
  readonly wellFormed: RegExp;
}

/** @throws Error for a header with a missing, repeated or refused name or with another separator, and for a file without one */
export async function* csvRecordsOf(
  bytes: AsyncIterable<Uint8Array>,
  given: Delimiter = ',',
): AsyncGenerator<FileRecord<Cells>, void, void> {
  const { delimiter = given, rest } = await withoutSeparatorLine(withoutMark(bytes));
  const skipped: FileRecord<Cells>[] = [];
  const parser = parse({ ...options, delimiter });
  const dialect = { delimiter, wellFormed: wellFormedBy(delimiter) };
  parser.on('skip', (error?: Error & { readonly lines?: number }) => {
    const isUnclosed = error !== undefined && 'code' in error && error.code === 'CSV_QUOTE_NOT_CLOSED';
    const fault = isUnclosed ? 'has a quote that is not closed' : `is longer than ${recordLimits.bytes} bytes`;
    skipped.push({ line: error?.lines ?? 0, fault });
  });
  // the parser receives the error, which ends the loop
  const parsed: AsyncIterable<Parsed> = pipeline(Readable.from(rest), parser, () => undefined);
  let header: readonly string[] | undefined;
  for await (const one of parsed) {
    if (header === undefined) header = checkedHeader(one, dialect);
    // spreadsheets write rows of empty cells below those of a table, some of them quoted
    else if (!one.record.every(isBlank)) yield recordFrom(header, one, dialect);
    yield* skipped.splice(0);
  }
  if (header === undefined) throw new Error('has no header: the first line names the columns');
  yield* skipped;
}

function checkedHeader(parsed: Parsed, dialect: Dialect): readonly string[] {
  refuseOtherDelimiter(parsed, dialect);
  const cells = decoded(parsed.record);
  if (cells === undefined) throw new Error('has a header that is not UTF-8');
  const names = cells.map((name) => name.trim());
  if (!isWellFormed(parsed.raw, dialect)) throw new Error('has a header with a misplaced quote');
  const empty = names.indexOf('');
  if (empty !== -1) throw new Error(`has a header without a name for column ${empty + 1}`);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`has two columns named ${JSON.stringify(twice)}`);
  names.forEach(checkParts);
  return names;
}

/** Refuses a header that another separator splits into more columns: each line would be refused. */
function refuseOtherDelimiter({ raw, record }: Parsed, { delimiter }: Dialect): void {
  const other = delimiters.find((one) => one !== delimiter && raw.split(one).length > record.length);
  if (other !== undefined)
    throw new Error(
      `has a header that seems to be separated by ${JSON.stringify(other)}, and not by ${JSON.stringify(delimiter)}: import it with --delimiter ${shellWord(delimiterNames[other])}`,
    );
}

/** Whether a cell has nothing but spaces. */
const isBlank = (cell: string): boolean => /^[ \t\r\n]*$/.test(cell);

const shellWord = (text: string): string => (text === 'tab' ? text : `'${text}'`);

function recordFrom(header: readonly string[], { record, raw, info }: Parsed, dialect: Dialect): FileRecord<Cells> {
  const line = info.lines - newlinesIn(record);
  if (record.length !== header.length) {
    return { line, fault: `has a different number of cells (${record.length}) than the header (${header.length})` };
  }
  if (!isWellFormed(raw, dialect)) return { line, fault: 'has a misplaced quote' };
  const texts = decoded(record);
  if (texts === undefined) return { line, fault: 'is not UTF-8' };
  const cells = header.map((name, at) => [name, unguarded(texts[at] ?? '')] as const);
  return { line, content: Object.fromEntries(cells.filter(([, cell]) => cell !== '')) };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @param cells with a character for each byte @returns undefined if they are not UTF-8 */
function decoded(cells: readonly string[]): readonly string[] | undefined {
  try {
    return cells.map((cell) => decoder.decode(Buffer.from(cell, 'latin1')));
  } catch {
    return undefined;
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** The bytes of a file without the byte order mark at its beginning. */
async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  let start: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of bytes) {
    if (start === undefined) {
      yield piece;
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < byteOrderMark.length) continue;
    yield start.subarray(startsWithMark(start) ? byteOrderMark.length : 0);
    start = undefined;
  }
  if (start !== undefined) yield start;
}

/** The first line by which spreadsheets name the separator. */
const separatorLine = /^sep=([,;\t|])(?=[\r\n])/;
const separatorBytes = 6;

/** The bytes of a file without what its first line says of the separator; the line stays, so that lines keep their numbers. */
async function withoutSeparatorLine(
  bytes: AsyncGenerator<Uint8Array, void, void>,
): Promise<{ readonly delimiter?: Delimiter; readonly rest: AsyncIterable<Uint8Array> }> {
  let start = Buffer.alloc(0);
  for (let next = await bytes.next(); next.done !== true; next = await bytes.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= separatorBytes) break;
  }
  const [line, delimiter] = separatorLine.exec(start.subarray(0, separatorBytes).toString('latin1')) ?? [];
  const rest = (async function* () {
    yield start.subarray(line?.length ?? 0);
    yield* bytes;
  })();
  return delimiter === undefined ? { rest } : { delimiter: delimiter as Delimiter, rest };
}

const startsWithMark = (bytes: Buffer): boolean => bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);

const newlinesIn = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + cell.split('\n').length - 1, 0);

const isWellFormed = (raw: string, { wellFormed }: Dialect): boolean => !raw.includes('"') || wellFormed.test(raw);

function wellFormedBy(delimiter: Delimiter): RegExp {
  const between = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const cell = `(?:"[^"]*(?:""[^"]*)*"|[^"${between}]*)`;
  // a tab at the beginning of a line ends an empty cell
  const blank = delimiter === '\t' ? '[^\\S\\t]*' : '\\s*';
  return new RegExp(`^${blank}${cell}(?:${between}${cell})*\\s*$`);
}

/** Removes the apostrophe that the server's own CSV has before text that a spreadsheet would run as a formula. */
const unguarded = (cell: string): string => (/^'(?:\s*[=+\-@]|[\t\r\n])/.test(cell) ? cell.slice(1) : cell);
