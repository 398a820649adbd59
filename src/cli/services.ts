/** The services of a server, for commands that do what requests do. */
import type { Sweep } from '../ports/parts.ts';
import type { Services } from '../services.ts';
import { publicUrl } from '../settings/own-host.ts';
import { makeServices } from '../start/services.ts';
import { type ProjectUse, withProject } from './project.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs work with the services of the project in the working folder. The log goes to standard error.
 * @throws as `createServer` does
 */
export const withServices = <T>(
  { messages }: Terminal,
  work: (services: Services, sweeps: readonly Sweep[]) => Promise<T>,
  { readsOnly = false, keepsIndexes = false }: Pick<ProjectUse, 'readsOnly' | 'keepsIndexes'> = {},
): Promise<T> =>
  withProject(
    {},
    async ({ launch, storage, closers }) => {
      const { settings } = launch;
      const services = await makeServices(launch, storage, () => publicUrl(settings, settings.port), closers);
      return work(services, storage.featureServices.sweeps);
    },
    { logTarget: { write: (line) => void messages.write(line) }, readsOnly, keepsIndexes },
  );
