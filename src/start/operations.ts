/** The operations of a server: those of the core and of its features. */
import { features } from '../features/index.ts';
import { operationGroupsWith } from '../operations/index.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { interceptorsOf } from '../operations/source.ts';
import { settingRows, settingRowsWith } from '../settings/table.ts';
import type { Launch } from './launch.ts';

export const operationGroups: readonly OperationGroup[] = operationGroupsWith(features, settingRows);
/** The interceptors of the features in the list. */
export const interceptors = interceptorsOf(features);

/** @returns those of other features, where the server starts with others than the list has */
export const operationsOf = ({ features: others }: Pick<Launch, 'features'>): readonly OperationGroup[] =>
  others === undefined ? operationGroups : operationGroupsWith(others, settingRowsWith(others));
