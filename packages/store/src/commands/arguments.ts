/** Reads the arguments of a command by type, with MongoDB's errors for wrong types. */
import { StoreError, unknownName } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import { decode } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { checkCollectionName } from '../engine/names.ts';
import type { Context } from './context.ts';

/** @throws StoreError 14 naming the field */
function wrongType(name: string, expected: string): StoreError {
  return new StoreError(14, `BSON field '${name}' is the wrong type, expected type '${expected}'`);
}

const missing = (name: string): StoreError =>
  new StoreError(40414, `BSON field '${name}' is missing but a required field`);

const absent = (value: Value): value is undefined | null => value === undefined || value === null;

/** An optional document. */
export function docOf(from: Doc, name: string): Doc | undefined {
  const value = from[name];
  if (absent(value)) return undefined;
  if (!isDoc(value)) throw wrongType(name, 'object');
  return value;
}

/** An optional list of documents. */
export function docsOf(from: Doc, name: string): readonly Doc[] | undefined {
  const value = from[name];
  if (absent(value)) return undefined;
  if (!Array.isArray(value)) throw wrongType(name, 'array');
  return value.map((member, at) => {
    if (!isDoc(member)) throw wrongType(`${name}.${at}`, 'object');
    return member;
  });
}

/** A required list of documents. */
export function neededDocs(from: Doc, name: string): readonly Doc[] {
  const list = docsOf(from, name);
  if (list === undefined) throw missing(name);
  return list;
}

/** An optional string. */
export function textOf(from: Doc, name: string): string | undefined {
  const value = from[name];
  if (absent(value)) return undefined;
  if (typeof value !== 'string') throw wrongType(name, 'string');
  return value;
}

/** A required string. */
export function neededText(from: Doc, name: string): string {
  const text = textOf(from, name);
  if (text === undefined) throw missing(name);
  return text;
}

/** A boolean; numbers are accepted, as in MongoDB. */
export function flagOf(from: Doc, name: string, otherwise = false): boolean {
  const value = from[name];
  if (absent(value)) return otherwise;
  if (typeof value === 'boolean') return value;
  const number = toDouble(value);
  if (number === undefined) throw wrongType(name, 'bool');
  return number !== 0;
}

/** A whole number that is not negative. */
export function countOf(from: Doc, name: string, otherwise: number): number {
  const value = from[name];
  if (absent(value)) return otherwise;
  const number = toDouble(value);
  if (number === undefined) throw wrongType(name, 'long');
  const whole = Math.trunc(number);
  if (Number.isNaN(whole)) throw new StoreError(9, `BSON field '${name}' is not a whole number`);
  if (whole < 0) throw new StoreError(2, `BSON field '${name}' value must be >= 0, actual value '${whole}'`);
  return whole;
}

/**
 * The number of a retryable write or a transaction; undefined if the value is not a number.
 * @throws StoreError 14 for NaN or Infinity
 */
export function txnNumberOf({ txnNumber: value }: Doc): bigint | undefined {
  if (typeof value === 'bigint') return value;
  const number = toDouble(value);
  if (number === undefined) return undefined;
  if (!Number.isFinite(number)) throw wrongType('txnNumber', 'long');
  return BigInt(Math.trunc(number));
}

/** The collection that a command names as the value of its first field. */
export function collectionOf(context: Context): string {
  return collectionNamed(Object.values(context.body)[0]);
}

/** A collection name given as a value. */
export function collectionNamed(value: Value): string {
  if (typeof value !== 'string') throw new StoreError(73, 'collection name has invalid type');
  if (value.startsWith('$cmd') || value.startsWith('system.')) return value;
  return checkCollectionName(value);
}

/**
 * The statements of a write command, from the body or from a document sequence.
 * @throws StoreError 16 if there are none or more than 100,000
 */
export function statementsOf(context: Context, name: string): readonly Uint8Array[] {
  const list = context.sequences.get(name);
  if (list === undefined) throw missing(`${Object.keys(context.body)[0] ?? ''}.${name}`);
  if (list.length === 0 || list.length > 100_000) {
    throw new StoreError(16, `Write batch sizes must be between 1 and 100000. Got ${list.length} operations.`);
  }
  return list;
}

/** Decodes a statement of a write command and refuses unknown fields. */
export function statementOf(bytes: Uint8Array, known: ReadonlySet<string>, command: string): Doc {
  const statement = decode(bytes);
  checkFields(statement, known, command);
  return statement;
}

/** @throws StoreError 40415 for an unknown field */
export function checkFields(doc: Doc, known: ReadonlySet<string>, where: string): void {
  for (const name of Object.keys(doc)) {
    if (!known.has(name)) throw unknownName(40415, `BSON field '${where}.${name}' is an unknown field.`);
  }
}
