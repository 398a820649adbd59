/** Explains how to install a package that a model file imports. */

const missing: ReadonlySet<unknown> = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']);

/** A sentence that names the package; undefined for any other error and for a missing file. */
export function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !missing.has((error as NodeJS.ErrnoException).code)) return undefined;
  const [, request = ''] = /Cannot find (?:module|package) '([^']+)'/.exec(error.message) ?? [];
  const name = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(request)?.[0];
  return name === undefined
    ? undefined
    : `the package ${name} is not installed: run "npm install ${name}" in the folder of the models, or one above it`;
}
