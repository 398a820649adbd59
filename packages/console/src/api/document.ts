/** The documents of the API, as the console has them: of any fields, but those of users. */
import type { AnyModels } from 'dossier-client';

/** An id as JSON carries it: a number where the model's ids are numbers. */
export type Id = string | number;

export type Document = Readonly<Record<string, unknown>> & { readonly _id: Id };

export interface User extends Readonly<Record<string, unknown>> {
  readonly _id: string;
  readonly email?: string;
  readonly name?: string;
  readonly admin?: boolean;
  readonly groups?: readonly string[];
}

interface AnyModel extends Omit<AnyModels[string], 'document'> {
  document: Document;
}

/** The models of the client. */
export type Models = Record<string, AnyModel> & { user: AnyModel & { document: User } };
