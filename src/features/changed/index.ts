/** Reactions: code of the project that is called with each change of a document, in the unit of its write (docs/rules.md). */
import { crashGap, type Feature, provide, recorder, type RecorderParts } from '../../core.ts';
import { changedConfig } from './config.ts';
import { handlersByModel } from './handlers.ts';
import { changedOption } from './model-options.ts';
import { warnOfWritesPast } from './past.ts';
import { Reactions } from './reactions.ts';

const reactions = (parts: RecorderParts): Reactions => new Reactions(parts);

export const modelReactions: Feature = {
  name: 'changed',
  config: changedConfig,
  modelOptions: [changedOption],
  provides: [provide(recorder, reactions), provide(crashGap, () => 'what `changed` does')],
  // the names of the config are checked before a database is open, also by `dossier check`
  ofProject: async (project) => {
    await warnOfWritesPast(project, handlersByModel(project).keys());
    return [];
  },
  begin: (services) => {
    services.of(reactions).begin(services);
    return Promise.resolve();
  },
};
