/** An expression → a function of a document: paths, variables, literals, objects, lists and operators. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { operators } from './operators.ts';
import type { Compiler, Evaluate, Scope, Variables } from './scope.ts';

const deepest = 100;

/** Compiles an expression for documents of a pipeline. @throws StoreError with MongoDB's code for what it does not know */
export function compileExpression(
  expression: Value,
  context: PipelineContext,
): (doc: Doc, variables?: Variables) => Value {
  const constants: Variables = { NOW: context.now, ...context.let };
  const evaluate = compilerFor(context).compile(expression);
  return (doc, variables) =>
    evaluate({ root: doc, variables: variables === undefined ? constants : { ...constants, ...variables } });
}

function compilerFor(context: PipelineContext): Compiler {
  let depth = 0;
  const compiler: Compiler = {
    context,
    compile(expression) {
      depth += 1;
      if (depth > deepest) throw new StoreError(15, 'the expression is nested too deep');
      const evaluate = compileOne(expression, compiler);
      depth -= 1;
      return evaluate;
    },
  };
  return compiler;
}

function compileOne(expression: Value, compiler: Compiler): Evaluate {
  if (typeof expression === 'string')
    return expression.startsWith('$') ? pathOrVariable(expression, compiler) : () => expression;
  if (Array.isArray(expression)) return list(expression, compiler);
  return isDoc(expression) ? objectOrOperator(expression, compiler) : () => expression;
}

function list(expressions: readonly Value[], { compile, context }: Compiler): Evaluate {
  const parts = expressions.map((part) => compile(part));
  return (scope) => context.meter.made(parts.map((part) => part(scope) ?? null));
}

function objectOrOperator(expression: Doc, compiler: Compiler): Evaluate {
  const entries = Object.entries(expression);
  const [first] = entries;
  if (first === undefined) return () => ({});
  if (!first[0].startsWith('$')) return object(entries, compiler);
  if (entries.length > 1)
    throw new StoreError(15983, 'An object representing an expression must have exactly one field');
  const [name, operand] = first;
  const operator = operators.get(name);
  if (operator === undefined) throw new StoreError(168, `Unrecognized expression '${name}'`);
  const evaluate = operator(operand, compiler, name);
  const { meter } = compiler.context;
  return (scope) => meter.made(evaluate(scope));
}

function object(entries: readonly (readonly [string, Value])[], { compile, context }: Compiler): Evaluate {
  for (const [name] of entries)
    if (name.startsWith('$') || name.includes('.'))
      throw new StoreError(16410, `FieldPath field names may not hold '$' or '.': ${name}`);
  const parts = entries.map(([name, part]) => [name, compile(part)] as const);
  return (scope) => {
    const pairs: [string, Value][] = [];
    for (const [name, part] of parts) {
      const value = part(scope);
      if (value !== undefined) pairs.push([name, value]);
    }
    return context.meter.made(Object.fromEntries(pairs));
  };
}

const systemVariables: ReadonlySet<string> = new Set(['ROOT', 'CURRENT', 'NOW', 'REMOVE', 'DESCEND', 'PRUNE', 'KEEP']);

/** `$a.b`, `$$ROOT.a`, `$$name`. */
function pathOrVariable(text: string, { context }: Compiler): Evaluate {
  const { meter } = context;
  if (!text.startsWith('$$')) {
    const parts = partsOf(text.slice(1));
    return ({ root }) => meter.passed(valueAt(root, parts, 0));
  }
  const [name = '', ...rest] = partsOf(text.slice(2));
  if (!systemVariables.has(name) && !/^[a-z_][A-Za-z0-9_]*$/.test(name))
    throw new StoreError(17276, `Use of undefined variable: ${name}`);
  return (scope) => meter.passed(valueAt(variable(name, scope), rest, 0));
}

function variable(name: string, { root, variables }: Scope): Value {
  if (Object.hasOwn(variables, name)) return variables[name];
  if (name === 'ROOT' || name === 'CURRENT') return root;
  if (name === 'REMOVE') return undefined;
  throw new StoreError(17276, `Use of undefined variable: ${name}`);
}

function partsOf(path: string): readonly string[] {
  const parts = path.split('.');
  if (parts.some((part) => part === ''))
    throw new StoreError(40353, 'FieldPath must not end with a dot, nor have an empty part');
  if (parts.some((part) => part.startsWith('$')))
    throw new StoreError(16410, "FieldPath field names may not start with '$'");
  return parts;
}

/** The value at a path; through a list, the values of its members. */
export function valueAt(value: Value, parts: readonly string[], at: number): Value {
  const part = parts[at];
  if (part === undefined) return value;
  if (Array.isArray(value)) {
    const found: Value[] = [];
    for (const member of value) {
      const inner = isDoc(member) || Array.isArray(member) ? valueAt(member, parts, at) : undefined;
      if (inner !== undefined) found.push(inner);
    }
    return found;
  }
  return isDoc(value) && Object.hasOwn(value, part) ? valueAt(value[part], parts, at + 1) : undefined;
}
