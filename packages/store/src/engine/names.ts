/** Checks names of databases and collections by MongoDB's rules. */
import { StoreError } from 'dossier-language/errors';
import type { Value } from 'dossier-language/values';

const invalid = (message: string): StoreError => new StoreError(73, message);

/** @throws StoreError 73 for an invalid collection name */
export function checkCollectionName(name: Value): string {
  if (typeof name !== 'string') throw invalid('collection name has invalid type');
  if (name === '' || name.startsWith('.') || name.endsWith('.') || name.includes('$') || name.includes('\0')) {
    throw invalid(`Invalid collection name: '${name}'`);
  }
  if (name.length > 255) throw invalid('Invalid collection name: it is too long');
  if (name.startsWith('system.')) throw invalid(`Invalid system namespace: '${name}'`);
  return name;
}

/** @throws StoreError 73 for an invalid database name */
export function checkDatabaseName(name: Value): string {
  if (typeof name !== 'string') throw invalid('the name of the database must be a string');
  if (name === '' || name.length > 63 || /[/\\. "$*<>:|?\0]/.test(name))
    throw invalid(`Invalid database name: '${name}'`);
  return name;
}
