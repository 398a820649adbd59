/** A folder of model files as an application has it, and what is done with its models. */

/** `post` creates a document, `put` changes one, `delete` removes it, `find` and `populate` read. `@name` in a value is the id of an earlier document. */
export type Step =
  | { readonly post: string; readonly as?: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly put: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly delete: string }
  | { readonly find: string; readonly where: Readonly<Record<string, string | number | boolean>> }
  | { readonly populate: string; readonly path: string };

interface Described {
  readonly name: string;
  /** The models by the names under which the application compiles them, with those of the service. */
  readonly models: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  /** `MODELS_FOLDERS`; none by default. */
  readonly modelsFolders?: readonly string[];
  /** Parts of the warnings of the start, one of each, in their order. */
  readonly warnings?: readonly string[];
}

/** Files by their names, as texts, or a folder of `applications/`. */
export type Project = Described & ({ readonly files: Readonly<Record<string, string>> } | { readonly folder: string });
