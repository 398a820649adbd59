/** What admins see of the server. */
import { adviser, type Feature, ownService, provide } from '../../core.ts';
import { requestWatch } from '../../ports/core.ts';
import { adviseOnServer } from './advice.ts';
import { logLines } from './log-lines.ts';
import { serverInformation } from './operations.ts';
import { requestCounts } from './requests.ts';

export const server: Feature = {
  name: 'server',
  operations: ({ settings }) => [serverInformation(settings)],
  provides: [provide(ownService, logLines), provide(requestWatch, requestCounts), provide(adviser, adviseOnServer)],
};
