/** `npm run cycles`: no file imports itself by way of others, by values or by types. */

/**
 * Files that still import each other's types or values. Remove a line with its cycle; add none.
 * @type {readonly string[]}
 */
const knownFiles = ['src/events/feed.ts', 'src/language/pipeline.ts', 'src/sockets/actions.ts', 'src/write/cascade.ts'];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      comment: 'Move what both files need to a third one, or pass it as an argument.',
      severity: 'error',
      from: {},
      to: { circular: true, viaNot: knownFiles },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
