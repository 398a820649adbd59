/** What adds operations to a server, such as a feature, and what it gets to describe them all. */
import type { AddedEvent } from '../auth/events/contract.ts';
import type { ListedOption } from '../models/options/options.ts';
import type { SettingRow } from '../settings/row.ts';
import type { Interceptor } from './interceptor.ts';
import type { OperationGroup } from './operation.ts';

/** What describes a server to those that use it. */
export interface ServerDescription {
  /** The described groups, once all are known. */
  readonly groups: () => readonly OperationGroup[];
  readonly interceptors: readonly Interceptor[];
  readonly settings: readonly SettingRow[];
  /** The options of model files. */
  readonly options: readonly ListedOption[];
  /** The kinds of events of accounts that features add. */
  readonly accountEvents: readonly AddedEvent[];
}

export interface OperationSource extends Partial<Pick<ServerDescription, 'accountEvents'>> {
  readonly operations?: readonly OperationGroup[] | ((described: ServerDescription) => readonly OperationGroup[]);
  readonly interceptors?: readonly Interceptor[];
  readonly modelOptions?: readonly ListedOption[];
}

/** The interceptors of some sources, the outermost first. */
export const interceptorsOf = (sources: readonly OperationSource[]): readonly Interceptor[] =>
  sources.flatMap(({ interceptors = [] }) => interceptors);
