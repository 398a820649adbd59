/** Bundles programs for browsers. */
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * @param entry a file, as seen from the root of the project
 * @returns a classic script that sets `program` to what the file exports; minified, a module
 */
export async function bundle(entry: string, minify = false): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    minify,
    ...(minify ? { format: 'esm' } : { format: 'iife', globalName: 'program' }),
    platform: 'browser',
    jsx: 'automatic',
    target: 'es2022',
    alias: { 'dossier-client': join(process.cwd(), 'packages/client/src/index.ts') },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}
