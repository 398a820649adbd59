/** What features have in common, where plug-ins bring some: it stops the start, since only one of two would be in effect. */
import type { Feature } from '../features/feature.ts';
import { internalModels } from '../models/built-in/index.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { coreRows } from '../settings/core-rows.ts';

/** The names that features have in common: those of features, and of their collections, settings and options. */
export const featureClashes = (features: readonly Feature[]): readonly string[] =>
  Object.entries(namesOf).flatMap(([what, names]) => {
    const owners = new Map<string, string>();
    return [core, ...features].flatMap((feature) =>
      names(feature).flatMap((name) => {
        const owner = owners.get(name);
        owners.set(name, feature.name);
        return owner === undefined
          ? []
          : [`plug-ins: the ${what} ${name} of the feature ${feature.name} is also one of ${owner}`];
      }),
    );
  });

/** The names that the core itself has. */
const core: Feature = {
  name: 'the core',
  models: internalModels([]),
  config: { settings: coreRows },
};

const namesOf: Readonly<Record<string, (feature: Feature) => readonly string[]>> = {
  feature: ({ name }) => [name],
  model: ({ models = [] }) => models.map(({ name }) => name),
  collection: ({ models = [] }) => models.map(({ collection }) => collection),
  setting: ({ config: { settings = [] } = {} }) => settings.map(({ variable }) => variable),
  option: ({ modelOptions = [] }) => modelOptions.map(({ name }) => name),
};

/** Paths and names that two operations have, such as one of a plug-in and one of the server, of which only one would be served. */
export function operationClashes(groups: readonly OperationGroup[]): readonly string[] {
  const owners = new Map<string, string>();
  return groups.flatMap(({ operations }) =>
    operations.flatMap(({ name, http: { method, path } }) => {
      const route = `${method} ${path.replace(/:\w+/g, ':')}`;
      const faults = [
        ...(owners.has(name) ? [`plug-ins: two operations are named ${name}`] : []),
        ...(owners.has(route) ? [`plug-ins: ${method} ${path} is both ${owners.get(route) ?? ''} and ${name}`] : []),
      ];
      owners.set(name, name).set(route, name);
      return faults;
    }),
  );
}
