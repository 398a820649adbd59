/**
 * Converts a caller's pipeline to the pipeline that is run: checks every stage at every depth, and puts the rules of the source
 * first.
 */
import { adminOnly, badPipeline, operatorDenied, tooDeep, tooMany } from '../errors/errors.ts';
import { allOf } from './and.ts';
import { ExpressionReader, forAdmins } from './expressions.ts';
import type { Filter } from './filter.ts';
import { isObject } from './json-filter.ts';
import { isPlainMatch } from './pipeline-fields.ts';
import { readOperand } from './pipeline-operands.ts';
import { type Stage, withoutHiddenValues } from './pipeline-secrets.ts';
import type { PipelineWalk, Reach, Source } from './pipeline-walk.ts';
import { pipelineLimits, type StageRow, stageRows, stages } from './stages.ts';

/** The whole pipeline for a source. @throws 400, 401 or 403 */
export function readPipeline(value: unknown, source: Source, reach: Reach): Stage[] {
  const expressions = new ExpressionReader(reach);
  const bounded = { ...reach, join: atMost(pipelineLimits.joins, reach.join) };
  return pipelineOver(value, source, { reach: bounded, expressions, nesting: 0, nested, view: source.view });
}

/** Limits the number of joins, because each adds stages that remove hidden fields. */
function atMost(most: number, join: Reach['join']): Reach['join'] {
  let joins = 0;
  return (name) => {
    joins += 1;
    if (joins > most) throw tooMany('joins in a pipeline', most);
    return join(name);
  };
}

/**
 * A pipeline over a source: the row filter, the exclusion of deleted documents and the removal of hidden fields precede the
 * caller's first stage.
 */
function pipelineOver(value: unknown, source: Source, walk: PipelineWalk): Stage[] {
  const read = stagesOf(value, { ...walk, view: source.view });
  const filters: Filter[] = [];
  // a filter that compares plain values only reveals nothing hidden, and as the first stage it can use an index
  while (read[0] !== undefined && isPlainMatch(read[0])) filters.push(read.shift()?.['$match'] as Filter);
  const filter = allOf([...filters, source.filter]);
  const rest = withoutHiddenValues(source.view, read, walk.nesting > 0);
  return Object.keys(filter).length === 0 ? rest : [{ $match: filter }, ...rest];
}

/** Reads a list of stages. */
function stagesOf(value: unknown, walk: PipelineWalk): Stage[] {
  if (!Array.isArray(value)) throw badPipeline('a pipeline must be a list of stages');
  if (value.length > pipelineLimits.stages) throw tooMany('stages in a pipeline', pipelineLimits.stages);
  if (walk.nesting > pipelineLimits.nesting) throw tooDeep('nested pipelines', pipelineLimits.nesting);
  let { view } = walk;
  return value.flatMap((stage: unknown, at) => {
    const { row, operand } = stageOf(stage, walk.reach);
    if (row.admin === true) checkWriter(row, walk, at === value.length - 1);
    const read = readOperand(row, operand, { ...walk, view });
    if (row.keeps !== true) view = view.free;
    return read;
  });
}

function stageOf(stage: unknown, { caller, varies }: Reach): { row: StageRow; operand: unknown } {
  if (!isObject(stage)) throw badPipeline('a stage must be an object');
  const [[name, operand] = ['', undefined], ...more] = Object.entries(stage);
  if (name === '' || more.length > 0) throw badPipeline('a stage must have one key, its name');
  const row = stages.get(name);
  if (forAdmins.has(name) && !caller.admin) throw adminOnly(caller, name);
  if (row === undefined)
    throw operatorDenied(
      name,
      stageRows.filter(({ admin }) => admin !== true || caller.admin).map((one) => one.name),
    );
  if (row.varies === true) varies();
  return { row, operand };
}

function checkWriter({ name }: StageRow, { reach, nesting }: PipelineWalk, last: boolean): void {
  if (!reach.caller.admin) throw adminOnly(reach.caller, name);
  if (nesting > 0 || !last) throw badPipeline(`${name} must be the last stage of the pipeline`);
}

const nested = { over: pipelineOver, stages: stagesOf };
