/** What is removed when it is due: deleted documents, and old entries. */
import type { Core, Sweep } from '../feature.ts';
import { isPruned, Pruning } from './pruning.ts';
import { emptyTrash, hasTrash } from './trash.ts';

export function sweepOf({ services }: Core): Sweep | undefined {
  const { served } = services.registry;
  if (!served.some((model) => hasTrash(model) || isPruned(model))) return undefined;
  const pruning = new Pruning(services);
  return async (use) => {
    await emptyTrash(services, use);
    await pruning.run(use);
  };
}
