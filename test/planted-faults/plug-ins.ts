/** Faults of the features that plug-ins bring. */
import type { FaultyFile } from './contract.ts';

const tests = ['test/plugins/features.test.ts'];

export const faultsOfPlugins: readonly FaultyFile[] = [
  {
    file: 'start/feature-clashes.ts',
    tests,
    faults: [
      ['[core, ...features].flatMap', 'features.flatMap', 'a feature takes a name of the core'],
      ["path.replace(/:\\w+/g, ':')", 'path', 'a path with another parameter hides one of the server'],
      ['owners.has(name) ? [', 'false ? [', 'two operations have one name'],
      [
        'collection: ({ models = [] }) => models.map(({ collection }) => collection),',
        '',
        'two features have one collection',
      ],
    ],
  },
  {
    file: 'start/operations.ts',
    tests,
    faults: [
      ['if (clashes.length > 0) throw', 'if (clashes.length > 1000) throw', 'clashes of operations are no faults'],
    ],
  },
  {
    file: 'start/features.ts',
    tests,
    faults: [
      [
        '...(own.base ?? features), ...(own.added ?? [])',
        '...(own.base ?? features)',
        'features of plug-ins are left out',
      ],
    ],
  },
  {
    file: 'start/launch.ts',
    tests,
    faults: [
      [
        'unknownSettings(environment, rowsFor(features))',
        'unknownSettings(environment)',
        'settings of plug-ins are warned of',
      ],
      ['    ...featureFaults,\n', '', 'a feature of a wrong form is taken'],
    ],
  },
  {
    file: 'settings/config-file.ts',
    tests,
    faults: [
      ['tables: ConfigTables = tablesFor(config)', 'tables: ConfigTables = listed', 'keys of plug-ins are unknown'],
    ],
  },
  {
    file: 'write/own-rows.ts',
    tests,
    faults: [['!model.options.internal', 'model.name === undefined', 'operations write documents past their rules']],
  },
  {
    file: 'models/author/file-loader.ts',
    tests,
    faults: [
      ['mongoose: given, ...imports, dossier }', 'mongoose: given, dossier }', 'files get another copy of the core'],
    ],
  },
];
