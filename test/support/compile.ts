/** Compiles TypeScript programs in memory, and says what does not compile. */
import { join, resolve } from 'node:path';
import ts from 'typescript';

const common: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
  jsx: ts.JsxEmit.ReactJSX,
  types: [],
  paths: { 'dossier-client': [resolve('packages/client/src/index.ts')] },
};

/** Without the declarations of a platform. */
export const language = ['lib.es2023.d.ts'];
const browser = [...language, 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'];

/** A fault of a program: its line from 1, and what the compiler says. */
export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** The part of the program that the compiler marks. */
  readonly marked: string;
}

/** The declarations of libraries and of the client, which all programs share; their comments are not read. */
const shared = new Map<string, ts.SourceFile | undefined>();

/**
 * @param files by name; they import one another as `./name.ts`
 * @param lib declarations, of which those of a browser take longer to read than all else
 */
export function faultsOf(files: Readonly<Record<string, string>>, lib = browser): readonly Fault[] {
  const options = { ...common, lib };
  const folder = resolve('test/in-memory');
  const sources = new Map(Object.entries(files).map(([name, text]) => [join(folder, name), text]));
  const host = ts.createCompilerHost(options);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const onDisk = { ...host };
  host.directoryExists = (name) => name === folder || onDisk.directoryExists?.(name) !== false;
  host.fileExists = (name) => sources.has(name) || onDisk.fileExists(name);
  host.getSourceFile = (name, language) => {
    const text = sources.get(name);
    if (text !== undefined) return ts.createSourceFile(name, text, language);
    if (!shared.has(name)) shared.set(name, onDisk.getSourceFile(name, language));
    return shared.get(name);
  };
  const program = ts.createProgram({ rootNames: [...sources.keys()], options, host });
  const own = program.getSourceFiles().filter(({ fileName }) => sources.has(fileName));
  return own
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(({ file, start = 0, length = 0, messageText }) => ({
      file: file?.fileName.replace(`${folder}/`, '') ?? '',
      line: (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1,
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
      marked: file?.text.slice(start, start + length) ?? '',
    }));
}
