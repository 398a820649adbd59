/**
 * The format of a backup: the files of a data folder, one after the other, and at the end a block of a fixed length that describes
 * them. The block is JSON, padded with spaces, and its own SHA-256 in hexadecimal. What is not complete has no such block.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';

/** Bytes of the block at the end. */
const blockBytes = 4096;
const digestLength = 64;

const format = 'dossier-backup';
/** The version of this format. */
const backupVersion = 1;

/** A file in a backup. */
export interface BackupFile {
  readonly name: string;
  readonly size: number;
  /** Of its bytes, in hexadecimal. */
  readonly sha256: string;
}

/** What the block at the end says. */
export interface BackupBlock {
  /** When the copy was made, as ISO 8601. */
  readonly created: string;
  /** The version of the data file in it. */
  readonly data: number;
  readonly files: readonly BackupFile[];
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The block as bytes. */
export function blockOf(block: BackupBlock): Buffer {
  const text = JSON.stringify({ format, version: backupVersion, ...block });
  const padded = Buffer.from(text.padEnd(blockBytes - digestLength));
  return Buffer.concat([padded, Buffer.from(digestOf(padded))]);
}

/** A file in a backup with its position. */
export interface PlacedFile extends BackupFile {
  readonly start: number;
}

/**
 * Reads and checks a backup as a whole: format, version, length, and the checksum of each file.
 * @param names the files that it may have @param dataVersion the newest format of a data file that this version reads
 * @throws Error naming the check that failed
 */
export async function checkedBackup(
  path: string,
  names: ReadonlySet<string>,
  dataVersion: number,
): Promise<readonly PlacedFile[]> {
  const entry = await stat(path);
  if (entry.isDirectory()) throw unrestorable(path, 'it is a folder');
  const { size } = entry;
  const { files, data } = await readBlock(path, size);
  if (data > dataVersion) throw newer(path, `its data file has the format ${data}`, dataVersion);
  const placed: PlacedFile[] = [];
  let start = 0;
  for (const file of files) {
    if (!names.has(file.name))
      throw unrestorable(path, `it has a file ${JSON.stringify(file.name)}, which no data folder has`);
    placed.push({ ...file, start });
    start += file.size;
  }
  if (start + blockBytes !== size)
    throw unrestorable(path, `its length is ${size} bytes instead of ${start + blockBytes}`);
  for (const file of placed) await checkDigest(path, file);
  return placed;
}

async function readBlock(path: string, size: number): Promise<BackupBlock> {
  const bytes = Buffer.alloc(blockBytes);
  if (size >= blockBytes) {
    const handle = await open(path, 'r');
    await handle.read(bytes, 0, blockBytes, size - blockBytes).finally(() => handle.close());
  }
  const padded = bytes.subarray(0, -digestLength);
  if (digestOf(padded) !== bytes.subarray(-digestLength).toString('latin1')) {
    throw unrestorable(path, 'the checksum at its end is wrong, so it is damaged, incomplete, or not a backup');
  }
  const { format: found, version, ...block } = JSON.parse(padded.toString()) as BackupBlock & Record<string, unknown>;
  if (found !== format) throw unrestorable(path, `its format is ${String(found)}`);
  if (version === backupVersion) return block;
  throw newer(path, `its format is ${String(version)}`, backupVersion);
}

const newer = (path: string, what: string, known: number): Error =>
  new Error(`The backup ${path} was written by a newer version: ${what}, and this version reads ${known} at most.`);

async function checkDigest(path: string, file: PlacedFile): Promise<void> {
  const hash = createHash('sha256');
  for await (const piece of bytesIn(path, file)) hash.update(piece);
  if (hash.digest('hex') !== file.sha256) throw unrestorable(path, `the checksum of its ${file.name} is wrong`);
}

/** The bytes of a file in a backup. */
export const bytesIn = (path: string, { start, size }: PlacedFile): AsyncIterable<Uint8Array> =>
  size === 0 ? emptyFile() : createReadStream(path, { start, end: start + size - 1 });

async function* emptyFile(): AsyncGenerator<Uint8Array, void, void> {
  // no bytes
}

/** The error of a backup that does not pass a check. @param what a clause */
export const unrestorable = (path: string, what: string): Error =>
  new Error(`The backup ${path} cannot be restored: ${what}.`);
