/** What an expression is evaluated in: the document, the variables, and the pipeline's context (types and small tools). */
import { StoreError } from '../../errors.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';

/** Variables by name, innermost first. */
export type Variables = Readonly<Record<string, Value>>;

export interface Scope {
  readonly root: Doc;
  readonly variables: Variables;
}

export type Evaluate = (scope: Scope) => Value;

/** Compiles an expression; a constant comes back as such. */
export interface Compiler {
  readonly context: PipelineContext;
  readonly compile: (expression: Value) => Evaluate;
}

/** An operator of expressions: its operand → what is evaluated for each document. */
export type Operator = (operand: Value, compiler: Compiler, name: string) => Evaluate;

/** An error of an expression, in MongoDB's manner. */
export const expressionError = (code: number, message: string): StoreError => new StoreError(code, message);

/** An operator over a fixed number of values. */
export function over(least: number, most: number, run: (values: readonly Value[], name: string) => Value): Operator {
  return (operand, { compile }, name) => {
    const expressions = Array.isArray(operand) ? operand : [operand];
    if (expressions.length < least || expressions.length > most) {
      const wanted = least === most ? `exactly ${least}` : `at least ${least}`;
      throw expressionError(
        16020,
        `Expression ${name} takes ${wanted} arguments. ${expressions.length} were passed in.`,
      );
    }
    const parts = expressions.map((expression) => compile(expression));
    return (scope) =>
      run(
        parts.map((part) => part(scope)),
        name,
      );
  };
}

export const anyNumber = Number.POSITIVE_INFINITY;
export const isNullish = (value: Value): value is null | undefined => value === null || value === undefined;

/** A list that must not be larger than an answer may be. */
export const mostMembers = 1_000_000;
export function checkLength(length: number, name: string): void {
  if (length > mostMembers) throw expressionError(146, `${name} would use too much memory`);
}
/** MongoDB's largest text. */
export const mostCharacters = 16 * 1024 * 1024;
export function checkText(text: string, name: string): string {
  if (text.length > mostCharacters) throw expressionError(146, `${name} would make a text over 16 MB`);
  return text;
}
