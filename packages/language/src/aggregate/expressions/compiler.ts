/** Compiles expressions to functions: paths, variables, constants, lists, objects and operators. */
import { StoreError, unknownName } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { setField } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { costOf } from '../costs.ts';
import { Work } from '../memory.ts';
import { checkFieldName, readPath, valueAlong } from './paths.ts';
import { type Evaluate, type Names, scopeOf } from './scope.ts';
import { readVariable, systemVariables } from './variables.ts';

/** An operator: its operand is compiled once and evaluated for each document. */
export type Operator = (operand: Value, compiler: Compiler, name: string) => Evaluate;

/** The table of operators, passed in so that operator files do not import it. */
export type Operators = ReadonlyMap<string, Operator>;

/** What the compilers of one pipeline share. */
interface Shared {
  readonly operators: Operators;
  readonly work: Work;
  /** The values of expressions that are the same for every document. */
  readonly constants: WeakMap<Evaluate, { readonly value: Value }>;
  readonly letValues: Map<string, Value>;
}

/** Steps of a new array or object, besides those of its members, and for each of these. */
const frameSteps = 3.5;
const partSteps = 1;

/** Compiles expressions within the variables in scope. */
export class Compiler {
  readonly context: PipelineContext;
  readonly names: Names | undefined;
  readonly #shared: Shared;

  private constructor(context: PipelineContext, names: Names | undefined, shared: Shared) {
    this.context = context;
    this.names = names;
    this.#shared = shared;
  }

  static create(operators: Operators, context: PipelineContext): Compiler {
    const work = new Work(context);
    return new Compiler(context, undefined, { operators, work, constants: new WeakMap(), letValues: new Map() });
  }

  /** The meter of the values that one document produces. */
  get work(): Work {
    return this.#shared.work;
  }

  /** A compiler with more variables in scope, the last one innermost. */
  within(...names: readonly string[]): Compiler {
    const all = names.reduce<Names | undefined>((outer, name) => ({ name, outer }), this.names);
    return new Compiler(this.context, all, this.#shared);
  }

  /** A compiler for a pipeline on another collection. */
  on(collection: string): Compiler {
    return new Compiler({ ...this.context, collection }, this.names, this.#shared);
  }

  /** Compiles an expression. @throws StoreError with MongoDB's code for an invalid expression */
  compile(expression: Value): Evaluate {
    if (typeof expression === 'string' && expression.startsWith('$')) return this.#pathOrVariable(expression);
    if (Array.isArray(expression)) return this.#list(expression);
    return isDoc(expression) ? this.#objectOrOperator(expression) : this.constant(expression);
  }

  /** The function of a constant. */
  constant(value: Value): Evaluate {
    const evaluate: Evaluate = () => value;
    this.#shared.constants.set(evaluate, { value });
    return evaluate;
  }

  /** The value of a constant expression. */
  constantOf(evaluate: Evaluate): { readonly value: Value } | undefined {
    return this.#shared.constants.get(evaluate);
  }

  /** Evaluates an expression that uses no field. */
  evaluateConstant(expression: Value): Value {
    return this.compile(expression)(scopeOf({}, undefined));
  }

  #pathOrVariable(text: string): Evaluate {
    const { meter } = this.context;
    if (text.startsWith('$$')) {
      const [name = '', ...parts] = readPath(text.slice(2));
      const read = readVariable(name, parts, this);
      return this.constantOf(read) === undefined ? (scope) => meter.passed(read(scope)) : read;
    }
    const parts = readPath(text.slice(1));
    return ({ current }) => meter.passed(valueAlong(current, parts, meter));
  }

  #list(expressions: readonly Value[]): Evaluate {
    const parts = expressions.map((part) => this.compile(part));
    return this.#constantIf(parts, (scope) => parts.map((part) => part(scope) ?? null));
  }

  #objectOrOperator(expression: Doc): Evaluate {
    const entries = Object.entries(expression);
    const [first] = entries;
    if (first === undefined) return this.constant(expression);
    if (!first[0].startsWith('$')) return this.#object(entries);
    if (entries.length > 1) {
      throw new StoreError(
        15983,
        `an object representing an expression must have exactly one field: ${entries.map(([name]) => name).join(', ')}`,
      );
    }
    const [name, operand] = first;
    const operator = this.#shared.operators.get(name);
    if (operator === undefined) throw unknownName(168, `Unrecognized expression '${name}'`);
    return this.#measured(operator(operand, this, name), costOf(name).call);
  }

  #object(entries: readonly (readonly [string, Value])[]): Evaluate {
    const parts = entries.map(([name, part]) => {
      checkFieldName(name);
      return { name, evaluate: this.compile(part) };
    });
    const evaluate: Evaluate = (scope) => {
      const made: Record<string, Value> = {};
      for (const part of parts) {
        const value = part.evaluate(scope);
        if (value !== undefined) setField(made, part.name, value);
      }
      return made;
    };
    return this.#constantIf(
      parts.map((part) => part.evaluate),
      evaluate,
    );
  }

  #constantIf(parts: readonly Evaluate[], evaluate: Evaluate): Evaluate {
    if (!parts.every((part) => this.constantOf(part) !== undefined))
      return this.#measured(evaluate, frameSteps + parts.length * partSteps);
    return this.constant(evaluate(scopeOf({}, undefined)));
  }

  /** Meters the result of an operator, which can grow without bound. */
  #measured(evaluate: Evaluate, steps: number): Evaluate {
    if (this.constantOf(evaluate) !== undefined) return evaluate;
    const { meter } = this.context;
    return (scope) => meter.made(evaluate(scope), steps);
  }

  /** The value of a command variable (`let`), if there is one with the name. */
  letValue(name: string): { readonly value: Value } | undefined {
    const given = this.context.let;
    if (given === undefined || !Object.hasOwn(given, name)) return undefined;
    const { letValues } = this.#shared;
    if (!letValues.has(name)) letValues.set(name, this.evaluateConstant(given[name]));
    return { value: letValues.get(name) };
  }

  /** The value of a system variable. */
  systemValue(name: string): Evaluate | undefined {
    return systemVariables.get(name)?.(this);
  }
}
