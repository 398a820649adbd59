/** One failure of each constructor in `src/errors/errors.ts`. */
import * as errors from '../../src/errors/errors.ts';

const { Failure, IncompleteLogin: _, takenValue: _text, ...constructors } = errors;

/** The arguments of constructors that take more than strings. */
const given: Readonly<Record<string, readonly unknown[]>> = {
  notUnique: [['x']],
  wrongMethod: ['x', ['y']],
  validationFailed: [[]],
  stillReferenced: ['x', ['y']],
  deletedMatch: ['x', ['y']],
  wrongPatchType: [['x']],
  forbiddenPaths: ['xs', ['y']],
};

export const failures = Object.entries(constructors).map(([name, make]) => {
  const failure = (make as (...values: readonly unknown[]) => unknown)(...(given[name] ?? ['x', 'y', 'z']));
  if (!(failure instanceof Failure)) throw new Error(`${name} makes no failure`);
  return { name, failure };
});
