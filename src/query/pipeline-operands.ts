/** Checks the operand of each kind of stage and converts it to the stages that are run. */
import { badPipeline, comparedWhole, secretPath, tooMany } from '../errors/errors.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { suggestion } from '../text/nearest.ts';
import type { Filter } from './filter.ts';
import { filterFromJson, filterOfCleaned, isObject } from './json-filter.ts';
import { checkKnown, checkParts, checkPath } from './key-checks.ts';
import { removalAt, type Stage } from './pipeline-secrets.ts';
import type { PipelineWalk } from './pipeline-walk.ts';
import type { SchemaView } from './schema-view.ts';
import { pipelineLimits, type StageOperand, type StageRow } from './stages.ts';

type Json = Readonly<Record<string, unknown>>;
type Reader = (operand: unknown, walk: PipelineWalk, row: StageRow) => readonly Stage[];

/** Converts a caller's stage to the stages that are run. @throws 400 or 403 */
export const readOperand = (row: StageRow, operand: unknown, walk: PipelineWalk): readonly Stage[] =>
  readers[row.operand](operand, walk, row);

/** A stage of the same name with this operand. */
const same =
  (read: (operand: unknown, walk: PipelineWalk, row: StageRow) => unknown): Reader =>
  (operand, walk, row) => [{ [row.name]: read(operand, walk, row) }];

const readers: Readonly<Record<StageOperand, Reader>> = {
  filter: same((operand, walk) => matchFilter(operand, walk)),
  expression: same((operand, { expressions }) => expressions.read(operand)),
  fields: same((operand, { expressions }, row) => expressions.fields(nonEmpty(operand, row))),
  options: same((operand, { expressions }, row) => expressions.fields(options(operand, row))),
  windows: same(windows),
  sort: same(sort),
  whole: same(whole),
  name: same((operand, _walk, row) => name(operand, row)),
  names: same(names),
  unwind: same(unwind),
  branches: same(branches),
  lookup: same(lookup),
  union: same(union),
  graph,
  out: same((operand, { reach }) => reach.target('$out', operand).collection),
  merge: same(merge),
};

function object(operand: unknown, { name: stage }: StageRow): Json {
  if (!isObject(operand)) throw badPipeline(`${stage} takes an object`);
  return operand;
}

function nonEmpty(operand: unknown, row: StageRow): Json {
  const given = object(operand, row);
  if (Object.keys(given).length === 0) throw badPipeline(`${row.name} must name a field`);
  return given;
}

function options(operand: unknown, row: StageRow): Json {
  const given = object(operand, row);
  for (const key of Object.keys(given))
    if (row.options?.includes(key) !== true)
      throw badPipeline(
        `${row.name} has no option ${JSON.stringify(key.slice(0, 60))}${suggestion(key, row.options ?? [])}`,
      );
  return given;
}

/** Reads window operators. `window` is not an expression: it is an option beside the operator. */
function windows(operand: unknown, { expressions }: PipelineWalk, row: StageRow): Json {
  const { output, ...rest } = options(operand, row);
  const made = Object.entries(object(output, row)).map(([field, value]) => {
    const { window, ...operator } = object(value, row);
    const computed = expressions.fields({ [field]: operator })[field] as object;
    return [field, window === undefined ? computed : { ...computed, window: expressions.read(window) }];
  });
  return { ...expressions.fields(rest), output: Object.fromEntries(made) as Json };
}

/** The name of a new field. */
function name(value: unknown, { name: stage }: StageRow): string {
  if (typeof value !== 'string') throw badPipeline(`${stage} requires the name of a field`);
  checkParts(value);
  return value;
}

/** A path by which stored documents are compared. It must be neither hidden nor contain hidden parts. */
function path(value: unknown, { name: stage }: StageRow, view: SchemaView): string {
  if (typeof value !== 'string') throw badPipeline(`${stage} requires the path of a field`);
  checkPath(view, value);
  checkKnown(view, value, stage);
  if (view.holdsHidden(value)) throw secretPath(value);
  return value;
}

function sort(operand: unknown, { view }: PipelineWalk, row: StageRow): Json {
  const entries = Object.entries(nonEmpty(operand, row));
  if (entries.length > pipelineLimits.sortKeys) throw tooMany('keys in $sort', pipelineLimits.sortKeys);
  for (const [key, direction] of entries) {
    checkPath(view, key);
    checkKnown(view, key, row.name);
    if (direction !== 1 && direction !== -1) throw badPipeline('a direction of $sort must be 1 or -1');
  }
  return Object.fromEntries(entries);
}

function whole(operand: unknown, _walk: PipelineWalk, { name: stage }: StageRow): number {
  if (!Number.isSafeInteger(operand) || (operand as number) < (stage === '$limit' ? 1 : 0))
    throw badPipeline(`${stage} takes a whole number`);
  return operand as number;
}

function names(operand: unknown, _walk: PipelineWalk, row: StageRow): readonly string[] {
  return named(operand, row);
}

function named(operand: unknown, row: StageRow): readonly string[] {
  const list: readonly unknown[] = Array.isArray(operand) ? operand : [operand];
  if (list.length === 0) throw badPipeline(`${row.name} must name a field`);
  return list.map((one) => name(one, row));
}

function unwind(operand: unknown, _walk: PipelineWalk, row: StageRow): unknown {
  const given = typeof operand === 'string' ? { path: operand } : options(operand, row);
  if (typeof given.path !== 'string' || !given.path.startsWith('$'))
    throw badPipeline('$unwind requires a path such as "$tags"');
  name(given.path.slice(1), row);
  const { includeArrayIndex: index, preserveNullAndEmptyArrays: preserve } = given;
  if (index !== undefined) name(index, row);
  if (preserve !== undefined && typeof preserve !== 'boolean')
    throw badPipeline('preserveNullAndEmptyArrays must be true or false');
  return given;
}

function branches(operand: unknown, walk: PipelineWalk, row: StageRow): Json {
  const entries = Object.entries(nonEmpty(operand, row));
  if (entries.length > pipelineLimits.branches) throw tooMany('branches in $facet', pipelineLimits.branches);
  const inner = { ...walk, nesting: walk.nesting + 1 };
  return Object.fromEntries(entries.map(([branch, value]) => [name(branch, row), walk.nested.stages(value, inner)]));
}

/** The condition that a join compares plain values only: comparing objects would compare their password-named parts too. */
function plainAt({ schema }: SchemaView, at: string | undefined): readonly Filter[] {
  if (at === undefined || typeAt(schema, at).kind === 'leaf') return [];
  const composed = { $type: ['object', 'array'] };
  return [{ [at]: { $not: { $type: 'object' } } }, { [at]: { $not: { $elemMatch: composed } } }];
}

/**
 * Reads `$lookup`. The fields of the join are compared before the rules of the joined model apply, so they must not be hidden.
 */
function lookup(operand: unknown, walk: PipelineWalk, row: StageRow): Json {
  const { from, localField, foreignField, pipeline, let: variables, as } = options(operand, row);
  const source = walk.reach.join(collection(from, row));
  if ((localField === undefined) !== (foreignField === undefined))
    throw badPipeline('$lookup takes localField and foreignField together');
  if (localField === undefined && pipeline === undefined)
    throw badPipeline('$lookup requires localField and foreignField, or a pipeline');
  const fields =
    localField === undefined
      ? {}
      : { localField: path(localField, row, walk.view.free), foreignField: path(foreignField, row, source.view) };
  const joined = walk.nested.over(pipeline === undefined ? [] : pipeline, source, {
    ...walk,
    nesting: walk.nesting + 1,
  });
  return {
    from: source.collection,
    ...fields,
    ...(variables === undefined ? {} : { let: walk.expressions.fields(object(variables, row)) }),
    pipeline: [...plainAt(source.view, fields.foreignField).map((filter) => ({ $match: filter })), ...joined],
    as: name(as, row),
  };
}

function union(operand: unknown, walk: PipelineWalk, row: StageRow): Json {
  const { coll, pipeline = [] } = typeof operand === 'string' ? { coll: operand } : options(operand, row);
  const source = walk.reach.join(collection(coll, row));
  return {
    coll: source.collection,
    pipeline: walk.nested.over(pipeline, source, { ...walk, nesting: walk.nesting + 1 }),
  };
}

/**
 * Reads `$graphLookup`, which has no pipeline: the search excludes deleted documents, and later stages remove hidden fields from
 * its results. The search runs on stored documents, so its filter has the rules of a list's filter.
 */
function graph(operand: unknown, walk: PipelineWalk, row: StageRow): readonly Stage[] {
  const given = options(operand, row);
  const source = walk.reach.join(collection(given['from'], row));
  const as = name(given['as'], row);
  if (as.includes('.')) throw badPipeline('the option "as" of $graphLookup must be a name without dots');
  const connectFromField = path(given['connectFromField'], row, source.view);
  const connectToField = path(given['connectToField'], row, source.view);
  const { maxDepth, depthField, restrictSearchWithMatch: restriction } = given;
  if (maxDepth !== undefined && (!Number.isSafeInteger(maxDepth) || (maxDepth as number) < 0))
    throw badPipeline('maxDepth must be a whole number');
  const filters = [
    ...(restriction === undefined ? [] : [filterFromJson(restriction, source.view, walk.reach.now)]),
    source.filter,
    ...[connectFromField, connectToField].flatMap((at) => plainAt(source.view, at)),
  ].filter((filter) => Object.keys(filter).length > 0);
  const stage = {
    from: source.collection,
    startWith: walk.expressions.read(given['startWith'] ?? null),
    connectFromField,
    connectToField,
    as,
    ...(maxDepth === undefined ? {} : { maxDepth }),
    ...(depthField === undefined ? {} : { depthField: name(depthField, row) }),
    ...(filters.length === 0 ? {} : { restrictSearchWithMatch: { $and: filters } }),
  };
  return [{ $graphLookup: stage }, ...removalAt(as, source.view, depthField === undefined ? [] : [String(depthField)])];
}

function collection(value: unknown, { name: stage, reads }: StageRow): string {
  if (typeof value !== 'string') throw badPipeline(`${stage} requires the name of a model in ${reads ?? 'from'}`);
  return value;
}

const matched: ReadonlySet<unknown> = new Set(['replace', 'keepExisting', 'merge', 'fail']);
const unmatched: ReadonlySet<unknown> = new Set(['insert', 'discard', 'fail']);

/** Reads `$merge`. A pipeline for matches would see the stored documents of the target, so only named actions are accepted. */
function merge(operand: unknown, { reach, view: here }: PipelineWalk, row: StageRow): Json {
  const given: Json = typeof operand === 'string' ? { into: operand } : options(operand, row);
  const { into, on, whenMatched = 'merge', whenNotMatched = 'insert' } = given;
  if (!matched.has(whenMatched) || !unmatched.has(whenNotMatched))
    throw badPipeline(
      'whenMatched must be replace, keepExisting, merge or fail; whenNotMatched must be insert, discard or fail',
    );
  const keys = on === undefined ? undefined : named(on, row);
  const { collection: target, view } = reach.target('$merge', into);
  for (const key of keys ?? []) {
    checkPath(view ?? here.free, key);
    if (view?.mayHoldHidden(key) === true) throw comparedWhole(key);
  }
  return {
    into: target,
    ...(keys === undefined ? {} : { on: keys }),
    whenMatched,
    whenNotMatched,
  };
}

/** The filter of a `$match`, cast by the schema unless an earlier stage has changed the documents. */
const matchFilter = (value: unknown, { view, reach, expressions }: PipelineWalk): Filter =>
  filterOfCleaned(value, view, reach.now, (expression) => expressions.read(expression));
