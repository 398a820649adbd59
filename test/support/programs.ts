/** The programs that tests start as processes. */

/** The built program of a source file, such as `src/main.ts`: `scripts/build.mjs` makes it before the tests. */
export const programOf = (source: string): string =>
  source.replace(/(^|\/)src\/(?!.*\/src\/)/, '$1dist/').replace(/ts$/, 'js');
