/**
 * Transpiles `src` and `packages/<name>/src` into the `dist` folder beside each, file by file and only what has changed.
 * It does not check types, which `npm run types` does, and writes no declarations, which `npm run build` does.
 * Starting the server, the tests and the benchmarks call it first; a tree without sources has nothing to build.
 */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const options = {
  swcrc: false,
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023', rewriteRelativeImportExtensions: true },
  module: { type: 'es6' },
  sourceMaps: true,
};

const foldersIn = (folder) =>
  existsSync(folder) ? readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()) : [];

const roots = () => ['.', ...foldersIn('packages').map(({ name }) => join('packages', name))];

const filesIn = (folder, ...endings) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    endings.some((ending) => name.endsWith(ending)),
  );

/** The program that a file of the output belongs to: itself, or the one of a source map or a declaration. */
const programOf = (name) => name.replace(/\.js\.map$|\.d\.ts$/, '.js');

const modifiedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;

/** Another process that builds at the same time, or reads, never sees half a file. */
function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/** Source and output files of a folder that has sources; the program of `src/a.ts` is `dist/a.js`. */
function outdatedIn(root) {
  const source = join(root, 'src');
  const output = join(root, 'dist');
  if (!existsSync(source)) return [];
  const programs = new Map(filesIn(source, '.ts').map((name) => [name.replace(/ts$/, 'js'), join(source, name)]));
  if (existsSync(output))
    for (const name of filesIn(output, '.js', '.js.map', '.d.ts'))
      if (!programs.has(programOf(name))) rmSync(join(output, name));
  return [...programs]
    .map(([name, file]) => ({ file, program: join(output, name) }))
    .filter(({ file, program }) => modifiedAt(program) <= modifiedAt(file));
}

export async function build() {
  const outdated = roots().flatMap(outdatedIn);
  if (outdated.length === 0) return;
  const { transformFile } = await import('@swc/core');
  await Promise.all(
    outdated.map(async ({ file, program }) => {
      const sourceFileName = relative(dirname(program), file).replaceAll('\\', '/');
      const { code, map } = await transformFile(file, { ...options, sourceFileName });
      const name = program.split(/[\\/]/).at(-1);
      write(`${program}.map`, map);
      write(program, `${code}\n//# sourceMappingURL=${name}.map\n`);
    }),
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await build();
