/** The settings of the server that differ from their defaults. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useData } from '../../api/models.ts';

interface Setting {
  readonly variable: string;
  readonly meaning: string;
  readonly hidden: boolean;
  readonly value?: unknown;
  readonly default?: unknown;
}

export const useSettings = (): UseQueryResult<readonly Setting[]> => useData<readonly Setting[]>('/server/settings');
