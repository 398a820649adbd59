/** Where documents come from: files of an export, files by the names of models, or standard input. */
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import type { Readable } from 'node:stream';
import { type Cells, csvRecordsOf, type Delimiter, delimiterNames } from '../csv.ts';
import { readManifest } from '../manifest.ts';
import { type FileRecord, type RecordForm, recordsOf } from '../records.ts';

/** One file of documents of one model. */
export interface Source {
  /** The name of the file in messages and in `refused.ndjson`. */
  readonly file: string;
  readonly model: string;
  /** Whether it belongs to an export: its documents are complete. */
  readonly isExport: boolean;
  readonly form: 'json' | 'csv';
  /** Its records; those of JSON are not parsed yet. @throws Error for a file that can't be read */
  readonly records: () => AsyncIterable<FileRecord<string | Cells>>;
}

/** What names the documents of `dossier import`. */
export interface Place {
  /** A folder, a file, or `-` for standard input. */
  readonly path: string;
  /** The model; by default, manifests and file names determine it. */
  readonly model: string | undefined;
  readonly input: Readable;
  /** What stands between the cells of CSV; commas by default. */
  readonly delimiter?: Delimiter | undefined;
}

/** A delimiter of a command line: `;`, `|`, `,` or `tab`. @throws Error that lists them */
export function delimiterFrom(text: string): Delimiter {
  const found = Object.entries(delimiterNames).find(([character, name]) => text === character || text === name);
  if (found === undefined)
    throw new Error(
      `--delimiter must be one of ${Object.values(delimiterNames).join(' ')}, got ${JSON.stringify(text)}`,
    );
  return found[0] as Delimiter;
}

const endings: ReadonlySet<string> = new Set(['.ndjson', '.json', '.csv']);

/** @throws Error for a path without documents, or with a manifest that does not hold */
export async function sourcesOf({ path, model, input, delimiter }: Place): Promise<readonly Source[]> {
  if (path === '-') {
    if (model === undefined) throw new Error('for standard input, --model must name the model');
    return [jsonSource({ file: '-', model }, () => input, 'detect')];
  }
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new Error(`${path} does not exist`);
  if (!found.isDirectory()) return [fileSource(path, model ?? parse(path).name, { delimiter })];
  if (model !== undefined) throw new Error(`--model names the model of one file, and ${path} is a folder`);
  return folderSources(path, delimiter);
}

async function folderSources(folder: string, delimiter: Delimiter | undefined): Promise<readonly Source[]> {
  const listed = await readManifest(folder);
  if (listed !== undefined) return [...listed].map(([model, file]) => fileSource(file, model, { isExport: true }));
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && endings.has(extname(entry.name))).map(({ name }) => name);
  if (names.length === 0) throw new Error(`${folder} has no ${[...endings].join(', ')} files`);
  return names.sort().map((name) => fileSource(join(folder, name), parse(name).name, { delimiter }));
}

interface FileForm {
  readonly isExport?: boolean;
  readonly delimiter?: Delimiter | undefined;
}

function fileSource(path: string, model: string, { isExport = false, delimiter }: FileForm): Source {
  const ending = extname(path);
  if (!endings.has(ending)) throw new Error(`${path} must be a file of ${[...endings].join(', ')}`);
  const bytes = (): Readable => createReadStream(path, { highWaterMark: 256 * 1024 });
  if (ending === '.csv')
    return { file: path, model, isExport: false, form: 'csv', records: () => csvRecordsOf(bytes(), delimiter) };
  return jsonSource({ file: path, model, isExport }, bytes, ending === '.json' ? 'detect' : 'lines');
}

type JsonSource = Pick<Source, 'file' | 'model'> & Partial<Pick<Source, 'isExport'>>;

const jsonSource = (of: JsonSource, bytes: () => Readable, form: RecordForm): Source => ({
  isExport: false,
  ...of,
  form: 'json',
  records: () => recordsOf(bytes(), form),
});
