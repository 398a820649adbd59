/** The scope of an expression: the document and its variables. */
import type { Doc, Value } from '../../values/types.ts';

/** The value of a variable, and the enclosing frame. */
export interface Frame {
  readonly value: Value;
  readonly outer: Frame | undefined;
}

/** The names of the variables, in the order of their frames. */
export interface Names {
  readonly name: string;
  readonly outer: Names | undefined;
}

/** The scope of an evaluation. */
export interface Scope {
  /** `$$ROOT`. */
  readonly root: Doc;
  /** `$$CURRENT`, where paths start. */
  readonly current: Value;
  readonly frame: Frame | undefined;
}

/** A compiled expression. */
export type Evaluate = (scope: Scope) => Value;

/** The scope of a document. */
export const scopeOf = (doc: Doc, frame: Frame | undefined): Scope => ({ root: doc, current: doc, frame });

/** A scope with one more variable. */
export const bind = (scope: Scope, value: Value): Scope => ({
  root: scope.root,
  current: scope.current,
  frame: { value, outer: scope.frame },
});
