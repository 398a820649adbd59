/** The webhooks of the server, which admins read. */
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { allRows } from '../../api/client.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly models: readonly string[];
  readonly events: readonly string[];
  readonly description?: string | null;
  readonly active: boolean;
}

export const webhooksPath = '/webhooks';

/** All of them, the newest first. @param isNeeded whether they are read */
export const useWebhooks = (isNeeded = true): UseQueryResult<readonly Webhook[]> =>
  useQuery({
    queryKey: ['data', webhooksPath],
    queryFn: () => allRows<Webhook>(webhooksPath),
    enabled: isNeeded,
  });
