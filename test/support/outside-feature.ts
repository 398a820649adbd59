/** A built-in feature, built as a package of its own against the published package of the server. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Its operations have paths below `/outside`, and other names, beside the built-in ones.
 * @param feature its folder in `src/features` @param index the text of its index, whose default export is a plug-in
 * @param modules the `node_modules` of a project, which receives the package
 */
export async function buildOutside(feature: string, index: string, modules: string): Promise<void> {
  const name = `outside-${feature}`;
  const folder = join(modules, name);
  const sources = join(folder, 'src');
  await mkdir(folder);
  await cp(join('src', 'features', feature), sources, { recursive: true });
  // its settings are those of the built-in one
  await rm(join(sources, 'config.ts'));
  for (const file of await readdir(sources, { recursive: true })) {
    if (!file.endsWith('.ts')) continue;
    const path = join(sources, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/'(?:\.\.\/)+core\.ts'/g, "'dossier/core'"));
  }
  await writeFile(join(sources, 'index.ts'), index);
  const manifest = { name, type: 'module', exports: './dist/index.js', peerDependencies: { dossier: '*' } };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  const compilerOptions = {
    ...{ strict: true, target: 'es2023', module: 'nodenext', rootDir: 'src', outDir: 'dist', types: ['node'] },
    ...{ rewriteRelativeImportExtensions: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true },
    ...{ skipLibCheck: true, typeRoots: [resolve('node_modules/@types')] },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  await run(process.execPath, [resolve('node_modules/typescript-7/bin/tsc'), '-p', folder]);
}
