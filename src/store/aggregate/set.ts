/** `$set` and `$addFields`: new values at paths, through nested objects and lists. */
import { StoreError } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { compileExpression } from './expressions/compile.ts';

/** A document with a value at a path; undefined takes it away. Lists on the way are changed in each member. */
export function withPath(doc: Doc, parts: readonly string[], value: Value): Doc {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return withField(doc, first, value);
  const inner = Object.hasOwn(doc, first) ? doc[first] : undefined;
  return withField(doc, first, below(inner, rest, value));
}

function below(inner: Value, rest: readonly string[], value: Value): Value {
  if (Array.isArray(inner)) return inner.map((member) => below(member, rest, value));
  return withPath(isDoc(inner) ? inner : {}, rest, value);
}

function withField(doc: Doc, name: string, value: Value): Doc {
  if (value !== undefined) return { ...doc, [name]: value };
  return Object.fromEntries(Object.entries(doc).filter(([key]) => key !== name));
}

/** Compiles the operand; objects in it set their fields one by one, all by the document as it was. */
export function compileSet(spec: Doc, context: PipelineContext): (doc: Doc) => Doc {
  if (Object.keys(spec).length === 0)
    throw new StoreError(40177, 'Invalid $addFields :: caused by :: specification must have at least one field');
  const parts = leaves(spec, []).map(([path, value]) => [path, compileExpression(value, context)] as const);
  return (doc) => parts.reduce((changed, [path, evaluate]) => withPath(changed, path, evaluate(doc)), doc);
}

function leaves(spec: Doc, prefix: readonly string[]): (readonly [readonly string[], Value])[] {
  return Object.entries(spec).flatMap(([name, value]) => {
    if (name.startsWith('$') || name === '')
      throw new StoreError(16410, `FieldPath field names may not start with '$': ${name}`);
    const path = [...prefix, ...name.split('.')];
    const nested =
      isDoc(value) && Object.keys(value).length > 0 && !Object.keys(value).some((key) => key.startsWith('$'));
    return nested ? leaves(value, path) : [[path, value] as const];
  });
}
