/** Why a filter does not match a document, in the form of MongoDB's `errInfo` of a validator. */
import { isDoc } from '../values/kind.ts';
import { get } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import { type FilterContext, isConditions } from './context.ts';
import { compileSchema } from './json-schema/schema.ts';
import { readFilter } from './parse.ts';

/** Why a document does not match a filter. The filter must be valid. */
export function failuresOf(filter: Doc, doc: Doc, context: FilterContext): Doc {
  const parts = Object.entries(filter).map(([name, value]): Doc => ({ [name]: value }));
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return failureOf(only, doc, context);
  return clauses('$and', parts, doc, context);
}

/** Why a document does not match a filter of one part. */
function failureOf(part: Doc, doc: Doc, context: FilterContext): Doc {
  const [name = '', value] = Object.entries(part)[0] ?? [];
  if (name === '$jsonSchema')
    return { operatorName: name, schemaRulesNotSatisfied: compileSchema(value, context).failures(doc) };
  if ((name === '$and' || name === '$or') && Array.isArray(value))
    return clauses(name, value.filter(isDoc), doc, context);
  if (name.startsWith('$')) return { operatorName: name, specifiedAs: part, reason: 'expression did not match' };
  return { ...conditionOf(name, value), reason: 'condition did not match', consideredValue: get(doc, name) ?? null };
}

function conditionOf(path: string, value: Value): Doc {
  const operator = isConditions(value) ? Object.keys(value)[0] : undefined;
  return { operatorName: operator ?? '$eq', specifiedAs: { [path]: value } };
}

/** The parts of a conjunction or disjunction that do not match. */
function clauses(operatorName: string, parts: readonly Doc[], doc: Doc, context: FilterContext): Doc {
  return {
    operatorName,
    clausesNotSatisfied: parts.flatMap((part, index) =>
      readFilter(part, context).matches(doc) ? [] : [{ index, details: failuresOf(part, doc, context) }],
    ),
  };
}
