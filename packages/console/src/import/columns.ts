/** Which column of a file is for which field, and what a record becomes by that. Pure. */
import { labelOf } from '../api/labels.ts';
import type { Field, Model, OwnModel } from '../api/models.ts';
import { bodyOf, formPaths, pathsOfKind } from '../document/edits.ts';
import { faultsOf } from '../document/limits.ts';
import { exactValue, type ReadValue } from './exact-numbers.ts';
import type { SourceRecord } from './source.ts';
import { typeFault, valueOfCell } from './values.ts';

/** The paths of fields by the names of columns; columns that are left out are not in it. */
export type Mapping = Readonly<Record<string, string>>;

/** The paths that an import can set. */
export const importPaths = (model: OwnModel): string[] =>
  formPaths(model, 'c').filter((path) => model.rights.fields[path]?.includes('c'));

const simple = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Finds the field of each column: by its path, then by its label, whatever the case, spaces and punctuation. */
export function matched(model: OwnModel, columns: readonly string[]): Mapping {
  const paths = importPaths(model);
  const taken = new Set<string>();
  const found: Record<string, string> = {};
  const tests: readonly ((column: string, path: string) => boolean)[] = [
    (column, path) => column === path,
    (column, path) => simple(column) === simple(path),
    (column, path) => simple(column) === simple(labelOf(model, path)),
  ];
  for (const isMatch of tests)
    for (const column of columns) {
      if (Object.hasOwn(found, column)) continue;
      const path = paths.find((one) => !taken.has(one) && isMatch(column, one));
      if (path === undefined) continue;
      taken.add(path);
      Object.defineProperty(found, column, { value: path, enumerable: true });
    }
  return found;
}

/** The paths of each unique index of which the caller may set all, such as `isbn` or `title,year`: by these documents are found. */
export function uniqueKeys(model: OwnModel): string[] {
  const settable = new Set(importPaths(model));
  const single = Object.keys(model.fields).filter((path) => model.fields[path]?.unique);
  const ofIndexes = model.indexes.filter(({ unique }) => unique === true).map(({ fields }) => Object.keys(fields));
  const all = [...(settable.has('_id') ? [['_id']] : []), ...single.map((path) => [path]), ...ofIndexes];
  return [...new Set(all.filter((paths) => paths.every((path) => settable.has(path))).map((paths) => paths.join()))];
}

/** The unique keys whose fields the columns have. */
export const keysIn = (model: OwnModel, mapping: Mapping): string[] =>
  uniqueKeys(model).filter((key) => key.split(',').every((path) => Object.values(mapping).includes(path)));

/** Finds the documents that links name by their titles. */
export interface Links {
  /** The value of a link by what the file has; undefined for a field whose documents are not found by a title. */
  read(given: unknown, field: Field, hasTexts: boolean): ReadValue | undefined;
}

/** How records become documents. */
export interface Plan {
  readonly mapping: Mapping;
  /** Whether values are texts, to be read by the types of their fields. */
  readonly hasTexts: boolean;
  /** The paths by which existing documents are found and changed, separated by commas; empty where all are created. */
  readonly on: string;
  /** Undefined while nothing has been read of the linked documents. */
  readonly links?: Links | undefined;
}

/** A document that is to be sent, or why it is not. */
export interface Row {
  readonly record: SourceRecord;
  /** Values by path. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly string[];
}

/** Reads and checks a record by the rules of the form; the server checks everything. */
export function rowOf(record: SourceRecord, model: OwnModel, plan: Plan): Row {
  const values = new Map<string, unknown>();
  const faults: string[] = record.fault === undefined ? [] : [`The line ${record.fault}.`];
  for (const [column, path] of Object.entries(plan.mapping)) {
    const field = model.fields[path];
    const given = record.values[column];
    if (field === undefined || given === undefined) continue;
    const read =
      plan.links?.read(given, field, plan.hasTexts) ??
      (plan.hasTexts ? valueOfCell(String(given), field) : exactValue(given, field));
    const fault = read.fault ?? typeFault(read.value, field);
    if (fault !== undefined) faults.push(`${labelOf(model, path)} ${fault}`);
    if (read.value !== undefined) values.set(path, read.value);
  }
  if (faults.length > 0) return { record, values, faults };
  return { record, values, faults: [...missing(model, values, plan), ...limitFaults(model, values)] };
}

function missing(model: OwnModel, values: Row['values'], { on }: Plan): string[] {
  const has = (path: string): boolean => (values.get(path) ?? null) !== null;
  if (on !== '')
    return on
      .split(',')
      .filter((path) => !has(path))
      .map((path) => `${labelOf(model, path)} is missing: by it documents are found`);
  const paths = pathsOfKind(model, importPaths(model), model.kinds && values.get(model.kinds.key));
  return paths
    .filter((path) => isRequired(model, path) && !has(path))
    .map((path) => `${labelOf(model, path)} is required`);
}

/** Whether each new document needs a value; a nested one is the server's to judge. */
const isRequired = ({ fields }: Pick<Model, 'fields'>, path: string): boolean => {
  const field = fields[path];
  return field?.required === true && field.default === undefined && !field.array && !path.includes('.');
};

const limitFaults = (model: OwnModel, values: Row['values']): string[] =>
  faultsOf(model, values).map(({ path, message }) =>
    message.startsWith(`${path} `)
      ? labelOf(model, path) + message.slice(path.length)
      : // that of the model file may not name the field
        `${labelOf(model, path)}: ${message}`,
  );

/** The operation of a batch that creates the document of a row, or changes the one with the same unique values. */
export const operationOf = ({ values }: Row, model: Model, { on }: Plan) => {
  const path = `/api/${encodeURIComponent(model.name)}`;
  // a change by paths leaves the rest of nested documents as it is
  const body = escaped(on === '' ? bodyOf(values) : Object.fromEntries(values)) as object;
  return on === ''
    ? ({ method: 'POST', path, body } as const)
    : ({ method: 'PUT', path: `${path}?${new URLSearchParams({ on }).toString()}`, body } as const);
};

/** In a batch, a text that begins with `$` would be a reference. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value;
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, escaped(inner)]));
}
