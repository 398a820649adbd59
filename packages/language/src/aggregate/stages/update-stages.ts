/** The stages that an update may consist of; each handles one document at a time. */
import { notOneStage, StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { addFields } from './add-fields.ts';
import { project } from './project.ts';
import { replaceRoot, replaceWith } from './replace-root.ts';
import type { Each, StageReader } from './stage.ts';
import { unset } from './unset.ts';

const updateStages: ReadonlyMap<string, StageReader> = new Map([
  ['$addFields', addFields],
  ['$set', addFields],
  ['$project', project],
  ['$unset', unset],
  ['$replaceRoot', replaceRoot],
  ['$replaceWith', replaceWith],
]);

/** Compiles an update given as a pipeline. @throws StoreError 72 for a stage that an update cannot have */
export function compileUpdateStages(stages: readonly Value[], compiler: Compiler): Each {
  const steps = stages.map((stage) => stepOf(stage, compiler));
  return (doc, frame) => steps.reduce((changed, step) => step(changed, frame) ?? changed, doc);
}

function stepOf(stage: Value, compiler: Compiler): Each {
  const entries = isDoc(stage) ? Object.entries(stage) : [];
  const [first] = entries;
  if (first === undefined || entries.length > 1) {
    throw notOneStage();
  }
  const [name, operand] = first;
  const read = updateStages.get(name);
  const each = read?.(operand, { compiler, following: [], nested: noPipelines }, name).each;
  if (each === undefined) throw new StoreError(72, `${name} is not allowed to be used within an update`);
  return each;
}

const noPipelines = (): never => {
  throw new StoreError(72, 'pipelines are not allowed within the stages of an update');
};
