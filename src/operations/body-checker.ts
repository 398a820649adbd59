/** The check of the bodies of one operation, by its row. */
import { compileCheck, compileNames } from './body-check.ts';
import type { Operation } from './operation.ts';

/** @returns a check of bodies against the operation; undefined where it has none; the check throws the operation's failure for an invalid body */
export function bodyChecker({ input }: Pick<Operation, 'input'>): ((body: unknown) => void) | undefined {
  const { schema, optional, refuse, refuseName, hasOwnNames } = input?.body ?? {};
  if (typeof schema !== 'object') return undefined;
  const check = refuse === undefined ? undefined : compileCheck(schema);
  const checks = [
    hasOwnNames === true ? undefined : compileNames(schema, refuseName),
    (body: unknown) => {
      const fault = check?.(body);
      return fault === undefined ? undefined : refuse?.(fault);
    },
  ];
  return (body) => {
    if (body === undefined && optional === true) return;
    for (const failureOf of checks) {
      const failure = failureOf?.(body);
      if (failure !== undefined) throw failure;
    }
  };
}
