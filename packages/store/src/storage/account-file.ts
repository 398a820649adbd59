/** Stores the account of a shared store in its data folder: the SCRAM credentials, never the password. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { types } from 'node:util';
import type { Credentials } from '../login/scram.ts';
import { DiskFault, naming } from './faults.ts';
import { accountFile } from './files.ts';

const bytesFields = ['salt', 'storedKey', 'serverKey'] as const;

/** The stored account. @throws Error if the file is invalid; DiskFault if it cannot be read */
export function readAccount(dir: string): Credentials | undefined {
  const path = join(dir, accountFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new DiskFault(path, error);
  }
  const account = parse(text);
  if (account === undefined) {
    throw new Error(`The file ${path} is damaged. Set a user and a password to replace it.`);
  }
  return account;
}

function parse(text: string): Credentials | undefined {
  try {
    const stored = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const { user, iterations } = stored ?? {};
    const [salt, storedKey, serverKey] = bytesFields.map((name) => bytesOf(stored?.[name]));
    const whole = salt !== undefined && storedKey?.length === 32 && serverKey?.length === 32;
    if (!whole || typeof user !== 'string' || !Number.isInteger(iterations)) return undefined;
    return { user, salt, iterations: Number(iterations), storedKey, serverKey };
  } catch {
    return undefined;
  }
}

function bytesOf(value: unknown): Buffer | undefined {
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  return bytes === undefined || bytes.length < 16 ? undefined : bytes;
}

/** Writes the account atomically, readable by the owner of the folder only. @throws DiskFault */
export function keepAccount(dir: string, credentials: Credentials): void {
  const path = join(dir, accountFile);
  naming(path, () => replace(path, credentials));
}

function replace(path: string, credentials: Credentials): void {
  const { user, iterations } = credentials;
  const [salt, storedKey, serverKey] = bytesFields.map((name) => Buffer.from(credentials[name]).toString('base64'));
  const file = openSync(`${path}.new`, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify({ user, iterations, salt, storedKey, serverKey })}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
