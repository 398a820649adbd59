/** What an expression is evaluated in: the document, and the variables around it. */
import type { Doc, Value } from '../../values/types.ts';

/** A variable's value, and those further out. */
export interface Frame {
  readonly value: Value;
  readonly outer: Frame | undefined;
}

/** The names of the variables, in the order of their frames. */
export interface Names {
  readonly name: string;
  readonly outer: Names | undefined;
}

/** Where an expression is evaluated. */
export interface Scope {
  /** `$$ROOT`. */
  readonly root: Doc;
  /** `$$CURRENT`, where paths begin. */
  readonly current: Value;
  readonly frame: Frame | undefined;
}

/** An expression, ready to be evaluated. */
export type Evaluate = (scope: Scope) => Value;

/** The scope of a document. */
export const scopeOf = (doc: Doc, frame: Frame | undefined): Scope => ({ root: doc, current: doc, frame });

/** A scope with one more variable. */
export const bind = (scope: Scope, value: Value): Scope => ({
  root: scope.root,
  current: scope.current,
  frame: { value, outer: scope.frame },
});
