/** A folder of model files as an application has it, and what is done with its models. */

/** `post` creates a document, `put` changes one, `find` and `populate` read. `@name` in a value is the id of an earlier document. */
export type Step =
  | { readonly post: string; readonly as?: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly put: string; readonly body: Readonly<Record<string, unknown>> }
  | { readonly find: string; readonly where: Readonly<Record<string, string | number | boolean>> }
  | { readonly populate: string; readonly path: string };

export interface Project {
  readonly name: string;
  /** The files of the folder, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** The models by the names under which the application compiles them, with those of the service. */
  readonly models: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
