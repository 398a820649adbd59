/** Variables: system variables, those of the command, and those that operators and stages bind. */
import { Timestamp } from 'bson';
import { notSupported, StoreError } from '../../errors.ts';
import type { Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { valueAlong } from './paths.ts';
import type { Evaluate, Names, Scope } from './scope.ts';

/** The part of a compiler that variables use. */
interface VariableCompiler {
  readonly context: PipelineContext;
  readonly names: Names | undefined;
  constant(value: Value): Evaluate;
  /** The value of a variable of the command's `let`. */
  letValue(name: string): { readonly value: Value } | undefined;
  systemValue(name: string): Evaluate | undefined;
}

const refused = (what: string) => (): Evaluate => {
  throw notSupported(what);
};

/** The variables that always exist. */
export const systemVariables: ReadonlyMap<string, (compiler: VariableCompiler) => Evaluate> = new Map<
  string,
  (compiler: VariableCompiler) => Evaluate
>([
  [
    'ROOT',
    () =>
      ({ root }: Scope) =>
        root,
  ],
  [
    'CURRENT',
    () =>
      ({ current }: Scope) =>
        current,
  ],
  ['REMOVE', () => () => undefined],
  ['NOW', (compiler) => compiler.constant(compiler.context.now)],
  ['CLUSTER_TIME', (compiler) => compiler.constant(clusterTime(compiler.context.now))],
  ['SEARCH_META', refused('$$SEARCH_META')],
  ['USER_ROLES', refused('$$USER_ROLES')],
]);

const clusterTime = (now: Date): Value => new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });

/**
 * The function of `$$name.path`.
 * @throws StoreError 17276 for an unknown variable
 */
export function readVariable(name: string, parts: readonly string[], compiler: VariableCompiler): Evaluate {
  const evaluate = variable(name, compiler);
  const { meter } = compiler.context;
  return parts.length === 0 ? evaluate : (scope) => valueAlong(evaluate(scope), parts, meter);
}

function variable(name: string, compiler: VariableCompiler): Evaluate {
  const hops = hopsTo(name, compiler.names);
  if (hops !== undefined) return (scope) => valueAt(scope, hops);
  const own = compiler.letValue(name);
  if (own !== undefined) return compiler.constant(own.value);
  const system = compiler.systemValue(name);
  if (system !== undefined) return system;
  throw new StoreError(17276, `Use of undefined variable: ${name}`);
}

/** The number of frames between the scope and a variable. */
function hopsTo(name: string, names: Names | undefined): number | undefined {
  let hops = 0;
  for (let at = names; at !== undefined; at = at.outer) {
    if (at.name === name) return hops;
    hops += 1;
  }
  return undefined;
}

function valueAt({ frame }: Scope, hops: number): Value {
  let at = frame;
  for (let left = hops; left > 0; left -= 1) at = at?.outer;
  return at?.value;
}

/** A valid name for a variable. @throws StoreError 16866, 16867, 16868 or 16869 for an invalid name */
export function variableName(value: Value): string {
  if (typeof value !== 'string' || value === '') throw new StoreError(16866, 'empty variable names are not allowed');
  if (value === 'CURRENT') return value;
  if (!/^[a-z\u0080-\uffff]/.test(value)) {
    throw new StoreError(16867, `'${value}' starts with an invalid character for a user variable name`);
  }
  if (!/^[\w\u0080-\uffff]+$/.test(value)) {
    throw new StoreError(16868, `'${value}' contains an invalid character for a variable name`);
  }
  return value;
}
