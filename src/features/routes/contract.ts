/** What the adapters of schemas make. */
import type { PathFault } from '../../errors/failure.ts';

/** The value as the schema leaves it, or what is wrong with it. */
export type CheckResult =
  { readonly value: unknown; readonly faults?: undefined } | { readonly faults: readonly PathFault[] };

/** Checks a value, which stays as it is. */
export type Check = (value: unknown) => CheckResult | Promise<CheckResult>;
