/** Stages that change each document by itself: $match, $project, $set, $unset, $replaceRoot, $unwind, $redact. */
import { compileFilter } from '../../query/index.ts';
import { compileProjection } from '../../project/index.ts';
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { compileExpression } from '../expressions/compile.ts';
import { compileSet, withPath } from '../set.ts';
import { each, groupSize, objectOf, type Stage } from './stage.ts';

export const exprOf = (context: PipelineContext) => (expression: Value) => {
  const evaluate = compileExpression(expression, context);
  return (doc: Doc) => evaluate(doc);
};

const filterOptions = (context: PipelineContext): Parameters<typeof compileFilter>[1] => ({
  expr: exprOf(context),
  ...(context.collation === undefined ? {} : { collation: context.collation }),
});

export const match: Stage = (operand, context) => {
  const matcher = compileFilter(objectOf(operand, '$match'), filterOptions(context));
  return each(context, (doc) => (matcher.matches(doc) ? doc : undefined));
};

export const project: Stage = (operand, context) => {
  const spec = objectOf(operand, '$project');
  if (Object.keys(spec).length === 0)
    throw new StoreError(
      51272,
      'Invalid $project :: caused by :: projection specification must have at least one field',
    );
  const change = compileProjection(spec, {
    expr: exprOf(context),
    ...(context.textScore === undefined ? {} : { textScore: context.textScore }),
  });
  return each(context, change);
};

export const set: Stage = (operand, context, _compile, name) =>
  each(context, compileSet(objectOf(operand, name), context));

export const unset: Stage = (operand, context) => {
  const names = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0 || names.some((name) => typeof name !== 'string' || name === '' || name.startsWith('$')))
    throw new StoreError(31002, '$unset takes names of fields');
  return each(context, compileProjection(Object.fromEntries(names.map((name) => [name as string, 0])), {}));
};

const replaceWith = (expression: Value, context: PipelineContext, name: string) => {
  const evaluate = compileExpression(expression, context);
  return (doc: Doc): Doc => {
    const next = evaluate(doc);
    if (!isDoc(next)) throw new StoreError(40228, `'${name}' expression must evaluate to an object`);
    return next;
  };
};

export const replaceRoot: Stage = (operand, context) => {
  const spec = objectOf(operand, '$replaceRoot');
  if (Object.keys(spec).join() !== 'newRoot') throw new StoreError(40230, '$replaceRoot takes an object with newRoot');
  return each(context, replaceWith(spec['newRoot'], context, 'newRoot'));
};
export const replaceWithStage: Stage = (operand, context) =>
  each(context, replaceWith(operand, context, 'replacement document'));

export const unwind: Stage = (operand, context) => {
  const spec = typeof operand === 'string' ? { path: operand } : objectOf(operand, '$unwind');
  for (const key of Object.keys(spec))
    if (!['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(key))
      throw new StoreError(28811, `unrecognized option to $unwind stage: ${key}`);
  const { path, includeArrayIndex: index, preserveNullAndEmptyArrays: keep } = spec;
  if (typeof path !== 'string' || !path.startsWith('$') || path.length < 2)
    throw new StoreError(28818, "path option to $unwind stage should be prefixed with a '$'");
  if (index !== undefined && (typeof index !== 'string' || index === '' || index.startsWith('$')))
    throw new StoreError(28810, 'includeArrayIndex must be the name of a field');
  const name = path.slice(1);
  const numbered = (doc: Doc, at: Value): Doc =>
    typeof index === 'string' ? withPath(doc, index.split('.'), at) : doc;
  const parts = name.split('.');
  function* rows(doc: Doc): Generator<Doc> {
    const value = get(doc, name);
    if (!Array.isArray(value)) {
      if ((value !== undefined && value !== null) || keep === true) yield numbered(doc, null);
    } else if (value.length === 0) {
      if (keep === true) yield numbered(withPath(doc, parts, undefined), null);
    } else {
      for (const [at, member] of value.entries()) yield numbered(withPath(doc, parts, member), BigInt(at));
    }
  }
  return async function* (source) {
    let found: Doc[] = [];
    for await (const group of source)
      for (const doc of group)
        for (const row of rows(doc)) {
          found.push(row);
          if (found.length < groupSize && !context.due()) continue;
          context.checkTime();
          yield found;
          found = [];
          await context.yield();
        }
    if (found.length > 0) yield found;
  };
};

export const redact: Stage = (operand, context) => {
  const decide = compileExpression(operand, context);
  const constants = { DESCEND: 'descend', PRUNE: 'prune', KEEP: 'keep' };
  const walk = (value: Value): Value => {
    if (Array.isArray(value))
      return value
        .map((member) => (isDoc(member) || Array.isArray(member) ? walk(member) : member))
        .filter((member) => member !== undefined);
    if (!isDoc(value)) return value;
    const decision = decide(value, constants);
    if (decision === 'keep') return value;
    if (decision === 'prune') return undefined;
    if (decision !== 'descend') throw new StoreError(17053, '$redact must return $$DESCEND, $$PRUNE or $$KEEP');
    return Object.fromEntries(
      Object.entries(value)
        .map(([key, inner]) => [key, walk(inner)] as const)
        .filter(([, inner]) => inner !== undefined),
    );
  };
  return each(context, (doc) => walk(doc) as Doc | undefined);
};
