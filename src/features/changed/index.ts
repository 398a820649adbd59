/** Reactions: code of the project that is called with each change of a document, in the unit of its write (docs/rules.md). */
import type { Feature, RecorderParts } from '../feature.ts';
import { changedConfig } from './config.ts';
import { handlersByModel } from './handlers.ts';
import { changedOption } from './model-options.ts';
import { warnOfWritesPast } from './past.ts';
import { Reactions } from './reactions.ts';

const reactions = (parts: RecorderParts): Reactions => new Reactions(parts);

export const changed: Feature = {
  name: 'changed',
  ...changedConfig,
  modelOptions: [changedOption],
  // the names of the config are checked before a database is open, also by `dossier check`
  ofProject: async (project) => {
    await warnOfWritesPast(project, handlersByModel(project).keys());
    return [];
  },
  recorders: [reactions],
  incompleteAfterCrash: 'what `changed` does',
  begin: (services) => {
    services.of(reactions).begin(services);
    return Promise.resolve();
  },
};
