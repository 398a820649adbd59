/** The lists of what features have that is read before they are loaded: derived from their folders, in the order of `features/index.ts`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

const folder = 'src/features';
const derived = 'Derived from the folders of the features by `npm run lists`';

interface Export {
  readonly name: string;
  /** The file that exports it, from the folder of the features. */
  readonly from: string;
}

/** @returns the texts of the lists by their paths @throws Error for a file that does not export what its list needs */
export async function featureLists(): Promise<ReadonlyMap<string, string>> {
  const config = /^export const (\w+) = (?:(?!^export)[^])*?satisfies FeatureConfig;$/m;
  const options = /^export interface (\w+FileOptions) \{$/m;
  const texts = [
    [`${folder}/configs.ts`, configs(exportsOf('config.ts', config))],
    [`${folder}/file-options.ts`, fileOptions(exportsOf('model-options.ts', options))],
  ] as const;
  return new Map(await Promise.all(texts.map(async ([path, text]) => [path, await formatted(path, text)] as const)));
}

const formatted = async (path: string, text: string): Promise<string> =>
  format(text, { ...(await resolveConfig(path)), filepath: path });

/** The folders of the features, in the order of their list. */
function folders(): string[] {
  const list = readFileSync(join(folder, 'index.ts'), 'utf8');
  const folderOf = new Map(
    [...list.matchAll(/^import \{ (\w+) \} from '\.\/([^/]+)\/index\.ts';$/gm)].map(([, name, at]) => [name, at]),
  );
  const rows = /= \[([^\]]*)\]/.exec(list)?.[1] ?? '';
  return [...rows.matchAll(/\w+/g)].map(([name]) => folderOf.get(name) ?? name);
}

/** What a file of the features exports, for each feature that has it. */
const exportsOf = (file: string, pattern: RegExp): readonly Export[] =>
  folders().flatMap((feature) => {
    const path = join(folder, feature, file);
    if (!existsSync(path)) return [];
    const name = pattern.exec(readFileSync(path, 'utf8'))?.[1];
    if (name === undefined) throw new Error(`${path}: nothing in it matches ${String(pattern)}`);
    return { name, from: `./${feature}/${file}` };
  });

const importLines = (exports: readonly Export[], keyword: string): string =>
  [...exports]
    .sort((a, b) => (a.from < b.from ? -1 : 1))
    .map(({ name, from }) => `${keyword} { ${name} } from '${from}';\n`)
    .join('');

const configs = (exports: readonly Export[]): string => `/**
 * The configuration of the features of the list, which is read before they are loaded; other features have none.
 * ${derived}.
 */
${importLines(exports, 'import')}
export const featureConfigs = [
${exports.map(({ name }) => `  ${name},\n`).join('')}] as const;
export type FeatureConfigs = typeof featureConfigs;
`;

const fileOptions = (exports: readonly Export[]): string => `/**
 * The types of the options of model files that features add: their list, and their place in Mongoose's types. Types only.
 * ${derived}.
 */
${importLines(exports, 'import type')}
export type AddedFileOptions = ${exports.map(({ name }) => name).join(' & ')};

// Declarations of one interface merge only when their type parameters have the same names; the new members need none of them.
declare module 'mongoose' {
  interface SchemaOptions<
    DocType,
    TInstanceMethods,
    QueryHelpers,
    TStaticMethods,
    TVirtuals,
    THydratedDocumentType,
    TModelType,
  > extends AddedFileOptions {}
}
`;
