/** The functions of models that the caller may call. */
import type { OwnModel } from './models.ts';

export interface Callable {
  readonly model: string;
  readonly name: string;
  /** What it is called on; undefined for either. */
  readonly on: 'document' | 'model' | undefined;
}

export const callablesOf = (models: Iterable<OwnModel>): Callable[] =>
  [...models].flatMap(({ name: model, callable_statics, rights }) =>
    Object.entries(callable_statics).flatMap(([name, rule]) => {
      const { needs, on } = typeof rule === 'string' ? { needs: rule, on: undefined } : rule;
      return rights.rows[needs as 'r'] === 'none' ? [] : [{ model, name, on }];
    }),
  );
