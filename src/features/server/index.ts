/** What admins see of the server. */
import type { Feature } from '../feature.ts';
import { adviseOnServer } from './advice.ts';
import { logLines } from './log-lines.ts';
import { serverInformation } from './operations.ts';
import { requestCounts } from './requests.ts';

export const server: Feature = {
  name: 'server',
  operations: ({ settings }) => [serverInformation(settings)],
  services: [logLines],
  requestWatch: requestCounts,
  advises: adviseOnServer,
};
