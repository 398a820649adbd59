/** `$merge`: merges the documents into a collection. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import type { MergeMode } from '../context.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { readPath } from '../expressions/paths.ts';
import type { Frame } from '../expressions/scope.ts';
import { variableName } from '../expressions/variables.ts';
import { checkOptions, docExpression, objectOf, type StageReader } from './stage.ts';
import { compileUpdateStages } from './update-stages.ts';
import { targetOf, writing } from './write-target.ts';

type Matched = MergeMode['merge']['whenMatched'];

const matchedModes = ['replace', 'keepExisting', 'merge', 'fail'] as const;
const notMatchedModes = ['insert', 'discard', 'fail'] as const;

export const merge: StageReader = (operand, { compiler }, name) => {
  const spec =
    typeof operand === 'string'
      ? { into: operand }
      : objectOf(operand, 51182, `${name} requires a string or object argument, which`);
  checkOptions(spec, ['into', 'on', 'let', 'whenMatched', 'whenNotMatched'], 40415, name);
  const {
    into,
    on = '_id',
    whenMatched = 'merge',
    whenNotMatched = 'insert',
    let: variables,
  } = spec as Readonly<Record<string, Value>>;
  if (into === undefined) throw new StoreError(40414, "BSON field '$merge.into' is missing but a required field");
  const notMatched = notMatchedModes.find((mode) => mode === whenNotMatched);
  if (notMatched === undefined)
    throw new StoreError(
      2,
      `Enumeration value '${String(whenNotMatched)}' for field '$merge.whenNotMatched' is not a valid value.`,
    );
  const target = targetOf(into, compiler.context, name);
  return writing(
    target,
    {
      merge: { on: pathsOf(on), whenMatched: matchedOf(whenMatched, variables, compiler), whenNotMatched: notMatched },
    },
    compiler.context,
  );
};

function pathsOf(on: Value): readonly string[] {
  const paths = Array.isArray(on) ? on : [on];
  if (paths.length === 0)
    throw new StoreError(51187, "If explicitly specifying $merge 'on', must include at least one field");
  return paths.map((path) => {
    if (typeof path !== 'string') throw new StoreError(51134, "$merge 'on' must be a string or an array of strings");
    return readPath(path).join('.');
  });
}

function matchedOf(mode: Value, variables: Value, compiler: Compiler): Matched {
  if (Array.isArray(mode)) return byPipeline(mode, variables ?? { new: '$$ROOT' }, compiler);
  if (variables !== undefined)
    throw new StoreError(51199, `Cannot use 'let' variables with 'whenMatched: ${String(mode)}' mode`);
  const matched = matchedModes.find((one) => one === mode);
  if (matched === undefined)
    throw new StoreError(2, `Enumeration value '${String(mode)}' for field '$merge.whenMatched' is not a valid value.`);
  return matched;
}

/** Runs the target's document through a pipeline whose variables come from the new document. */
function byPipeline(stages: readonly Value[], variables: Value, compiler: Compiler): Matched {
  if (!isDoc(variables)) throw new StoreError(14, "BSON field '$merge.let' is the wrong type, expected type 'object'");
  const values = Object.entries(variables).map(([name, value]) => ({
    name: variableName(name),
    value: docExpression(value, compiler),
  }));
  const change = compileUpdateStages(stages, compiler.within(...values.map(({ name }) => name)));
  return (existing, incoming) => {
    const frame = values.reduce<Frame | undefined>(
      (outer, { value }) => ({ value: value(incoming, undefined), outer }),
      undefined,
    );
    return change(existing, frame) ?? existing;
  };
}
