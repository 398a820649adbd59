/** The table of update operators, and the parser of an update into changes at paths. */
import { StoreError, unknownName } from '../errors.ts';
import { isDoc, kindOf } from '../values/kind.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';
import { arrayOperators } from './arrays.ts';
import type { Change, ChangeReader, UpdateContext } from './change.ts';
import type { Parts } from './draft.ts';
import { fieldOperators, readRename } from './fields.ts';
import { numberOperators } from './numbers.ts';
import { checkConflicts, checkFilteredPlaces, comparePaths, isDynamic, readPath } from './paths.ts';

/** The update operators except `$rename`. */
export const operators: ReadonlyMap<string, ChangeReader> = new Map([
  ...fieldOperators,
  ...numberOperators,
  ...arrayOperators,
]);

/** A change and its path. */
export interface PlannedChange {
  readonly parts: Parts;
  readonly change: Change;
}

/** A parsed update. */
export interface Plan {
  /** In the order in which they apply. */
  readonly changes: readonly PlannedChange[];
  /** All changed paths, including the sources of `$rename`. */
  readonly paths: readonly Parts[];
}

/** Parses an update of operators. @throws StoreError with MongoDB's code if it is invalid, 40 for conflicting paths */
export function readOperators(update: Doc, context: UpdateContext): Plan {
  const changes: PlannedChange[] = [];
  const sources: Parts[] = [];
  for (const [name, fields] of Object.entries(update)) {
    for (const [path, operand] of Object.entries(fieldsOf(name, fields))) {
      if (name === '$rename') {
        const { source, target, change } = readRename(path, operand);
        sources.push(source);
        changes.push({ parts: target, change });
      } else changes.push(readChange(name, path, operand, context));
    }
  }
  const paths = [...changes.map(({ parts }) => parts), ...sources];
  checkConflicts(paths.toSorted(comparePaths));
  if (paths.some((parts) => parts.some(isDynamic))) checkFilteredPlaces(paths);
  return { changes: changes.toSorted((a, b) => comparePaths(a.parts, b.parts)), paths };
}

function fieldsOf(name: string, fields: Value): Doc {
  if (name !== '$rename' && !operators.has(name)) {
    throw unknownName(
      9,
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(fields)) {
    throw new StoreError(
      9,
      `Modifiers operate on fields but we found type ${kindOf(fields).name} instead. For example: {$mod: {<field>: ...}} not {${name}: ${show(fields)}}`,
    );
  }
  return fields;
}

function readChange(name: string, path: string, operand: Value, context: UpdateContext): PlannedChange {
  const read = operators.get(name);
  if (read === undefined) throw unknownName(9, `Unknown modifier: ${name}`);
  const parts = readPath(path);
  return { parts, change: read(operand, path, context) };
}
