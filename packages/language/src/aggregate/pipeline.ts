/** Compiles pipelines. Adjacent stages that handle one document at a time become one step. */
import { notFirst, notOneStage, StoreError, unknownName } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import type { Batches, Doc, Value } from '../values/types.ts';
import type { Compiler } from './expressions/compiler.ts';
import type { Frame } from './expressions/scope.ts';
import { joined } from './stages/correlation.ts';
import { type StageRow, stages as table } from './stages/index.ts';
import { compileMatch, filterOf } from './stages/match.ts';
import { type Each, mapped, type Pipeline, type PipelineLevel, type Stage } from './stages/stage.ts';

const maxStages = 1000;
const maxDepth = 20;

/** The position of a pipeline. */
interface Position {
  readonly place: PipelineLevel;
  readonly depth: number;
}

/** Compiles a pipeline. @throws StoreError with MongoDB's code for an invalid pipeline */
export function readPipeline(given: Value, compiler: Compiler, position: Position): Pipeline {
  const stages = checkedStages(given, position);
  const leading = leadingMatches(stages, position.place);
  for (const filter of leading) compileMatch(filter, compiler);
  const rest = stages.filter((stage) => !leading.includes(stage['$match'] as Doc));
  const read = rest.map((stage, at) =>
    readStage(stage, {
      first: at === 0 && leading.length === 0,
      following: rest.slice(at + 1),
      compiler,
      position,
    }),
  );
  const steps = fused(read, compiler);
  return {
    leadingFilter: joined(leading),
    run: (source, frame) => steps.reduce((docs, step) => step.run(docs, frame), source),
  };
}

function checkedStages(given: Value, { depth }: Position): readonly Doc[] {
  if (!Array.isArray(given)) throw new StoreError(14, "'pipeline' option must be specified as an array");
  if (depth > maxDepth)
    throw new StoreError(232, `Maximum number of nested sub-pipelines exceeded. Limit is ${maxDepth}`);
  if (given.length > maxStages)
    throw new StoreError(7749501, `Pipeline length must be no longer than ${maxStages} stages`);
  return given.map((stage) => {
    if (!isDoc(stage)) throw new StoreError(14, 'Each element of the pipeline array must be an object');
    if (Object.keys(stage).length !== 1) {
      throw notOneStage();
    }
    return stage;
  });
}

/**
 * The filters of leading `$match` stages that the source of an inner pipeline applies: those without expressions,
 * because expressions may use variables that the source does not have. The outermost pipeline keeps all of its stages.
 */
function leadingMatches(stages: readonly Doc[], place: PipelineLevel): readonly Doc[] {
  if (place === '$facet' || place === 'top') return [];
  const end = stages.findIndex((stage) => !Object.hasOwn(stage, '$match'));
  return stages
    .slice(0, end < 0 ? stages.length : end)
    .map((stage) => filterOf(stage['$match']))
    .filter((filter) => !hasExpression(filter));
}

const hasExpression = (value: Value): boolean => {
  if (Array.isArray(value)) return value.some(hasExpression);
  return isDoc(value) && (Object.hasOwn(value, '$expr') || Object.values(value).some(hasExpression));
};

interface Reading {
  /** Whether the stage is the first of its pipeline. */
  readonly first: boolean;
  readonly following: readonly Doc[];
  readonly compiler: Compiler;
  readonly position: Position;
}

/** @throws StoreError 40324 for an unknown stage */
export function rowOf(name: string): StageRow {
  const row = table.get(name);
  if (row === undefined) throw unknownName(40324, `Unrecognized pipeline stage name: '${name}'`);
  return row;
}

function readStage(stage: Doc, { first, following, compiler, position }: Reading): Stage {
  const [name = '', operand] = Object.entries(stage)[0] ?? [];
  const row = rowOf(name);
  if (row.first === true && !first) throw notFirst(name);
  checkLevel(name, row, following, position);
  const nested = (inner: Value, innerCompiler: Compiler, place: PipelineLevel): Pipeline =>
    readPipeline(inner, innerCompiler, { place, depth: position.depth + 1 });
  return row.read(operand, { compiler, following, nested }, name);
}

const levelCodes: Readonly<Record<PipelineLevel, number>> = {
  $facet: 40600,
  $lookup: 51047,
  $unionWith: 31441,
  top: 40601,
};

function checkLevel(name: string, { writes, notIn }: StageRow, following: readonly Doc[], { place }: Position): void {
  if (notIn?.includes(place) === true) {
    const where = place === '$facet' ? 'a $facet stage' : `a ${place}'s sub-pipeline`;
    throw new StoreError(levelCodes[place], `${name} is not allowed within ${where}`);
  }
  if (writes === true && following.length > 0) {
    throw new StoreError(40601, `${name} can only be the final stage in the pipeline`);
  }
}

/** Fuses adjacent stages that handle one document at a time. */
function fused(stages: readonly Stage[], compiler: Compiler): readonly Stage[] {
  const steps: Stage[] = [];
  for (const stage of stages) {
    const before = steps.at(-1);
    if (stage.each === undefined || before?.each === undefined) steps.push(stage);
    else steps[steps.length - 1] = both(before.each, stage.each, compiler);
  }
  return steps;
}

function both(first: Each, second: Each, { context }: Compiler): Stage {
  const each: Each = (doc, frame) => {
    const between = first(doc, frame);
    return between && second(between, frame);
  };
  return {
    each,
    run: (source: Batches, frame: Frame | undefined) => mapped(source, (doc) => each(doc, frame), context),
  };
}
