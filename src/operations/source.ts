/** What adds operations to a server, such as a feature, and what it gets to describe them all. */
import type { SettingRow } from '../settings/row.ts';
import type { Interceptor } from './interceptor.ts';
import type { OperationGroup } from './operation.ts';

/** What describes a server to those that use it. */
export interface Described {
  /** The described groups, once all are known. */
  readonly groups: () => readonly OperationGroup[];
  readonly interceptors: readonly Interceptor[];
  readonly settings: readonly SettingRow[];
}

export interface OperationSource {
  readonly operations?: readonly OperationGroup[] | ((described: Described) => readonly OperationGroup[]);
  readonly interceptors?: readonly Interceptor[];
}

/** The interceptors of some sources, the outermost first. */
export const interceptorsOf = (sources: readonly OperationSource[]): readonly Interceptor[] =>
  sources.flatMap(({ interceptors = [] }) => interceptors);
