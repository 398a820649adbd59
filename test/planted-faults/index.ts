/** All planted faults. */
import type { FaultyFile } from './contract.ts';
import { faultsOfOperations } from './operations.ts';
import { faultsOfOwnModels } from './own-models.ts';
import { faultsOfPlugins } from './plug-ins.ts';
import { faultsOfPolicy } from './policy.ts';
import { faultsOfQuery } from './query.ts';
import { faultsOfRead } from './read.ts';
import { faultsOfRecorders } from './recorders.ts';
import { faultsOfWrite } from './write.ts';

export const faultyFiles: readonly FaultyFile[] = [
  ...faultsOfWrite,
  ...faultsOfRecorders,
  ...faultsOfPolicy,
  ...faultsOfRead,
  ...faultsOfQuery,
  ...faultsOfOperations,
  ...faultsOfOwnModels,
  ...faultsOfPlugins,
];
